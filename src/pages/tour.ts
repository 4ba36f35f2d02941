import type { Site } from './frame.js';

/** A step of the tour: an explanation as HTML, and the commands to run. */
interface TourStep {
  text: string;
  commands: string;
}

/** Five steps from registration to a live app. */
export function tour({ publicUrl, base, isDemo, playground }: Site): TourStep[] {
  const admin = playground
    ? `<a href="${base}/playground?as=admin">the playground as administrator</a>`
    : 'GraphQL as an administrator';
  return [
    {
      text: 'List the public apps. This needs no account.',
      commands: `URL=${publicUrl}\ncurl -sS "$URL/api/apps?limit=3"`,
    },
    {
      text: 'Register as a developer with a token of your account. If you have done that before, the response is DEVELOPER_EXISTS: go on.',
      commands: `${isDemo ? store('TOKEN', 'accessToken', post('/dev/token', null, { accountUserId: 'ada' })) : "TOKEN='an access token of your identity provider'"}
${post('/api/dev/register', '$TOKEN', { accountUserId: 'ada', name: 'Ada', email: 'ada@example.com' })}`,
    },
    {
      text: `Verify the developer: open ${admin}, run <em>Developers</em>, then <em>Verify developer</em> with Ada’s id. (Once is enough.) Then create an API key.`,
      commands: store('KEY', 'key', post('/api/dev/api-keys', '$TOKEN', KEY)),
    },
    {
      text: 'Create an app and submit it for review. If you do that again, the new app gets another slug, such as <code>hello-tasks-2</code>.',
      commands: `${store('ID', 'id', post('/api/dev/apps', '$KEY', APP))}
${read('SLUG', 'slug')}
curl -sS -X POST $URL/api/dev/apps/$ID/submit -H "Authorization: Bearer $KEY"`,
    },
    {
      text: `Approve the app: in ${admin}, run <em>Review queue</em>, then <em>Approve app</em> with the app’s id. The app is public at once.`,
      commands: `curl -sS $URL/api/apps/$SLUG\ncurl -sS -X POST $URL/api/apps/$SLUG/install`,
    },
  ];
}

const KEY = { name: 'laptop', scopes: ['APP_CREATE', 'APP_READ', 'APP_UPDATE'] };

const APP = {
  name: 'Hello tasks',
  description: 'Says hello to every new task.',
  category: 'PRODUCTIVITY',
  environment: 'production',
  screenshots: [{ url: 'https://example.com/one.png' }, { url: 'https://example.com/two.png' }],
};

/** Stores a field of the response in a variable, and prints the response if the field is missing, so that an error is visible. */
const store = (variable: string, field: string, request: string) => `RESPONSE=$(${request})
${read(variable, field)}
[ "$${variable}" ] || echo "$RESPONSE"`;

const read = (variable: string, field: string) =>
  `${variable}=$(echo "$RESPONSE" | grep -o '"${field}":"[^"]*' | head -1 | cut -d'"' -f4)`;

/** Formats a curl command that sends JSON, with one field per line if there are more than three. */
function post(path: string, credential: string | null, body: object): string {
  const fields = Object.entries(body).map(([name, value]) => `"${name}": ${JSON.stringify(value)}`);
  const json = fields.length > 3 ? `{\n    ${fields.join(',\n    ')}\n  }` : `{ ${fields.join(', ')} }`;
  const authorization = credential ? ` -H "Authorization: Bearer ${credential}"` : '';
  return `curl -sS $URL${path}${authorization} \\
  -H 'Content-Type: application/json' \\
  -d '${json}'`;
}

/** A step of the tour: what happens, as HTML, and the commands that make it happen. */
interface TourStep {
  text: string;
  commands: string;
}

/** From nothing to a live app in five steps; `demo` tells whether the service issues its own tokens. */
export function tour({ url, base, demo }: { url: string; base: string; demo: boolean }): TourStep[] {
  const admin = demo
    ? `<a href="${base}/playground?as=admin">the playground as administrator</a>`
    : 'GraphQL as an administrator';
  return [
    {
      text: 'Look around. The marketplace is public.',
      commands: `URL=${url}\ncurl -sS "$URL/api/apps?limit=3"`,
    },
    {
      text: 'Register as a developer, with a token of your account.',
      commands: `${demo ? keep('TOKEN', 'accessToken', post('/dev/token', null, { accountUserId: 'ada' })) : "TOKEN='an access token of your identity provider'"}
${post('/api/dev/register', '$TOKEN', { accountUserId: 'ada', name: 'Ada', email: 'ada@example.com' })}`,
    },
    {
      text: `Be verified: open ${admin}, run <em>Developers</em>, then <em>Verify developer</em> with Ada’s id. Then make an API key.`,
      commands: keep('KEY', 'key', post('/api/dev/api-keys', '$TOKEN', KEY)),
    },
    {
      text: 'Create an app, and submit it.',
      commands: `${keep('ID', 'id', post('/api/dev/apps', '$KEY', APP))}
curl -sS -X POST $URL/api/dev/apps/$ID/submit -H "Authorization: Bearer $KEY"`,
    },
    {
      text: `Be approved: in ${admin}, run <em>Review queue</em>, then <em>Approve app</em> with the app’s id. It is live at once.`,
      commands: `curl -sS $URL/api/apps/hello-tasks\ncurl -sS -X POST $URL/api/apps/hello-tasks/install`,
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

/** Keeps a field of an answer in a variable, and shows the answer where it has none: a skipped step must not pass unseen. */
const keep = (variable: string, field: string, request: string) => `ANSWER=$(${request})
${variable}=$(echo "$ANSWER" | grep -o '"${field}":"[^"]*' | cut -d'"' -f4)
[ "$${variable}" ] || echo "$ANSWER"`;

/** A request that sends JSON, a field to a line where one line would be long. */
function post(path: string, credential: string | null, body: object): string {
  const fields = Object.entries(body).map(([name, value]) => `"${name}": ${JSON.stringify(value)}`);
  const json = fields.length > 3 ? `{\n    ${fields.join(',\n    ')}\n  }` : `{ ${fields.join(', ')} }`;
  const authorization = credential ? ` -H "Authorization: Bearer ${credential}"` : '';
  return `curl -sS $URL${path}${authorization} \\
  -H 'Content-Type: application/json' \\
  -d '${json}'`;
}

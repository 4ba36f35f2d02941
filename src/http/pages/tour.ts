/** A step of the tour: what happens, as HTML, and the commands that make it happen. */
export interface TourStep {
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
      commands: `URL=${url}\ncurl -s "$URL/api/apps?limit=3"`,
    },
    {
      text: 'Register as a developer, with a token of your account.',
      commands: `${demo ? DEMO_TOKEN : "TOKEN='an access token of your identity provider'"}
${post('/api/dev/register', '$TOKEN', { accountUserId: 'ada', name: 'Ada', email: 'ada@example.com' })}`,
    },
    {
      text: `Be verified: open ${admin}, run <em>Developers</em>, then <em>Verify developer</em> with Ada’s id. Then make an API key.`,
      commands: `KEY=$(${post('/api/dev/api-keys', '$TOKEN', { name: 'laptop', scopes: ['APP_CREATE', 'APP_READ', 'APP_UPDATE'] })} \\
  | grep -o '"key":"[^"]*' | cut -d'"' -f4)`,
    },
    {
      text: 'Create an app, and submit it.',
      commands: `ID=$(${post('/api/dev/apps', '$KEY', APP)} \\
  | grep -o '"id":"[^"]*' | cut -d'"' -f4)
curl -s -X POST $URL/api/dev/apps/$ID/submit -H "Authorization: Bearer $KEY"`,
    },
    {
      text: `Be approved: in ${admin}, run <em>Review queue</em>, then <em>Approve app</em> with the app’s id. It is live at once.`,
      commands: `curl -s $URL/api/apps/hello-tasks\ncurl -s -X POST $URL/api/apps/hello-tasks/install`,
    },
  ];
}

const APP = {
  name: 'Hello tasks',
  description: 'Says hello to every new task.',
  category: 'PRODUCTIVITY',
  environment: 'production',
  screenshots: [{ url: 'https://example.com/one.png' }, { url: 'https://example.com/two.png' }],
};

const DEMO_TOKEN = `TOKEN=$(curl -s $URL/dev/token -H 'Content-Type: application/json' \\
  -d '{ "accountUserId": "ada" }' | grep -o '"accessToken":"[^"]*' | cut -d'"' -f4)`;

/** A request that sends JSON, a field to a line where one line would be long. */
function post(path: string, credential: string, body: object): string {
  const fields = Object.entries(body).map(([name, value]) => `"${name}": ${JSON.stringify(value)}`);
  const json = fields.length > 3 ? `{\n    ${fields.join(',\n    ')}\n  }` : `{ ${fields.join(', ')} }`;
  return `curl -s $URL${path} -H "Authorization: Bearer ${credential}" \\
  -H 'Content-Type: application/json' \\
  -d '${json}'`;
}

import { beforeAll, describe, expect, it } from '@jest/globals';
import { detailFields } from '../../src/modules/catalog/catalog.types.js';
import { publicFields } from '../modules/catalog/public-apps.js';
import { duringTests } from '../support/before-tests.js';
import { CachedService } from './cached-service.js';

const cached = duringTests(() => CachedService.start());
beforeAll(async () => {
  await cached.untilListening();
  await cached.otherClient.query(
    `update apps set long_description = 'Long', version_number = '2.1.0', release_notes = 'Faster', banner_url = 'https://example.com/banner.png'`,
  );
});

const objects: Record<string, string> = {
  screenshots: 'screenshots { url caption order }',
  developer: 'developer { id name companyName websiteUrl }',
};
const fields = [...new Set([...publicFields, ...detailFields])].map((name) => objects[name] ?? name);

type Apps = Record<string, unknown>[];

async function ask(query: string): Promise<unknown> {
  const { status, body } = await cached.send({
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json' },
    body: [JSON.stringify({ query })],
  });
  expect({ status, body }).toEqual({ status: 200, body: expect.not.stringContaining('"errors"') });
  return (JSON.parse(body) as { data: unknown }).data;
}

const lists: [string, (selection: string) => Promise<Apps>][] = [
  ['browseApps', async (wanted) => pageIn(await ask(`{ browseApps { apps { ${wanted} } } }`))],
  [
    'a search',
    async (wanted) => pageIn(await ask(`{ browseApps(filter: { search: "app" }) { apps { ${wanted} } } }`)),
  ],
  [
    'apps',
    async (wanted) => {
      const { apps } = (await ask(`{ apps(sort: newest) { edges { cursor node { ${wanted} } } } }`)) as {
        apps: { edges: { node: Apps[number] }[] };
      };
      return apps.edges.map(({ node }) => node);
    },
  ],
];
const pageIn = (data: unknown) => (data as { browseApps: { apps: Apps } }).browseApps.apps;

describe.each(lists)('in %s', (_, read) => {
  it('each field alone has the value that it has among all fields', async () => {
    const whole = await read(fields.join(' '));
    expect(whole).toHaveLength(2);
    // A field without a value would be equal however it was read.
    expect(Object.values(whole[0]!)).not.toContain(undefined);
    for (const name of detailFields) expect(whole[0]).toHaveProperty(name, expect.anything());
    for (const selection of fields) {
      const name = selection.split(' ')[0]!;
      expect(await read(selection)).toEqual(whole.map((app) => ({ [name]: app[name] })));
    }
  });
});

/** Returns the statements of a document that read apps. */
async function statementsOf(query: string): Promise<string[]> {
  cached.catalog.raise();
  const statements = await cached.line.listenIn(() => ask(query));
  return statements.filter((statement) => /join apps a/.test(statement));
}

it('a list reads long texts only for a document that selects them, at any depth', async () => {
  const card = await statementsOf('{ browseApps(limit: 3) { apps { id name developer { name } } } }');
  const fragment = await statementsOf(
    'query List { browseApps(limit: 3) { ...Page } } fragment Page on AppPage { apps { ... on PublicApp { text: longDescription } } }',
  );
  expect(card).toEqual([expect.not.stringContaining('long_description')]);
  expect(fragment).toEqual([expect.stringContaining('long_description')]);
});

it('a list with and one without long texts do not share their rows', async () => {
  cached.catalog.raise();
  const [card, whole] = await Promise.all([
    ask('{ browseApps(limit: 2) { apps { id } } }'),
    ask('{ browseApps(limit: 2) { apps { id longDescription screenshots { url } } } }'),
  ]);
  const ids = pageIn(card).map(({ id }) => id);
  expect(pageIn(whole)).toEqual(
    ids.map((id) => ({ id, longDescription: expect.any(String), screenshots: expect.anything() })),
  );
});

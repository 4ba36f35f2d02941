import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Input } from '../../support/api-client.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { connectTo } from '../../support/database.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { startServiceOnLine } from '../../support/service-on-line.js';
import { type ConnectionPage, idsOf, listApps, pageOfApps } from './app-connection.js';
import { aPublicApp, type PublicAppJson } from './public-apps.js';

/** Names, installs, days and ratings with many ties among them. */
const fixtureApps: [name: string, listing: Input, figures: Parameters<typeof aPublicApp>[3]][] = [
  ['Clock', { category: 'UTILITIES' }, { installs: 5, day: 3, rating: [4.33, 3] }],
  ['clock', { category: 'UTILITIES', environment: 'staging' }, { installs: 5, day: 3, rating: [4.33, 3] }],
  ['Clock Tower', { category: 'EDUCATION' }, { installs: 5, day: 3, rating: [4.33, 2] }],
  ['Alarm', { description: 'Rings like a clock.', category: 'UTILITIES' }, { installs: 90, day: 1 }],
  [
    'Sundial',
    { description: 'The oldest clock.', environment: 'staging' },
    { installs: 2, day: 9, featured: true },
  ],
  [
    'Hourglass',
    { description: 'Sand.', category: 'EDUCATION' },
    { installs: 2, day: 9, rating: [5, 1], featured: true },
  ],
  ['Zeit', { longDescription: 'A clock, in German.' }, { installs: 0, day: 2 }],
];

const service = duringTests(() => startServiceOnLine({ DATABASE_POOL: '10' }));
const line = beforeTests(() => service.line);
const ada = beforeTests(() => service.aDeveloper({ name: 'Ada' }));
beforeAll(async () => {
  for (const [name, listing, figures] of fixtureApps)
    await aPublicApp(service, ada, { description: 'Nothing.', ...listing, name }, figures);
});

const list = (input: Input = {}) => listApps(service, input);
const must = (input: Input = {}) => pageOfApps(service, input);

/** Every page of a list, one after the other. */
async function walk(input: Input, first: number): Promise<ConnectionPage[]> {
  const pages = [await must({ ...input, first })];
  while (pages.at(-1)!.pageInfo.hasNextPage)
    pages.push(await must({ ...input, first, after: pages.at(-1)!.pageInfo.endCursor }));
  return pages;
}

const sorts = ['popular', 'newest', 'rating', 'name', 'relevance'];
const filters: Input[] = [
  {},
  { category: 'UTILITIES' },
  { environment: 'staging', featured: true },
  { featured: false },
  { search: 'clock' },
  { search: 'clok' },
  { search: 'clock', category: 'UTILITIES' },
];

describe('apps', () => {
  it.each(sorts.flatMap((sort) => filters.map((filter) => [sort, filter] as const)))(
    'pages by %s and %j through everything that browseApps lists, each app once, ties included (D28, D66)',
    async (sort, filter) => {
      const browsed = await service.client.must<{ apps: PublicAppJson[]; pagination: { total: number } }>(
        'browseApps',
        { ...filter, sort },
      );
      expect(browsed.apps.length).toBeGreaterThan(0);
      const pages = await walk({ ...filter, sort }, 2);
      expect(pages.flatMap(idsOf)).toEqual(browsed.apps.map(({ id }) => id));
      expect(pages.map(({ pageInfo }) => pageInfo.hasPreviousPage)).toEqual(pages.map((_, at) => at > 0));
      for (const { edges, pageInfo, totalCount } of pages) {
        expect(totalCount).toBe(browsed.pagination.total);
        expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual([edges[0]!.cursor, edges.at(-1)!.cursor]);
      }
    },
  );

  it('returns the same apps as browseApps, field by field (D17)', async () => {
    const { apps } = await service.client.must<{ apps: PublicAppJson[] }>('browseApps');
    expect((await must()).edges.map(({ node }) => node)).toEqual(apps);
  });

  it('has an empty page where nothing matches', async () => {
    expect(await must({ category: 'AI_ML' })).toMatchObject({
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
      totalCount: 0,
    });
  });

  it('continues from the cursor, whatever was published meanwhile (D66)', async () => {
    const first = await must({ first: 2, sort: 'newest' });
    const rest = await must({ sort: 'newest', after: first.pageInfo.endCursor });
    const { id } = await aPublicApp(service, ada, { name: 'Brand New' }, { day: 31 });
    expect(idsOf(await must({ sort: 'newest', after: first.pageInfo.endCursor }))).toEqual(idsOf(rest));
    expect(idsOf(await must({ sort: 'newest', first: 1 }))).toEqual([id]);
    await service.administer('suspendApp', { id, reason: 'Only a test.' });
  });

  it('refuses a cursor from another sort or filter, and a forged or broken one (D66)', async () => {
    const { endCursor } = (await must({ first: 2, sort: 'popular', category: 'UTILITIES' })).pageInfo;
    const [seal, installs, ...place] = JSON.parse(
      Buffer.from(endCursor!, 'base64url').toString(),
    ) as unknown[];
    const forged = Buffer.from(JSON.stringify([seal, Number(installs) + 1, ...place])).toString('base64url');
    for (const input of [
      { after: endCursor, sort: 'newest', category: 'UTILITIES' },
      { after: endCursor, sort: 'popular' },
      { after: endCursor, sort: 'popular', category: 'EDUCATION' },
      { after: endCursor, sort: 'popular', category: 'UTILITIES', featured: false },
      { after: endCursor, sort: 'popular', category: 'UTILITIES', search: 'clock' },
      { after: forged, sort: 'popular', category: 'UTILITIES' },
      { after: 'nonsense' },
      { after: Buffer.from('[]').toString('base64url') },
      { after: Buffer.from('{"0":1}').toString('base64url') },
    ])
      expectError(await list(input), 'VALIDATION_FAILED', ['after: invalid_cursor']);
    expectSuccess(await list({ after: endCursor, category: 'UTILITIES' }));
    expectSuccess(await list({ after: '' }));
  });

  it.each(['2024-02-30T00:00:00.000Z', '2024-01-01 (x)', '2024-1-1 GMT+9999', '0000-01-01T00:00:00.000Z'])(
    'refuses a cursor with a time that the database does not accept: %s (D66)',
    async (time) => {
      const position = [time, '018da1bc-c700-728f-8eb2-aa425b7774ab'];
      const facts = JSON.stringify(['newest', null, null, null, null, position]);
      const digest = createHash('sha256').update(facts).digest('base64url').slice(0, 12);
      const after = Buffer.from(JSON.stringify([digest, ...position])).toString('base64url');
      expectError(await list({ after, sort: 'newest' }), 'VALIDATION_FAILED', ['after: invalid_cursor']);
    },
  );

  it('counts in each facet without its own filter (D67)', async () => {
    const counts = async (input: Input) => {
      const { facets, totalCount } = await must({ ...input, first: 1 });
      const some = <T extends { count: number }>(rows: T[]) => rows.filter(({ count }) => count > 0);
      expect(facets.categories).toHaveLength(10);
      expect(facets.environments).toHaveLength(3);
      return [
        ...some(facets.categories).map(({ category, count }) => `${category} ${count}`),
        ...some(facets.environments).map(({ environment, count }) => `${environment} ${count}`),
        totalCount,
      ];
    };
    expect(await counts({})).toEqual([
      'PRODUCTIVITY 2',
      'UTILITIES 3',
      'EDUCATION 2',
      'staging 2',
      'production 5',
      7,
    ]);
    expect(await counts({ category: 'UTILITIES' })).toEqual([
      'PRODUCTIVITY 2',
      'UTILITIES 3',
      'EDUCATION 2',
      'staging 1',
      'production 2',
      3,
    ]);
    expect(await counts({ category: 'UTILITIES', environment: 'staging' })).toEqual([
      'PRODUCTIVITY 1',
      'UTILITIES 1',
      'staging 1',
      'production 2',
      1,
    ]);
    expect(await counts({ featured: true })).toEqual([
      'PRODUCTIVITY 1',
      'EDUCATION 1',
      'staging 1',
      'production 1',
      2,
    ]);
    expect(await counts({ search: 'clock', category: 'EDUCATION' })).toEqual([
      'PRODUCTIVITY 2',
      'UTILITIES 3',
      'EDUCATION 1',
      'production 1',
      1,
    ]);
  });

  it('needs one query for a page with its developers, and one more for a total or facets', async () => {
    const statements = async (search: string | null, fields: string) => {
      const query = `query ($filter: AppFilter) { apps(filter: $filter, first: 5) { edges { node { name screenshots { url } developer { name } } } ${fields} } }`;
      const heard = await line.listenIn(() => service.client.queryData(query, { filter: { search } }, null));
      return heard.filter((statement) => !/pgboss|plan_cache_mode/.test(statement)).length;
    };
    for (const search of [null, 'clock', 'qqqqwwww']) {
      // A search with few hits needs a second one, for similar names.
      const ofPage = search ? 2 : 1;
      expect(await statements(search, 'pageInfo { endCursor }')).toBe(ofPage);
      // A search counts its hits anyway.
      expect(await statements(search, 'totalCount totalIsExact')).toBe(2);
      expect(await statements(search, 'facets { categories { count } }')).toBe(ofPage + 1);
    }
  });
});

describe('the developers of a page', () => {
  const statements = async (query: string, variables: Input = {}) => {
    const heard = await line.listenIn(() => service.client.queryData(query, variables, null));
    return heard.filter((statement) => !/pgboss|plan_cache_mode/.test(statement)).length;
  };

  it('and their apps take one query each for the whole page (D148)', async () => {
    await aPublicApp(service, await service.aDeveloper(), { name: 'Water clock' }, { installs: 1 });
    const page = (fields: string) =>
      `{ apps(first: 50) { edges { node { name developer { id ${fields} } } } } }`;
    expect(await statements(page(''))).toBe(1);
    expect(await statements(page('bio appCount averageRating memberSince'))).toBe(2);
    expect(await statements(page('apps(first: 2) { edges { node { name } } }'))).toBe(2);
    expect(
      await statements(page('apps { totalCount facets { categories { count } } edges { node { id } } }')),
    ).toBe(3);
  });

  it('and the apps themselves are looked up in one query for each type (D151)', async () => {
    const { apps } = await service.client.queryData<{
      apps: { edges: { node: { nodeId: string; developer: { nodeId: string } } }[] };
    }>('{ apps(first: 50) { edges { node { nodeId developer { nodeId } } } } }', {}, null);
    const ids = apps.edges.flatMap(({ node }) => [node.nodeId, node.developer.nodeId]);
    expect(ids.length).toBeGreaterThan(10);
    expect(await statements('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids })).toBe(2);
  });
});

describe('hot reads', () => {
  it('are served, and so is readiness, while writes hold every other connection', async () => {
    const other = await connectTo(service.databaseUrl);
    await other.query('begin');
    // Reads are served; every write waits and holds a connection.
    await other.query('lock table developers in exclusive mode');
    const change = () => service.client.call('rest', 'updateMe', { name: 'Ada' }, ada.key);
    const held = Array.from({ length: 5 }, change);
    try {
      expect((await service.client.request('GET', '/readyz')).status).toBe(200);
      expectSuccess(await list());
    } finally {
      await other.query('rollback');
      await other.end();
    }
    for (const outcome of await Promise.all(held)) expectSuccess(outcome);
  });
});

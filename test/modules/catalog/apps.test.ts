import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { Developer } from '../../support/actors.js';
import { DatabaseLine } from '../../support/database-line.js';
import type { Input } from '../../support/doors.js';
import { expectRefusal, expectSuccess } from '../../support/refusals.js';
import { type Service, startService } from '../../support/service.js';
import { aPublicApp, type PublicAppJson } from './shelf.js';

interface Page {
  edges: { node: PublicAppJson; cursor: string }[];
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
  totalCount: number;
  facets: {
    categories: { category: string; count: number }[];
    environments: { environment: string; count: number }[];
  };
}

let service: Service;
let line: DatabaseLine;
let ada: Developer;

/** Names, installs, days and ratings with many ties among them. */
const shelf: [name: string, listing: Input, figures: Parameters<typeof aPublicApp>[3]][] = [
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

beforeAll(async () => {
  service = await startService({ DATABASE_POOL: '3' }, undefined, {
    databaseVia: async (url) => {
      line = await DatabaseLine.to(url);
      return line.url;
    },
  });
  ada = await service.aDeveloper({ name: 'Ada' });
  for (const [name, listing, figures] of shelf)
    await aPublicApp(service, ada, { description: 'Nothing.', ...listing, name }, figures);
});
afterAll(async () => {
  await service.close();
  await line.cut();
});

const list = (input: Input = {}) => service.doors.call<Page>('graphql', 'apps', input);
const must = async (input: Input = {}) => {
  const outcome = await list(input);
  expectSuccess(outcome);
  return outcome.data;
};
const ids = ({ edges }: Page) => edges.map(({ node }) => node.id);

/** Every page of a list, one after the other. */
async function walk(input: Input, first: number): Promise<Page[]> {
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
    'leads by %s and %j through all that browseApps lists, each app once, ties included (D28, D66)',
    async (sort, filter) => {
      const browsed = await service.doors.must<{ apps: PublicAppJson[]; pagination: { total: number } }>(
        'browseApps',
        { ...filter, sort },
      );
      expect(browsed.apps.length).toBeGreaterThan(0);
      const pages = await walk({ ...filter, sort }, 2);
      expect(pages.flatMap(ids)).toEqual(browsed.apps.map(({ id }) => id));
      expect(pages.map(({ pageInfo }) => pageInfo.hasPreviousPage)).toEqual(pages.map((_, at) => at > 0));
      for (const { edges, pageInfo, totalCount } of pages) {
        expect(totalCount).toBe(browsed.pagination.total);
        expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual([edges[0]!.cursor, edges.at(-1)!.cursor]);
      }
    },
  );

  it('answers the same apps as browseApps, field by field (D17)', async () => {
    const { apps } = await service.doors.must<{ apps: PublicAppJson[] }>('browseApps');
    expect((await must()).edges.map(({ node }) => node)).toEqual(apps);
  });

  it('has an empty page where nothing matches', async () => {
    expect(await must({ category: 'AI_ML' })).toMatchObject({
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
      totalCount: 0,
    });
  });

  it('leads on from where it was, whatever was listed meanwhile (D66)', async () => {
    const first = await must({ first: 2, sort: 'newest' });
    const rest = await must({ sort: 'newest', after: first.pageInfo.endCursor });
    const { id } = await aPublicApp(service, ada, { name: 'Brand New' }, { day: 31 });
    expect(ids(await must({ sort: 'newest', after: first.pageInfo.endCursor }))).toEqual(ids(rest));
    expect(ids(await must({ sort: 'newest', first: 1 }))).toEqual([id]);
    await service.doors.must('suspendApp', { id, reason: 'Only a test.' }, await service.admin());
  });

  it('refuses a cursor of another order or filter, a forged or a broken one (D66)', async () => {
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
      expectRefusal(await list(input), 'VALIDATION_FAILED', ['after: invalid_cursor']);
    expectSuccess(await list({ after: endCursor, category: 'UTILITIES' }));
    expectSuccess(await list({ after: '' }));
  });

  it('lists all problems at once (D6)', async () => {
    expectRefusal(await list({ first: 0, search: 'x'.repeat(101), after: 'nonsense' }), 'VALIDATION_FAILED', [
      'after: invalid_cursor',
      'first: too_small',
      'search: too_long',
    ]);
  });

  it('counts what each choice would show: a facet leaves its own filter out (D67)', async () => {
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

  it('asks one statement for a page with its developers, and one more for a total or facets (D68)', async () => {
    const statements = async (search: string | null, fields: string) => {
      const query = `query ($filter: AppFilter) { apps(filter: $filter, first: 5) { edges { node { name screenshots { url } developer { name } } } ${fields} } }`;
      const heard = await line.listenIn(() => service.doors.ask(query, { filter: { search } }, null));
      return heard.filter((statement) => !/pgboss|plan_cache_mode/.test(statement)).length;
    };
    for (const search of [null, 'clock', 'qqqqwwww']) {
      expect(await statements(search, 'pageInfo { endCursor }')).toBe(1);
      expect(await statements(search, 'totalCount')).toBe(2);
      expect(await statements(search, 'facets { categories { count } }')).toBe(2);
    }
    const page = () => service.doors.request('GET', '/api/apps?page=2&limit=3&search=clock');
    expect(await line.listenIn(page)).toHaveLength(1);
  });
});

describe('what the catalog keeps with each change', () => {
  /** What the triggers kept, and what a rebuild from nothing makes of the same apps. */
  const kept = () =>
    service.sql(`
      select jsonb_agg(row order by row::text) as rows from (
        select to_jsonb(s) as row from app_search s union all
        select to_jsonb(c) from (select category, environment, featured, sum(apps) as apps from app_counts group by 1, 2, 3) c
        where apps <> 0) everything`);

  it('finds by the name that a developer has now (D65)', async () => {
    const grace = await service.aDeveloper({ name: 'Grace Hopper', companyName: 'Navy' });
    const { id } = await service.anApp(grace, 'APPROVED', { name: 'Compiler' });
    expect(ids(await must({ search: 'hopper compiler' }))).toEqual([id]);
    await service.doors.must('updateMe', { name: 'Grace Murray', companyName: null }, grace.token);
    expect(ids(await must({ search: 'hopper' }))).toEqual([]);
    expect(ids(await must({ search: 'navy' }))).toEqual([]);
    expect(ids(await must({ search: 'murray' }))).toEqual([id]);
    await service.doors.must(
      'editApp',
      { id, name: 'Linker', category: 'AI_ML', reason: 'Renamed.' },
      await service.admin(),
    );
    expect(ids(await must({ search: 'compiler' }))).toEqual([]);
    expect(ids(await must({ search: 'linker', category: 'AI_ML' }))).toEqual([id]);
  });

  it('never shows an app whose approval met the suspension of its developer (D29, D119)', async () => {
    const eve = await service.aDeveloper();
    const { id, revision } = await service.anApp(eve, 'PENDING', { name: 'Sneaky' });
    const other = new Client({ connectionString: service.databaseUrl });
    await other.connect();
    await other.query('begin');
    await other.query(
      "update developers set status = 'SUSPENDED', status_before_suspension = status where id = $1",
      [eve.id],
    );
    const approval = service.doors.call('graphql', 'approveApp', { id, revision }, await service.admin());
    const waits =
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    while ((await service.sql(waits)).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await other.query('commit');
    await other.end();
    expectRefusal(await approval, 'INVALID_TRANSITION');
    expect(ids(await must({ search: 'sneaky' }))).toEqual([]);
  });

  it('counts approvals that come at once, and is what a rebuild would make of it (D65)', async () => {
    const admin = await service.admin();
    const before = (await must({ category: 'BUSINESS' })).totalCount;
    const pending = [];
    for (let at = 0; at < 8; at += 1)
      pending.push(await service.anApp(ada, 'PENDING', { category: 'BUSINESS', name: `Ledger ${at}` }));
    const approvals = await Promise.all(
      pending.map(({ id, revision }) => service.doors.call('graphql', 'approveApp', { id, revision }, admin)),
    );
    for (const approval of approvals) expectSuccess(approval);
    expect((await must({ category: 'BUSINESS' })).totalCount).toBe(before + 8);
    const asKept = await kept();
    await service.sql('select rebuild_catalog()');
    expect(await kept()).toEqual(asKept);
  });
});

describe('hot reads', () => {
  it('go on, and readiness too, while writes hold every other connection', async () => {
    const other = new Client({ connectionString: service.databaseUrl });
    await other.connect();
    await other.query('begin');
    // Readers go on; whoever writes waits, with a connection in their hands.
    await other.query('lock table developers in exclusive mode');
    const change = () => service.doors.call('rest', 'updateMe', { name: 'Ada' }, ada.key);
    const held = Array.from({ length: 5 }, change);
    try {
      expect((await service.doors.request('GET', '/readyz')).status).toBe(200);
      expectSuccess(await list());
    } finally {
      await other.query('rollback');
      await other.end();
    }
    for (const outcome of await Promise.all(held)) expectSuccess(outcome);
  });
});

describe('a search for what thousands have', () => {
  beforeAll(async () => {
    await service.sql('alter table apps disable trigger user');
    await service.sql(
      `insert into apps (id, developer_id, slug, name, sort_name, listed, description, category, environment, screenshots,
        status, featured, review_count, average_rating, revision, submitted_at, approved_at, created_at, updated_at)
      select gen_random_uuid(), $1, 'gadget-' || n, name, lower(name), true, 'A gadget.', 'OTHER', 'production', $2,
        'APPROVED', false, 0, 0, 1, now(), now(), now(), now()
      from generate_series(1, 5400) n, lateral (select case when n = 1 then 'Gadget' when n < 30 then 'Gadget ' || n
        else 'Item ' || n end as name) named`,
      [
        ada.id,
        JSON.stringify(
          [0, 1].map((order) => ({ url: 'https://pictures.example/x.png', caption: null, order })),
        ),
      ],
    );
    await service.sql('alter table apps enable trigger user');
    await service.sql('select rebuild_catalog()');
    await service.sql(
      `update app_figures f set install_count = substring(slug from '\\d+')::integer % 97
      from apps a where a.id = f.id and a.slug like 'gadget-%'`,
    );
  });

  it('has an exact total, and the exact name, then the beginnings, then the most installed (D65)', async () => {
    const { totalCount, edges } = await must({ search: 'gadget', first: 100 });
    expect(totalCount).toBe(5400);
    const names = edges.map(({ node }) => String(node.name));
    expect(names[0]).toBe('Gadget');
    expect(names.slice(1, 29).every((name) => name.startsWith('Gadget '))).toBe(true);
    const rest = edges.slice(29).map(({ node }) => node.installCount);
    expect(rest).toEqual(rest.toSorted((a, b) => b - a));
    expect(rest[0]).toBe(96);
  });

  it.each(['relevance', 'newest', 'name'])(
    'gives the same by pages and by cursors, by %s (D65, D66)',
    async (sort) => {
      const input = { search: 'gadget', sort };
      const second = await must({
        ...input,
        first: 50,
        after: (await must({ ...input, first: 50 })).pageInfo.endCursor,
      });
      const browsed = await service.doors.must<{ apps: PublicAppJson[]; pagination: { total: number } }>(
        'browseApps',
        { ...input, page: 2, limit: 50 },
      );
      expect(browsed.pagination.total).toBe(5400);
      expect(ids(second)).toEqual(browsed.apps.map(({ id }) => id));
      expect(new Set(ids(second)).size).toBe(50);
    },
  );

  it('knows how many begin with a letter, and how many are alike (D65)', async () => {
    expect((await must({ search: 'i', first: 1 })).totalCount).toBe(5371);
    const { totalCount, edges } = await must({ search: 'itme', first: 3 });
    expect(totalCount).toBe(5371);
    expect(edges.map(({ node }) => node.installCount)).toEqual([96, 96, 96]);
    expect((await must({ search: 'gadget', category: 'OTHER', featured: true, first: 1 })).totalCount).toBe(
      0,
    );
  });
});

import { beforeAll, describe, expect, it } from '@jest/globals';
import { matchingApps } from '../../../src/modules/apps/app.queries.js';
import { idPageStatement } from '../../../src/operations/id-pages.js';
import type { AppJson, AppStatus, ConnectionJson } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { connectTo } from '../../support/database.js';
import { unknownId } from '../../support/matchers.js';
import { expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';
import { compiler } from '../../support/statements.js';

type Page = ConnectionJson<AppJson>;

const statuses = ['DRAFT', 'PENDING', 'APPROVED', 'REJECTED', 'SUSPENDED'] as const;

describe('adminApps over graphql', () => {
  const apps: Partial<Record<AppStatus, AppJson>> = {};
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());
  beforeAll(async () => {
    for (const status of statuses)
      apps[status] = await service.anApp(ada, status, {
        name: `${status} 100% Café_Notes`,
        category: status === 'DRAFT' ? 'FINANCE' : 'EDUCATION',
      });
    await service.administer('featureApp', { id: apps.APPROVED!.id, featured: true });
  });

  const list = async (input: Input = {}) => service.callAsAdmin<Page>('adminApps', input);
  /** The states of Ada's apps that match, in the order of the list. */
  const listed = async (input: Input = {}) => {
    const data = expectSuccess(await list({ developerId: ada.id, ...input }));
    const found = data.edges.map(({ node }) => node.status);
    expect(data.totalCount).toBe(found.length);
    return found;
  };

  it('lists the apps of every developer in every state, newest first, with all fields (D158)', async () => {
    expect(await listed()).toEqual(statuses.toReversed());
    const { data } = await list({ developerId: ada.id, status: 'DRAFT' });
    expect(data.edges[0]?.node).toEqual(
      await service.client.must('myApp', { id: apps.DRAFT!.id }, ada.token),
    );
    const [{ count } = { count: 0 }] = await service.sql<{ count: number }>(
      'select count(*)::int as count from apps',
    );
    expect((await list({ first: 1 })).data.totalCount).toBe(count);
  });

  it.each([
    [{ status: 'PENDING' }, ['PENDING']],
    [{ category: 'FINANCE' }, ['DRAFT']],
    [{ category: 'EDUCATION', status: 'DRAFT' }, []],
    [{ featured: true }, ['APPROVED']],
    [{ featured: false, category: 'EDUCATION' }, ['SUSPENDED', 'REJECTED', 'PENDING']],
    [{ search: 'jected 100% CAFÉ' }, ['REJECTED']],
    [{ search: '100%' }, [...statuses].toReversed()],
    [{ search: '100_' }, []],
    [{ search: '%' }, []],
    [{ search: 'ej' }, []],
    [{ search: 'RE' }, ['REJECTED']],
    [{ search: 'ca' }, [...statuses].toReversed()],
    [{ search: '1' }, [...statuses].toReversed()],
    [{ search: '\\' }, []],
    [{ search: '' }, [...statuses].toReversed()],
    [{ status: null, search: null, featured: null }, [...statuses].toReversed()],
  ])('filters by %j (D158)', async (filter, expected) => {
    expect(await listed(filter)).toEqual(expected);
  });

  it('finds an app by its slug (D158)', async () => {
    const { slug } = apps.PENDING!;
    expect(await listed({ search: slug.toUpperCase() })).toEqual(['PENDING']);
    expect(await listed({ search: slug.slice(0, -1) })).toEqual([]);
  });

  it('sorts by creation or by the last change (D158)', async () => {
    expect(await listed({ sort: 'OLDEST' })).toEqual(statuses);
    await service.client.must(
      'updateApp',
      { id: apps.DRAFT!.id, logoUrl: 'https://a.example/l.png' },
      ada.token,
    );
    expect((await listed({ sort: 'UPDATED' }))[0]).toBe('DRAFT');
  });

  it('is empty for an unknown developer', async () => {
    expect((await list({ developerId: unknownId })).data).toMatchObject({ edges: [], totalCount: 0 });
  });

  describe('the plans', () => {
    const planner = duringTests(
      () => connectTo(service.databaseUrl),
      (planner) => planner.end(),
    );
    beforeAll(async () => {
      // The tables of a test are so small that reading them whole is cheaper.
      await planner.query(
        'set enable_seqscan = off; set enable_sort = off; set enable_incremental_sort = off',
      );
    });

    const planOf = async (filter: Input, sort: string | null) => {
      const at = sort === 'UPDATED' ? 'updated_at' : 'created_at';
      const after = Buffer.from(`2026-01-01T00:00:00.000Z ${unknownId}`).toString('base64url');
      const page = idPageStatement(matchingApps(filter, at), sort === 'OLDEST' ? 'asc' : 'desc', { after });
      const { sql: text, parameters } = page.compile(compiler);
      const { rows } = await planner.query<{ 'QUERY PLAN': string }>(`explain ${text}`, [...parameters]);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };

    it.each([
      ['apps_created', {}, null],
      ['apps_created', { category: 'OTHER', featured: false }, 'OLDEST'],
      ['apps_updated', { category: 'OTHER' }, 'UPDATED'],
      ['apps_status', { status: 'PENDING' }, 'NEWEST'],
      ['apps_developer', { developerId: unknownId }, 'NEWEST'],
      ['apps_featured', { featured: true }, 'NEWEST'],
    ])('%s serves %j, sorted by %s, and an index counts the matches (D158)', async (index, filter, sort) => {
      const plan = await planOf(filter, sort);
      expect(plan).toMatch(new RegExp(`Scan (Backward )?using ${index} on apps`));
      expect(plan).not.toMatch(/Seq Scan|Sort/);
    });

    it.each(['notes', 'no', 'n'])('the index of names serves a search for %j (D158)', async (search) => {
      const plan = await planOf({ search }, 'NEWEST');
      expect(plan).toContain('apps_name_trigrams');
      expect(plan).not.toContain('Seq Scan');
    });
  });
});

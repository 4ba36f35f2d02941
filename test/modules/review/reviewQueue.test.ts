import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AppJson, type ConnectionJson, type Json, unique } from '../../support/actors.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { aTime } from '../../support/matchers.js';
import { expectSuccess } from '../../support/outcomes.js';
import { startServiceOnLine } from '../../support/service-on-line.js';

type Queue = ConnectionJson<{ app: AppJson; developer: Json; submittedAt: string; findings: Json[] }>;

describe('reviewQueue over graphql', () => {
  const service = duringTests(() => startServiceOnLine());
  const line = beforeTests(() => service.line);
  const ada = beforeTests(() => service.aDeveloper({ name: 'Ada', companyName: 'Engines' }));

  const queue = async (input: Record<string, unknown> = {}) =>
    service.callAsAdmin<Queue>('reviewQueue', input);
  const idsOf = ({ edges }: Queue) => edges.map(({ node }) => node.app.id);
  /** Begins a queue of its own: whatever waited before is decided. */
  const emptyTheQueue = async () => {
    await service.sql('delete from submissions where ended_at is null');
    await service.sql("update apps set status = 'DRAFT', submitted_at = null where status = 'PENDING'");
  };
  const fillTheQueue = async (count: number) => {
    await emptyTheQueue();
    const { id } = await service.anApp(ada, 'PENDING');
    const ids: string[] = [];
    for (let place = 0; place < count; place += 1) {
      const [row] = await service.sql<{ id: string }>(
        `insert into apps (id, developer_id, slug, name, description, category, environment, screenshots, status,
           featured, review_count, average_rating, revision, submitted_at, created_at, updated_at)
         select gen_random_uuid(), developer_id, $2, name, description, category, environment, screenshots, status,
           false, 0, 0, 1, $3, now(), now() from apps where id = $1 returning id`,
        [id, unique('waiting'), new Date(Date.UTC(2026, 0, 1, 0, place)).toISOString()],
      );
      ids.push(row!.id);
    }
    await service.sql(
      `insert into submissions (id, created_at, app_id, queued_at, due_at)
       select gen_random_uuid(), submitted_at, id, submitted_at, submitted_at + interval '48 hours' from apps
       where id = any($1)`,
      [ids],
    );
    await service.sql('delete from apps where id = $1', [id]);
    return ids;
  };

  it('is empty when nothing is pending', async () => {
    await emptyTheQueue();
    expect(expectSuccess(await queue())).toEqual({
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
      totalCount: 0,
    });
  });

  it('shows a submission whole: the app, its developer, when, and what the checks found (D22)', async () => {
    await emptyTheQueue();
    const app = await service.anApp(ada, 'PENDING');
    const developer = await service.client.must('me', {}, ada.token);
    const { data } = await queue();
    expect(data).toEqual({
      edges: [
        {
          cursor: expect.any(String),
          node: {
            app,
            developer,
            id: expect.any(String),
            version: null,
            submittedAt: app.submittedAt,
            dueAt: new Date(Date.parse(String(app.submittedAt)) + 48 * 3_600_000).toISOString(),
            overdue: false,
            claim: null,
            lastReviewedRevision: null,
            changes: [],
            findings: [
              {
                field: 'logoUrl',
                severity: 'WARNING',
                code: 'missing',
                message: expect.any(String),
                fix: expect.any(String),
                needsReason: false,
              },
            ],
          },
        },
      ],
      pageInfo: {
        hasNextPage: false,
        hasPreviousPage: false,
        startCursor: data.edges[0]?.cursor,
        endCursor: data.edges[0]?.cursor,
      },
      totalCount: 1,
    });
    expect(app.submittedAt).toEqual(aTime);
  });

  it('has no findings for a listing with a logo (D22)', async () => {
    await emptyTheQueue();
    await service.anApp(ada, 'PENDING', { logoUrl: 'https://pictures.example/logo.png' });
    expect((await queue()).data.edges[0]?.node.findings).toEqual([]);
  });

  it('contains only PENDING submissions (D18)', async () => {
    await emptyTheQueue();
    for (const status of ['DRAFT', 'APPROVED', 'REJECTED', 'SUSPENDED'] as const)
      await service.anApp(ada, status);
    const { id } = await service.anApp(ada, 'PENDING');
    expect(idsOf((await queue()).data)).toEqual([id]);
  });

  it('is sorted by oldest submission, not by creation; a withdrawn and resubmitted app keeps its place', async () => {
    await emptyTheQueue();
    const first = await service.anApp(ada);
    const second = await service.anApp(ada, 'PENDING');
    const third = await service.anApp(ada, 'PENDING');
    await service.client.must('submitApp', { id: first.id }, ada.token);
    expect(idsOf((await queue()).data)).toEqual([second.id, third.id, first.id]);
    await service.client.must('withdrawApp', { id: second.id }, ada.token);
    await service.client.must('submitApp', { id: second.id }, ada.token);
    expect(idsOf((await queue()).data)).toEqual([second.id, third.id, first.id]);
  });

  it('returns 20 by default, with the total', async () => {
    const ids = await fillTheQueue(23);
    const { data: one } = await queue();
    expect(idsOf(one)).toEqual(ids.slice(0, 20));
    expect(one).toMatchObject({
      totalCount: 23,
      pageInfo: { hasNextPage: true, hasPreviousPage: false },
    });
  });

  it('caps `first` at 100', async () => {
    const ids = await fillTheQueue(101);
    // With few fields: a hundred listings and their versions in full would be too large (D356).
    const query = '{ reviewQueue(first: 5000) { edges { node { app { id } } } pageInfo { hasNextPage } } }';
    const { reviewQueue } = await service.client.queryData<{ reviewQueue: Queue }>(
      query,
      {},
      await service.admin(),
    );
    expect(idsOf(reviewQueue)).toEqual(ids.slice(0, 100));
    expect(reviewQueue.pageInfo.hasNextPage).toBe(true);
  });

  describe('filtered', () => {
    const one: Record<string, string> = {};
    beforeAll(async () => {
      await emptyTheQueue();
      const listings = { late: { category: 'FINANCE' }, mine: { environment: 'staging' }, theirs: {} };
      for (const [name, listing] of Object.entries(listings))
        one[name] = (await service.anApp(ada, 'PENDING', listing)).id;
      const { app, version } = await service.aVersion(ada, 'PENDING', { category: 'FINANCE' });
      one.version = app.id;
      const other = (await service.anAdministrator()).token;
      await service.administer('claimReview', { id: one.mine });
      await service.client.must('claimReview', { id: one.theirs }, other);
      await service.administer('claimReview', { id: version.id });
      await service.sql('update submissions set claimed_until = now() where version_id = $1', [version.id]);
      await service.sql("update submissions set due_at = now() - interval '1 second' where app_id = $1", [
        one.late,
      ]);
    });

    it.each([
      [{}, ['late', 'mine', 'theirs', 'version']],
      [{ category: 'FINANCE' }, ['late', 'version']],
      [{ category: 'PRODUCTIVITY' }, ['mine', 'theirs']],
      [{ category: 'EDUCATION' }, []],
      [{ environment: 'staging' }, ['mine']],
      [{ overdue: true }, ['late']],
      [{ overdue: false, mine: false, unclaimed: false }, ['late', 'mine', 'theirs', 'version']],
      [{ mine: true }, ['mine']],
      [{ unclaimed: true }, ['late', 'version']],
      [{ versions: true }, ['version']],
      [{ versions: false }, ['late', 'mine', 'theirs']],
      [{ versions: null, category: null }, ['late', 'mine', 'theirs', 'version']],
      [{ unclaimed: true, versions: false }, ['late']],
      [{ mine: true, category: 'FINANCE' }, []],
    ])('by %j contains %j, and counts only these', async (filter, names) => {
      const outcome = expectSuccess(await queue(filter));
      expect(idsOf(outcome)).toEqual(names.map((name) => one[name]));
      expect(outcome.totalCount).toBe(names.length);
      const { data } = await queue({ ...filter, first: 1 });
      expect(data.pageInfo.hasNextPage).toBe(names.length > 1);
    });
  });

  it('loads the history of four apps of four developers in as many queries as that of one (D159)', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      const { app } = await service.aVersion(await service.aDeveloper(), 'PENDING');
      const { id } = await service.aRating(app);
      await service.administer('hideRating', { id, reason: 'Spam.' });
      ids.unshift(app.id);
    }
    const document = `query ($first: Int) { adminApps(first: $first) { edges { node {
      id developer { id apps(first: 2) { totalCount } }
      versions(first: 2) { totalCount edges { node { changes { field } } } }
      submissions(first: 2) { totalCount edges { node { reviewer findings { code } app { id } version { id } } } }
      ratings(first: 2) { totalCount edges { node { accountUserId moderation { app { id } } } } }
    } } } }`;
    const queriesFor = async (first: number) => {
      const statements = await line.listenIn(async () => {
        const { adminApps } = await service.client.queryData<{
          adminApps: ConnectionJson<{ id: string }>;
        }>(document, { first }, await service.admin());
        expect(adminApps.edges.map(({ node }) => node.id)).toEqual(ids.slice(0, first));
      });
      return statements.filter((statement) => !/pgboss/.test(statement)).length;
    };
    // Opens as many connections as it needs, which can take statements of its own.
    await queriesFor(4);
    expect(await queriesFor(4)).toBe(await queriesFor(1));
  });

  it('loads the developers and the findings of a page of 20 in as many queries as those of one', async () => {
    await fillTheQueue(20);
    for (const app of await service.sql<{ id: string }>("select id from apps where status = 'PENDING'")) {
      const developer = await service.anUnverifiedDeveloper();
      await service.sql('update apps set developer_id = $2 where id = $1', [app.id, developer.id]);
    }
    const statements = await line.listenIn(async () => {
      const { data } = await queue();
      expect(new Set(data.edges.map(({ node }) => node.developer.id)).size).toBe(20);
    });
    const queries = statements.filter((statement) => !/pgboss/.test(statement));
    // The caller, the number that wait, the page, the decisions before, its developers, names that are still to be
    // compared by their looks, the names of others, what was found at its addresses.
    expect(queries).toHaveLength(8);
  });
});

import { beforeAll, describe, expect, it } from '@jest/globals';
import { DEMO_ACCOUNTS } from '../../src/auth/demo-accounts.js';
import { seedDemo } from '../../src/demo-data/demo.js';
import { moveDemoPictures } from '../../src/demo-data/demo-pictures.js';
import type { Listing } from '../../src/modules/listings/listing.entity.js';
import { assetsOf, imageProblem, readImageHeader } from '../../src/modules/preflight/asset.rules.js';
import type { ConnectionJson, Json } from '../support/actors.js';
import { beforeTests } from '../support/before-tests.js';
import { headerOf, sendRequest } from '../support/send-request.js';
import { demoService } from './demo-service.js';

interface RatedApp {
  app: { reviewCount: number; ratingDistribution: { count: number }[] };
  ratings: { totalCount: number; edges: { node: { authorName: string | null; reply: string | null } }[] };
}

let admin: string;
const service = beforeTests(demoService);
beforeAll(async () => {
  admin = await service.token(DEMO_ACCOUNTS.administrator.accountUserId, { admin: true });
});

const ask = <T = Json>(query: string, bearer: string | null = admin) =>
  service.client.queryData<T>(query, {}, bearer);
const tokenOf = (accountUserId: string) => service.token(accountUserId);
/** Counts rows by the value of a column or an expression. */
const countBy = async (expression: string, from: string) =>
  Object.fromEntries(
    (
      await service.sql<{ key: string; count: number }>(
        `select ${expression} as key, count(*)::int as count from ${from} group by 1`,
      )
    ).map(({ key, count }) => [key, count]),
  );
const listings = () =>
  service.sql<Listing & { name: string }>(`
    select name, logo_url as "logoUrl", banner_url as "bannerUrl", website_url as "websiteUrl", screenshots from apps
    union all select name, logo_url, banner_url, website_url, screenshots from app_versions`);

describe('the demo data', () => {
  it('has about fifty apps in every state, category and environment (D201)', async () => {
    expect(await countBy('status', 'apps')).toEqual({
      APPROVED: expect.any(Number),
      DRAFT: 3,
      PENDING: 7,
      REJECTED: 2,
      SUSPENDED: 1,
    });
    const categories = await countBy('category', 'apps where listed');
    expect(Object.values(categories).filter((count) => count >= 2)).toHaveLength(10);
    const environments = await countBy('environment', 'apps where listed');
    expect(Object.keys(environments).sort()).toEqual(['localhost', 'production', 'staging']);
    expect((await listings()).length).toBeGreaterThan(50);
  });

  it('has developers in every state, several of whom wait with different profiles (D201)', async () => {
    expect(await countBy('status', 'developers')).toEqual({ VERIFIED: 7, UNVERIFIED: 5, SUSPENDED: 2 });
    const waiting = await countBy(
      `concat_ws(' ', company_name is not null, website_url is not null, bio is not null)`,
      `developers where status = 'UNVERIFIED'`,
    );
    expect(Object.keys(waiting).length).toBeGreaterThan(1);
  });

  it('has eight waiting submissions of six developers: one overdue, one version, one with a finding, one resubmitted (D201)', async () => {
    const { reviewQueue, overdue, versions } = await ask<Record<string, ConnectionJson>>(`{
      reviewQueue { edges { node {
        app { name rejection { reasons { code addressed } } } developer { name } findings { field code } version { id } } } }
      overdue: reviewQueue(filter: { overdue: true }) { edges { node { app { name } } } }
      versions: reviewQueue(filter: { versions: true }) { edges { node { app { name } } } }
    }`);
    const nodes = reviewQueue!.edges.map(({ node }) => node as Record<string, Json & { name: string }>);
    expect(nodes).toHaveLength(8);
    expect(new Set(nodes.map(({ developer }) => developer?.name)).size).toBe(6);
    const namesIn = (connection: typeof overdue) => connection!.edges.map(({ node }) => node.app);
    expect(namesIn(overdue)).toEqual([{ name: 'Vendor Register' }]);
    expect(namesIn(versions)).toEqual([{ name: 'Invoice Maker' }]);
    const found = nodes.filter(({ findings }) => (findings as unknown as unknown[]).length > 0);
    expect(found.map(({ app, findings }) => [app?.name, findings])).toEqual([
      ['Colour Labels', [{ field: 'logoUrl', code: 'wrong_size' }]],
    ]);
    const resubmitted = nodes.filter(({ app }) => app?.rejection);
    expect(resubmitted.map(({ app }) => app)).toEqual([
      {
        name: 'Feedback Form',
        rejection: {
          // The banner is as it was.
          reasons: [
            { code: 'INCOMPLETE', addressed: true },
            { code: 'POLICY', addressed: true },
            { code: 'IMAGE_QUALITY', addressed: false },
          ],
        },
      },
    ]);
  });

  it('has decisions of two administrators over the last weeks (D201)', async () => {
    const { reviewStats } = await ask<{ reviewStats: Json }>(
      '{ reviewStats(days: 30) { approved rejected medianWaitSeconds reviewers { reviewer } days { approved rejected } } }',
    );
    expect(reviewStats.approved).toBeGreaterThan(10);
    expect(reviewStats.rejected).toBeGreaterThan(3);
    expect(reviewStats.medianWaitSeconds).toBeGreaterThan(5 * 3600);
    expect(reviewStats.reviewers).toHaveLength(2);
    const days = reviewStats.days as { approved: number; rejected: number }[];
    expect(days.filter(({ approved, rejected }) => approved + rejected > 0).length).toBeGreaterThan(10);
  });

  it('dates everything in order: nothing is later than now, and no app is approved before it is submitted (D201)', async () => {
    const [late] = await service.sql<{ count: number }>(`
      select ((select count(*) from audit_events where created_at > now())
        + (select count(*) from apps where approved_at > now() or updated_at > now() or approved_at < created_at)
        + (select count(*) from submissions where ended_at > now() or ended_at < created_at or queued_at > now())
        + (select count(*) from installations where created_at > now())
        + (select count(*) from ratings r join apps a on a.id = r.app_id where r.created_at not between a.approved_at and now()))::int as count`);
    expect(late).toEqual({ count: 0 });
    const [span] = await service.sql<{ days: number }>(
      'select extract(day from max(created_at) - min(created_at))::int as days from audit_events',
    );
    expect(span?.days).toBeGreaterThan(100);
  });

  it('has events that are found by their ids, although they are dated back', async () => {
    const oldest = await service.sql<{ id: string }>(
      'select id from audit_events order by created_at limit 3',
    );
    const ids = JSON.stringify(oldest.map(({ id }) => id));
    expect(await ask(`{ nodes(ids: ${ids}) { id __typename } }`)).toEqual({
      nodes: oldest.map(({ id }) => ({ id, __typename: 'AuditEvent' })),
    });
  });

  it('has ninety days of installs that grow and are fewer at weekends (D201)', async () => {
    const [app] = await service.sql<{ id: string }>(`select id from apps where slug = 'time-tracker'`);
    const [figures] = await service.sql<Record<string, number>>(
      `select count(distinct day)::int as days,
         (avg(installs) filter (where extract(isodow from day) < 6))::float8 as workday,
         (avg(installs) filter (where extract(isodow from day) > 5))::float8 as weekend,
         (sum(installs) filter (where day > now() - interval '31 days' and day < now()::date))::int as late,
         (sum(installs) filter (where day < now() - interval '60 days'))::int as early
       from (select day, sum(installs) as installs from installs_daily where app_id = $1 group by day) as daily`,
      [app?.id],
    );
    expect(figures!.days).toBeGreaterThanOrEqual(89);
    expect(figures!.workday).toBeGreaterThan(figures!.weekend! * 2);
    expect(figures!.late).toBeGreaterThan(figures!.early! * 1.3);
    const [differing] = await service.sql<{ count: number }>(`
      select count(*)::int as count from app_figures f where install_count <> (
        select coalesce(sum(installs), 0) from installs_daily d where d.app_id = f.id)`);
    expect(differing).toEqual({ count: 0 });
  });

  it('has ratings with names, replies and a distribution, three that are hidden and three that are reported (D201)', async () => {
    const { app, ratings, hiddenRatings, reportedRatings } = await ask<
      RatedApp & { hiddenRatings: Json; reportedRatings: Json }
    >(`{
      app(slug: "time-tracker") { reviewCount averageRating ratingDistribution { count } }
      ratings: appRatings(slug: "time-tracker", first: 100) { totalCount edges { node { authorName reply } } }
      hiddenRatings { totalCount }
      reportedRatings { totalCount }
    }`);
    const { reviewCount, ratingDistribution } = app;
    expect(ratings.totalCount).toBe(reviewCount);
    expect(ratingDistribution.reduce((sum, { count }) => sum + count, 0)).toBe(reviewCount);
    expect(ratingDistribution.every(({ count }) => count > 0)).toBe(true);
    expect(ratings.edges.filter(({ node }) => node.authorName).length).toBeGreaterThan(3);
    expect(ratings.edges.filter(({ node }) => node.reply)).toHaveLength(1);
    expect(hiddenRatings).toEqual({ totalCount: 3 });
    expect(reportedRatings).toEqual({ totalCount: 3 });
  });

  it('has keys of the demo developer: one in use, one that expires soon, one revoked (D201)', async () => {
    const { myApiKeys } = await ask<{ myApiKeys: { status: string; expiresAt: string }[] }>(
      '{ myApiKeys { status expiresAt } }',
      await tokenOf('demo-developer'),
    );
    expect(myApiKeys.map(({ status }) => status).sort()).toEqual(['ACTIVE', 'ACTIVE', 'REVOKED']);
    const daysLeft = myApiKeys.map(({ expiresAt }) => (Date.parse(expiresAt) - Date.now()) / 86_400_000);
    expect(daysLeft.filter((days) => days > 0 && days < 3)).toHaveLength(1);
  });

  it('has messages of both sides, a right-to-left listing and a name of more than 80 characters (D201)', async () => {
    expect(await countBy('author', 'review_messages')).toEqual({ DEVELOPER: 6, REVIEWER: 2 });
    const names = (await listings()).map(({ name }) => name);
    expect(names.filter((name) => /^\p{Script=Arabic}/u.test(name))).toHaveLength(1);
    expect(names.filter((name) => name.length > 80)).toHaveLength(1);
  });

  it('has every demo account, except the newcomer, in the role that its label says (D201)', async () => {
    const statusOf = async (accountUserId: string) => {
      const { code, data } = await service.call<Json>('me', {}, await tokenOf(accountUserId));
      return code ?? data.status;
    };
    const { developer, waiting, newcomer, administrator, secondAdministrator } = DEMO_ACCOUNTS;
    expect(await statusOf(developer.accountUserId)).toBe('VERIFIED');
    expect(await statusOf(waiting.accountUserId)).toBe('UNVERIFIED');
    expect(await statusOf(newcomer.accountUserId)).toBe('DEVELOPER_NOT_REGISTERED');
    expect([administrator.admin, secondAdministrator.admin]).toEqual([true, true]);
    expect(Object.values(DEMO_ACCOUNTS).every(({ label }) => label.length > 0)).toBe(true);
  });

  it('is not added to a marketplace that has developers', async () => {
    const before = await countBy('status', 'apps');
    await seedDemo({ databaseUrl: service.databaseUrl, publicUrl: service.url });
    expect(await countBy('status', 'apps')).toEqual(before);
  });
});

describe('the pictures of the demo data', () => {
  it('are all served, with the right type and size, except one on purpose (D200)', async () => {
    const assets = (await listings()).flatMap((listing) =>
      assetsOf(listing).map((asset) => ({ ...asset, app: listing.name })),
    );
    expect(assets.length).toBeGreaterThan(200);
    const problems = await Promise.all(
      assets.map(async ({ app, field, url, kind }) => {
        const response = await fetch(url);
        if (kind === 'link') return response.status === 200 ? [] : [`${app} ${field}: ${response.status}`];
        const header = readImageHeader(Buffer.from(await response.arrayBuffer()));
        const type = response.headers.get('content-type') ?? '';
        const problem = response.ok ? imageProblem(kind, header, type) : { message: `${response.status}` };
        return problem ? [`${app} ${field}: ${problem.message}`] : [];
      }),
    );
    expect(problems.flat()).toEqual(['Colour Labels logoUrl: The image is 400×400 pixels.']);
  });

  it('can be cached, and loaded by pages of other origins, but not under a foreign host name (D200)', async () => {
    const path = '/dev/pictures/time-tracker/logo.png';
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' };
    const response = await sendRequest(service.url, { method: 'GET', path, headers });
    expect(response.status).toBe(200);
    expect(headerOf(response, 'cross-origin-resource-policy')).toBe('cross-origin');
    expect(headerOf(response, 'cache-control')).toBe('public, max-age=3600');
    const foreign = await sendRequest(service.url, {
      method: 'GET',
      path,
      headers: { host: 'evil.example' },
    });
    expect(foreign.status).toBe(403);
    for (const missing of [
      '/dev/pictures/time-tracker/none.png',
      '/dev/pictures/../demo.ts',
      '/dev/pictures/',
    ])
      expect((await sendRequest(service.url, { method: 'GET', path: missing })).status).toBe(404);
  });

  it('are really checked by a preflight, which finds the one of the wrong size (D200)', async () => {
    const preflight = async (slug: string, account: string) => {
      const [app] = await service.sql<{ id: string }>('select id from apps where slug = $1', [slug]);
      return service.must<Json>('preflight', { id: app?.id }, await tokenOf(account));
    };
    expect(await preflight('colour-labels', 'demo-yuki')).toMatchObject({
      ready: false,
      findings: [{ field: 'logoUrl', code: 'wrong_size' }],
    });
    expect(await preflight('habit-garden', 'demo-developer')).toMatchObject({
      ready: false,
      findings: [{ field: 'screenshots', code: 'too_few' }],
    });
    expect(await preflight('standup-bot', 'demo-developer')).toMatchObject({ ready: true, findings: [] });
  });

  it('do not prevent the demo developer from submitting a rejected app again (D200)', async () => {
    const [app] = await service.sql<{ id: string }>(`select id from apps where slug = 'standup-bot'`);
    const outcome = await service.call<Json>('submitApp', { id: app?.id }, await tokenOf('demo-developer'));
    expect([outcome.code, outcome.data?.status]).toEqual([null, 'PENDING']);
  });

  it('have checked pictures where an app is public, so that copies of them are found (D200, D422)', async () => {
    const unchecked = await service.sql(
      `select slug from apps a where listed and not exists (
         select from asset_checks k where k.app_id = a.id and k.field = 'logoUrl' and k.url = a.logo_url and k.sha256 is not null)`,
    );
    expect(unchecked).toEqual([]);
    expect(
      await service.sql(
        'select app_id, problem from asset_checks join apps a on a.id = app_id where listed and not ok',
      ),
    ).toEqual([]);
  });

  it('move with the address of the gateway, in the listings of the demo developers only (D200)', async () => {
    const ada = await service.aDeveloper();
    const own = { logoUrl: 'https://elsewhere.example/dev/pictures/time-tracker/logo.png' };
    const fields = { name: 'Mine', description: 'Counts.', category: 'OTHER', environment: 'production' };
    const { id } = await service.must<{ id: string }>('createApp', { ...fields, ...own }, ada.token);
    const stored = () =>
      service.sql<{ text: string }>(`
        select concat_ws(' ', logo_url, banner_url, website_url, screenshots) as text from apps where id <> '${id}'
        union all select concat_ws(' ', logo_url, banner_url, website_url, screenshots, base) from app_versions
        union all select listing::text from submissions where listing is not null
        union all select url from asset_checks order by 1`);
    const hostsOf = async () =>
      new Set(
        (await stored()).flatMap(({ text }) =>
          [...text.matchAll(/https?:\/\/[^/"]+/g)].map(([host]) => host),
        ),
      );
    const before = await stored();
    await moveDemoPictures(service.databaseUrl, 'https://dev.example/market');
    expect([...(await hostsOf())]).toEqual(expect.arrayContaining(['https://dev.example']));
    expect((await stored()).filter(({ text }) => text.includes(`${service.url}/dev/`))).toEqual([]);
    expect(await service.sql('select logo_url as "logoUrl" from apps where id = $1', [id])).toEqual([own]);
    await moveDemoPictures(service.databaseUrl, service.url);
    expect(await stored()).toEqual(before);
  });
});

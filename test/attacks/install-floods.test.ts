import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/config.js';
import { BoundedMemory } from '../../src/limits/limiter.js';
import { PointCounts } from '../../src/limits/point-counts.js';
import { newAddress, sendFrom } from '../limits/limited.js';
import type { AppJson } from '../support/actors.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { graphqlRequest } from '../support/send-request.js';
import { secondGateway, startService } from '../support/service.js';

const settings = { TRUST_PROXY: '1', RATE_LIMITS: 'app-install=40' };
const service = duringTests(() => startService(settings));
const ada = beforeTests(() => service.aDeveloper());

const installsOf = async ({ slug }: AppJson) => {
  const [row] = await service.sql<{ count: number }>(
    'select install_count as count from app_figures join apps using (id) where slug = $1',
    [slug],
  );
  return row?.count;
};

/** Ways to install an app over HTTP: before Express, through Express, by GraphQL, and with an Idempotency-Key. */
const ways: [
  string,
  (slug: string, index: number) => { path: string; body: unknown; headers?: Record<string, string> },
][] = [
  ['REST', (slug) => ({ path: `/api/apps/${slug}/install`, body: {} })],
  ['REST through Express', (slug) => ({ path: `/api/apps/${slug}/install?x=1`, body: {} })],
  [
    'GraphQL',
    (slug) => ({
      path: '/graphql',
      body: { query: `mutation { recordInstall(slug: "${slug}") { installCount } }` },
    }),
  ],
  [
    'REST with Idempotency-Keys',
    (slug, index) => ({
      path: `/api/apps/${slug}/install`,
      body: {},
      headers: { 'idempotency-key': `flood-${index}` },
    }),
  ],
];

/** Sends requests in groups, and returns the statuses, or the codes of GraphQL errors. */
async function flood(
  count: number,
  send: (index: number) => Promise<Response>,
): Promise<Map<string, number>> {
  const outcomes = new Map<string, number>();
  for (let from = 0; from < count; from += 100) {
    const group = Array.from({ length: Math.min(100, count - from) }, async (_, at) => {
      const response = await send(from + at);
      const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
      const outcome = errors?.[0]?.extensions.code ?? String(response.status);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    });
    await Promise.all(group);
  }
  return outcomes;
}

describe('1,500 installs of an app by one address', () => {
  it('count 1,000 times in an hour (D352)', async () => {
    await using usual = await startService({ ...settings, RATE_LIMITS: 'on' });
    const { slug } = await usual.anApp(await usual.aDeveloper(), 'APPROVED');
    const address = newAddress();
    const outcomes = await flood(1_500, () =>
      sendFrom(usual, address, 'POST', `/api/apps/${slug}/install`, { body: {} }),
    );
    expect(outcomes).toEqual(
      new Map([
        ['201', 1_000],
        ['429', 500],
      ]),
    );
  });
});

describe('installs of an app by one address above the limit', () => {
  it.each(ways)('do not count by %s (D352)', async (_, request) => {
    const app = await service.anApp(ada, 'APPROVED');
    const address = newAddress();
    const send = (index: number) => {
      const { path, body, headers } = request(app.slug, index);
      return service.client.request('POST', path, {
        body,
        headers: { 'x-forwarded-for': address, ...headers },
      });
    };
    const outcomes = await flood(60, send);
    const rejected = (outcomes.get('429') ?? 0) + (outcomes.get('RATE_LIMITED') ?? 0);
    expect({ rejected, counted: await installsOf(app) }).toEqual({ rejected: 20, counted: 40 });
  });

  it('are rejected with the limit, its window and Retry-After, by every way (D352)', async () => {
    const app = await service.anApp(ada, 'APPROVED');
    const address = newAddress();
    const install = () => sendFrom(service, address, 'POST', `/api/apps/${app.slug}/install`, { body: {} });
    await flood(40, install);
    const rejected = await install();
    expect(rejected.status).toBe(429);
    const seconds = Number(rejected.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(3_000);
    expect(rejected.headers.get('ratelimit')).toContain(`"app-install";r=0;t=${seconds}`);
    expect(rejected.headers.get('ratelimit-policy')).toContain('"app-install";q=40;w=3600');
    expect(await rejected.json()).toMatchObject({
      error: {
        code: 'RATE_LIMITED',
        message: `The limit "app-install" of 40 per hour for this app and address is used up. Try again in ${seconds} seconds.`,
      },
    });
    const { body } = graphqlRequest(`mutation { recordInstall(slug: "${app.slug}") { installCount } }`);
    const byGraphQL = await sendFrom(service, address, 'POST', '/graphql', {
      body: JSON.parse(String(body)),
    });
    expect(await byGraphQL.json()).toMatchObject({ errors: [{ extensions: { code: 'RATE_LIMITED' } }] });
    // Another app, and another address, are counted separately.
    const other = await service.anApp(ada, 'APPROVED');
    expect(
      (await sendFrom(service, address, 'POST', `/api/apps/${other.slug}/install`, { body: {} })).status,
    ).toBe(201);
    expect(
      (await sendFrom(service, newAddress(), 'POST', `/api/apps/${app.slug}/install`, { body: {} })).status,
    ).toBe(201);
  });

  it('cannot be spread over the addresses of one IPv6 network (D352)', async () => {
    const app = await service.anApp(ada, 'APPROVED');
    const outcomes = await flood(60, (index) =>
      sendFrom(service, `2001:db8:1:2::${index.toString(16)}`, 'POST', `/api/apps/${app.slug}/install`, {
        body: {},
      }),
    );
    expect(outcomes.get('429')).toBe(20);
  });

  it('cannot be spread over two gateways that count together (D352)', async () => {
    const shared = { ...settings, RATE_LIMITS_STORE: 'postgres' };
    await using one = await startService(shared);
    await using two = await secondGateway(one, shared);
    const { slug } = await one.anApp(await one.aDeveloper(), 'APPROVED');
    const headers = { 'x-forwarded-for': newAddress() };
    const outcomes = await flood(60, (index) =>
      (index % 2 ? one : two).client.request('POST', `/api/apps/${slug}/install`, { body: {}, headers }),
    );
    expect(outcomes).toEqual(
      new Map([
        ['201', 40],
        ['429', 20],
      ]),
    );
  });
});

describe('the count of an app and an address', () => {
  const pair = '198.51.100.7 an-app';
  const quotas = loadConfig({ RATE_LIMITS: 'app-install=1000' }).rateLimits!;
  /** Ways to count in memory, for at most 800 pairs; each returns whether an install is admitted. */
  const counters: [string, () => (subject: string) => Promise<boolean>][] = [
    [
      'one process',
      () => {
        const memory = new BoundedMemory({ points: 1_000, duration: 3_600 }, 800);
        return (subject) =>
          memory.consume(subject).then(
            () => true,
            () => false,
          );
      },
    ],
    [
      'several processes',
      () => {
        const counts = new PointCounts(quotas, 800);
        return async (subject) => counts.take('app-install', subject, 1).granted > 0;
      },
    ],
  ];

  it.each(counters)(
    'does not start again because of installs of other apps, in %s (D352)',
    async (_, open) => {
      for (const spent of [1_000, 990, 500, 100]) {
        const admits = open();
        for (let time = 0; time < spent; time += 1) await admits(pair);
        for (let other = 0; other < 20_000; other += 1) await admits(`198.51.100.7 other-${other}`);
        let left = 0;
        while (left <= 1_000 && (await admits(pair))) left += 1;
        expect(left).toBeLessThanOrEqual(1_000 - spent);
      }
    },
  );
});

describe('a day with ten times the usual installs', () => {
  const codesFor = async (app: AppJson, bearer: string, field: string) => {
    const document = `query ($id: ID!) { ${field}(id: $id) { findings { field code severity message } } }`;
    const data = await service.client.queryData<Record<string, { findings: { code: string }[] }>>(
      document,
      { id: app.id },
      bearer,
    );
    const { findings } = data[field]!;
    return findings.filter(({ code }) => code === 'unusual_installs');
  };
  const recordDays = (app: AppJson, days: Record<number, number>) =>
    Promise.all(
      Object.entries(days).map(([ago, installs]) =>
        service.sql(
          `insert into installs_daily (app_id, day, environment, version, installs, unique_installations)
           values ($1, (now() at time zone 'utc')::date - $2::int, 'PRODUCTION', '', $3, 0)`,
          [app.id, ago, installs],
        ),
      ),
    );
  const everyDay = (installs: number) =>
    Object.fromEntries(Array.from({ length: 35 }, (_, ago) => [ago, installs]));

  it('is a finding for administrators, not for the owner or the public (D353)', async () => {
    const app = await service.anApp(ada, 'APPROVED');
    await recordDays(app, { ...everyDay(20), 2: 350 });
    expect(await codesFor(app, await service.admin(), 'adminApp')).toEqual([
      {
        field: 'installCount',
        code: 'unusual_installs',
        severity: 'WARNING',
        message: expect.stringMatching(
          /^The app was installed 350 times on \d{4}-\d\d-\d\d \(UTC\), and usually 20 times a day\.$/,
        ),
      },
    ]);
    expect(await codesFor(app, ada.token, 'myApp')).toEqual([]);
  });

  it.each([
    ['a flood of a new app', 1, { 0: 1_000 }],
    ['a flood that lasts for days, each of them', 1, { ...everyDay(50), 0: 900, 1: 900, 2: 900 }],
    ['a flood that ended six days ago', 1, { ...everyDay(50), 6: 900 }],
    ['a flood that ended a week ago', 0, { ...everyDay(50), 7: 900 }],
    ['a jump from 1 to 10', 0, { ...everyDay(1), 0: 10 }],
    ['a jump from 1 to 99', 0, { ...everyDay(1), 0: 99 }],
    ['nine times as many', 0, { ...everyDay(50), 0: 450 }],
    ['a popular app', 0, everyDay(5_000)],
  ])('%s: %d findings (D353)', async (_, expected, days) => {
    const app = await service.anApp(ada, 'APPROVED');
    await recordDays(app, days);
    expect(await codesFor(app, await service.admin(), 'adminApp')).toHaveLength(expected);
  });
});

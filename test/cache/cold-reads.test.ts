import { beforeAll, describe, expect, it } from '@jest/globals';
import { duringTests } from '../support/before-tests.js';
import { until } from '../support/mail-server.js';
import type { RawRequest } from '../support/send-request.js';
import { CachedService } from './cached-service.js';

const cached = duringTests(() => CachedService.start());
beforeAll(async () => {
  await cached.untilListening();
});

/** Statements of the service itself: the heartbeat, jobs, the limits, and the words that most apps have. */
const background =
  /^\s*(select 1\b|listen|unlisten|begin|commit)|pgboss|rate_limits|pg_current_wal|pg_notify|pg_stats/i;

const ask = (query: string, variables: object = {}): RawRequest => ({
  method: 'POST',
  path: '/graphql',
  headers: { 'content-type': 'application/json' },
  body: [JSON.stringify({ query, variables })],
});
const page = 'apps { id name developer { name } } pagination { total }';

const expectStatements = (count: number) => async (_: string, request: () => RawRequest) => {
  cached.catalog.raise();
  const statements = await cached.line.listenIn(async () => {
    const { status } = await cached.send(request());
    expect([200, 404]).toContain(status);
  });
  expect(statements.filter((statement) => !background.test(statement))).toHaveLength(count);
};

describe('a public read that is not cached', () => {
  it.each<[string, () => RawRequest]>([
    ['a list', () => ({ path: '/api/apps?limit=3' })],
    ['a filtered list', () => ({ path: '/api/apps?category=OTHER&environment=production&sort=newest' })],
    ['a second page', () => ({ path: '/api/apps?limit=1&page=2' })],
    ['a list by name', () => ({ path: '/api/apps?sort=name' })],
    ['a list by rating', () => ({ path: '/api/apps?sort=rating' })],
    ['an app', () => ({ path: `/api/apps/${cached.app.slug}` })],
    ['an app that does not exist', () => ({ path: '/api/apps/there-is-none' })],
    ['the featured apps', () => ({ path: '/api/apps/featured/list' })],
    ['the categories', () => ({ path: '/api/apps/categories/list' })],
    ['a list over GraphQL', () => ask(`{ browseApps(limit: 4) { ${page} } }`)],
    [
      'a connection',
      () => ask('{ apps(first: 3) { edges { cursor node { slug developer { id name } } } } }'),
    ],
    ['an app over GraphQL', () => ask(`{ app(slug: "${cached.app.slug}") { id developer { id name } } }`)],
  ])('needs one statement: %s', expectStatements(1));

  // The second one looks for similar names.
  it.each<[string, () => RawRequest]>([
    ['by relevance', () => ({ path: '/api/apps?search=app' })],
    ['by popularity', () => ({ path: '/api/apps?search=app&sort=popular' })],
    ['without results', () => ({ path: '/api/apps?search=qqqqwwww' })],
    ['over GraphQL', () => ask(`{ browseApps(filter: { search: "app" }) { ${page} } }`)],
    ['for suggestions', () => ask('{ suggest(prefix: "ap") { slug name } }')],
  ])('needs two statements if few apps are found: a search %s', expectStatements(2));

  it('shares a statement with other requests for an app at the same time', async () => {
    const { slug, id } = cached.app;
    cached.catalog.raise();
    const responses: unknown[] = [];
    const statements = await cached.line.listenIn(async () => {
      const query = `{ a: app(slug: "${slug}") { id } b: app(slug: "there-is-none") { id } c: app(slug: "${slug}") { name id } }`;
      responses.push(JSON.parse((await cached.send(ask(query))).body));
    });
    expect(responses).toMatchObject([{ data: { a: { id }, b: null, c: { id } } }]);
    expect(statements.filter((statement) => !background.test(statement))).toHaveLength(1);
  });
});

it('sends lists of the same moment as one statement', async () => {
  const query = '{ a: browseApps(limit: 1) { apps { id } } b: browseApps(limit: 2) { apps { id } } }';
  cached.catalog.raise();
  const statements = await cached.line.listenIn(async () => {
    expect(JSON.parse((await cached.send(ask(query))).body)).not.toHaveProperty('errors');
  });
  expect(statements.filter((statement) => !background.test(statement))).toHaveLength(1);
});

it('repeats a shared statement whose connection was lost, so that no request fails', async () => {
  const { otherClient, app, service } = cached;
  const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and application_name like '% reads'`;
  await otherClient.query('begin; lock table apps in access exclusive mode');
  try {
    const responses = Promise.all(
      ['a', 'b', 'c'].map((form) => cached.send({ path: `/api/apps/${app.slug}?form=${form}` })),
    );
    let waits: { pid: number }[] = [];
    await until(async () => {
      waits = await service.sql<{ pid: number }>(waiting);
      return waits.length > 0;
    }, 'no statement waits');
    for (const { pid } of waits) await service.sql(`select pg_terminate_backend(${pid})`);
    await until(async () => {
      const rows = await service.sql<{ pid: number }>(waiting);
      return rows.length > 0 && rows.every(({ pid }) => !waits.some((ended) => ended.pid === pid));
    }, 'the statement is not sent again');
    await otherClient.query('rollback');
    expect((await responses).map(({ status }) => status)).toEqual([200, 200, 200]);
  } finally {
    await otherClient.query('rollback');
  }
});

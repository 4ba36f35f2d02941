import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Listing } from '../../src/modules/apps/listing.entity.js';
import { AssetChecker } from '../../src/modules/preflight/asset-checker.service.js';
import { GuardedFetcher } from '../../src/net/guarded-fetch.js';
import { withScreenshots } from '../modules/preflight/checker-stage.js';
import { listingWith, type PictureStage, startPictureStage } from '../modules/preflight/picture-stage.js';
import { secondGateway } from '../races/race.js';
import type { AppJson } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/outcomes.js';
import { type PictureServer, png, startPictureServer } from '../support/pictures.js';

const paths = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `/png/1280x720?${from + index}`);

describe('one document with many preflights', () => {
  let stage: PictureStage;
  let app: AppJson;
  beforeAll(async () => {
    stage = await startPictureStage({ ASSET_CHECKS: 'warn' });
    app = await stage.service.anApp(stage.ada, 'DRAFT', listingWith(stage, ...paths(0, 6)));
  });
  afterAll(() => stage.close());

  const send = (document: string, variables = {}) =>
    stage.service.client.graphql(document, { id: app.id, ...variables }, stage.ada.token);
  const aliased = (count: number) =>
    Array.from({ length: count }, (_, at) => `p${at}: preflight(id: $id) { ready }`).join(' ');

  it.each([
    ['aliases', `query ($id: ID!) { ${aliased(8)} }`],
    [
      'a field and an alias',
      'query ($id: ID!) { preflight(id: $id) { ready } again: preflight(id: $id) { ready } }',
    ],
    [
      'a fragment',
      `query ($id: ID!) { ...F preflight(id: $id) { ready } } fragment F on Query { other: preflight(id: $id) { ready } }`,
    ],
    ['an inline fragment', `query ($id: ID!) { ... on Query { ${aliased(2)} } }`],
    [
      'conditions',
      'query ($id: ID!) { a: preflight(id: $id) @include(if: true) { ready } b: preflight(id: $id) @skip(if: false) { ready } }',
    ],
  ])('is QUERY_TOO_COMPLEX, by %s, and nothing is fetched (D321)', async (_, document) => {
    const before = stage.pictures.asked.length;
    // Twice: the second time without Apollo.
    for (let time = 0; time < 3; time += 1) {
      const { errors } = await send(document);
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'QUERY_TOO_COMPLEX' });
    }
    expect(stage.pictures.asked).toHaveLength(before);
  });

  it('runs if they are the same field (D321)', async () => {
    const { errors } = await send(
      'query ($id: ID!) { preflight(id: $id) { ready } ...F } fragment F on Query { preflight(id: $id) { findings { code } } }',
    );
    expect(errors).toBeUndefined();
  });

  it('fetches each file once in some minutes, for all requests and developers (D355)', async () => {
    await send('query ($id: ID!) { preflight(id: $id) { ready } }');
    const before = stage.pictures.asked.length;
    for (let time = 0; time < 10; time += 1)
      expectSuccess(await stage.service.client.call('graphql', 'preflight', { id: app.id }, stage.ada.token));
    const eve = await stage.service.aDeveloper();
    const copy = await stage.service.anApp(eve, 'DRAFT', listingWith(stage, ...paths(0, 6)));
    expectSuccess(await stage.service.client.call('graphql', 'preflight', { id: copy.id }, eve.token));
    expect(stage.pictures.asked).toHaveLength(before);
  });
});

describe('a developer who checks again and again', () => {
  it.each(['warn', 'enforce'])(
    'has a daily quota, at two gateways together, with ASSET_CHECKS=%s (D355)',
    async (mode) => {
      const settings = { ASSET_CHECKS: mode, QUOTA_PREFLIGHTS: '6', RATE_LIMITS: 'off' };
      const stage = await startPictureStage(settings);
      const { service, ada } = stage;
      const other = await secondGateway(service, settings);
      const app = await service.anApp(ada, 'DRAFT', listingWith(stage, ...paths(0, 2)));
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          (at % 2 ? service : other).client.call('graphql', 'preflight', { id: app.id }, ada.key),
        ),
      );
      const codes = outcomes.map(({ code }) => code).sort();
      expect(codes).toEqual([...Array(4).fill('QUOTA_EXCEEDED'), ...Array(6).fill(null)]);
      expect(outcomes.find(({ code }) => code)?.message).toContain('at most 6 times within 24 hours');
      // A submission fetches the same pictures.
      const submit = () => service.client.call('rest', 'submitApp', { id: app.id }, ada.key);
      expectError(await submit(), 'QUOTA_EXCEEDED');
      const query = 'query ($id: ID!) { myApp(id: $id) { allowedActions { action } } }';
      expect((await service.client.graphql(query, { id: app.id }, ada.token)).errors).toBeUndefined();
      // Another developer has a quota of their own, and the next day begins at zero.
      const eve = await service.aDeveloper();
      const hers = await service.anApp(eve, 'DRAFT', listingWith(stage, ...paths(0, 2)));
      expectSuccess(await service.client.call('graphql', 'preflight', { id: hers.id }, eve.token));
      await service.sql("update rate_limits set expire = 1 where key like 'quota:checks:%'");
      expectSuccess(await submit());
      await other.close();
      await stage.close();
    },
  );
});

describe('fetches of pictures', () => {
  let server: PictureServer;
  let fetcher: GuardedFetcher;
  let running = 0;
  let most = 0;
  beforeAll(async () => {
    server = await startPictureServer();
    fetcher = new GuardedFetcher({
      allowedHosts: [server.host],
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    });
  });
  afterAll(async () => {
    await fetcher.close();
    await server.close();
  });

  /** Serves a picture after a moment, and counts how many are being served. */
  const slow = (path: string) =>
    server.serve(path, async (_, response) => {
      running += 1;
      most = Math.max(most, running);
      await delay(60);
      running -= 1;
      response.writeHead(200, { 'content-type': 'image/png' }).end(png(1280, 720));
    });

  it('run two at once for a host, however many developers ask (D355)', async () => {
    const checker = new AssetChecker(fetcher);
    most = 0;
    const listings = Array.from({ length: 5 }, (_, at) =>
      withScreenshots(...[1, 2, 3, 4].map((each) => slow(`/slow?host-${at}-${each}`))),
    );
    const results = await Promise.all(listings.map((each, at) => checker.check(each, `developer ${at}`)));
    expect(results.flat().map(({ problem }) => problem)).toEqual(Array(20).fill(null));
    expect(most).toBe(2);
  });

  it('run two at once for a host that other hosts redirect to (D355)', async () => {
    const checker = new AssetChecker(fetcher);
    most = 0;
    const urls = Array.from({ length: 6 }, (_, at) => {
      const location = slow(`/slow?redirected-${at}`);
      return server.serve(`/to-slow?${at}`, (_request, response) =>
        response.writeHead(302, { location }).end(),
      );
    });
    await checker.check(withScreenshots(...urls), 'developer');
    expect(most).toBeLessThanOrEqual(2);
  });

  it('run eight at once for a developer, over all hosts (D355)', async () => {
    const started: string[] = [];
    let ends: (() => void)[] = [];
    const checker = new AssetChecker({
      fetch: (url) =>
        new Promise((resolve) => {
          started.push(url);
          ends.push(() => resolve({ url, status: 200, headers: {}, body: png(1280, 720), bytes: 1 }));
        }),
    });
    const urls = (from: number) => Array.from({ length: 6 }, (_, at) => `https://host-${from + at}.example/`);
    const checks = [
      checker.check(withScreenshots(...urls(0)), 'ada'),
      checker.check(withScreenshots(...urls(6)), 'ada'),
    ];
    const others = checker.check(withScreenshots(...urls(20)), 'eve');
    await delay(50);
    expect(started.filter((url) => !url.includes('-2'))).toHaveLength(8 - 1);
    expect(started).toHaveLength(14);
    while (ends.length > 0) {
      const now = ends;
      ends = [];
      for (const end of now) end();
      await delay(10);
    }
    await Promise.all([...checks, others]);
    expect(started).toHaveLength(18);
  });

  const codesOf = async (checker: AssetChecker, listing: Listing) =>
    (await checker.check(listing, 'ada')).map(({ problem }) => problem?.code ?? null);

  it('that wait too long say to try again, and are tried again (D355)', async () => {
    const hanging: (() => void)[] = [];
    const hang = (path: string) =>
      server.serve(path, (_, response) => void hanging.push(() => response.destroy()));
    const checker = new AssetChecker(fetcher, 400);
    const blockers = checker.check(withScreenshots(hang('/hang?1'), hang('/hang?2')), 'eve');
    const waiting = withScreenshots(server.url('/png/1280x720?waits'));
    const [result] = await checker.check(waiting, 'ada');
    expect(result?.problem).toEqual({
      code: 'busy',
      message: 'It was not fetched, because too many other addresses were being fetched.',
      fix: 'Try again in a minute.',
    });
    await blockers;
    for (const end of hanging) end();
    expect(await codesOf(checker, waiting)).toEqual([null]);
  });

  it('that failed are repeated for a submission, whose result is stored (D355)', async () => {
    const checker = new AssetChecker(fetcher);
    const listing = withScreenshots(server.url('/repaired'));
    expect(await codesOf(checker, listing)).toEqual(['http_error']);
    server.serve('/repaired', (_, response) => response.end(png(1280, 720)));
    expect(await codesOf(checker, listing)).toEqual(['http_error']);
    const [result] = await checker.check(listing, 'ada', { repeatsProblems: true });
    expect(result?.problem).toBeNull();
    expect(await codesOf(checker, listing)).toEqual([null]);
  });

  it('that failed are not repeated within a minute (D355)', async () => {
    const checker = new AssetChecker(fetcher);
    const listing = withScreenshots(server.url('/missing?once'));
    const asked = () => server.asked.filter((path) => path.includes('missing?once')).length;
    for (let time = 0; time < 3; time += 1) expect(await codesOf(checker, listing)).toEqual(['http_error']);
    expect(asked()).toBe(1);
  });
});

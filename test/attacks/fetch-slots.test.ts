import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Listing } from '../../src/modules/listings/listing.entity.js';
import { AssetChecker } from '../../src/modules/preflight/asset-checker.service.js';
import { GuardedFetcher } from '../../src/net/guarded-fetch.js';
import { withScreenshots } from '../modules/preflight/checker-stage.js';
import { beforeTests } from '../support/before-tests.js';
import { type PictureServer, png, startPictureServer } from '../support/pictures.js';

const portOf = ({ host }: PictureServer) => host.split(':')[1];

describe('fetches of pictures', () => {
  let fetcher: GuardedFetcher;
  let running = 0;
  let most = 0;
  const server = beforeTests(startPictureServer);
  beforeAll(async () => {
    const names = Array.from({ length: 10 }, (_, at) => `host-${at}.test:${portOf(server)}`);
    fetcher = new GuardedFetcher({
      allowedHosts: [server.host, ...names],
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

  /** The same address with another of the server's names. */
  const at = (name: string, url: string) => url.replace('127.0.0.1', name);

  it('run two at once for a host, also if its name ends with a dot (D355)', async () => {
    const checker = new AssetChecker(fetcher);
    most = 0;
    const urls = Array.from({ length: 6 }, (_, each) =>
      at(each % 2 ? 'host-1.test' : 'HOST-1.test.', slow(`/slow?dot-${each}`)),
    );
    const redirecting = Array.from({ length: 2 }, (_, each) => {
      const location = at('host-1.test.', slow(`/slow?to-dot-${each}`));
      return server.serve(`/to-dot?${each}`, (_request, response) =>
        response.writeHead(302, { location }).end(),
      );
    });
    const results = await checker.check(withScreenshots(...urls, ...redirecting), 'developer');
    expect(results.map(({ problem }) => problem)).toEqual(Array(8).fill(null));
    expect(most).toBe(2);
  });

  it('fetch a file once, however its address is written (D355)', async () => {
    const checker = new AssetChecker(fetcher);
    const url = at('host-2.test', server.url('/png/1280x720?once'));
    const written = [
      url,
      url.replace('.test', '.test.'),
      url.replace('host', 'HOST'),
      `${url}#1`,
      `${url}#2`,
    ];
    for (const each of written)
      expect((await checker.check(withScreenshots(each), 'ada'))[0]).toMatchObject({ url: each, ok: true });
    expect(server.asked.filter((path) => path.endsWith('?once'))).toHaveLength(1);
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

  it('that another developer has asked for do not wait for the slots of that developer (D355)', async () => {
    const hanging: (() => void)[] = [];
    const hang = (name: string) =>
      at(
        name,
        server.serve(`/hang?${name}`, (_, response) => void hanging.push(() => response.destroy())),
      );
    const checker = new AssetChecker(fetcher, 600_000);
    const wanted = withScreenshots(at('host-9.test', server.url('/png/1280x720?wanted')));
    const blockers = Array.from({ length: 8 }, (_, each) => hang(`host-${each}.test`));
    const eve = checker.check(
      withScreenshots(...blockers, ...wanted.screenshots.map(({ url }) => url)),
      'eve',
    );
    await delay(50);
    // Would otherwise wait for those that hang, and this test would end first.
    expect(await codesOf(checker, wanted)).toEqual([null]);
    for (const end of hanging) end();
    await eve;
  });

  it('that another developer has started go on when the time of that developer ends (D355)', async () => {
    const served = (ms: number, path: string) =>
      server.serve(path, async (_, response) => {
        await delay(ms);
        response.writeHead(200, { 'content-type': 'image/png' }).end(png(1280, 720));
      });
    const checker = new AssetChecker(fetcher, 2_000);
    const blockers = checker.check(
      withScreenshots(served(1_600, '/late?1'), served(1_600, '/late?2')),
      'grace',
    );
    const wanted = withScreenshots(served(1_000, '/late?wanted'));
    const eve = checker.check(wanted, 'eve');
    await delay(1_300);
    expect(await codesOf(checker, wanted)).toEqual([null]);
    expect((await eve)[0]?.problem?.code).toBe('busy');
    await blockers;
    expect(server.asked.filter((path) => path === '/late?wanted')).toHaveLength(1);
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

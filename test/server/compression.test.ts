import { setTimeout as delay } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { CatalogVersion } from '../../src/cache/catalog-version.js';
import { ResponseCache } from '../../src/cache/response-cache.js';
import { duringTests } from '../support/before-tests.js';
import {
  graphqlRequest,
  headerOf,
  type RawRequest,
  type RawResponse,
  sendRequest,
} from '../support/send-request.js';
import { startService } from '../support/service.js';

const service = duringTests(startService);
beforeAll(async () => {
  const ada = await service.aDeveloper();
  for (let n = 0; n < 3; n += 1)
    await service.anApp(ada, 'APPROVED', { longDescription: 'Words that come again and again. '.repeat(20) });
});

const decompress = { gzip: gunzipSync, br: brotliDecompressSync };
const document = '{ browseApps { apps { id slug name longDescription developer { name } } } }';
const requests: [string, RawRequest][] = [
  ['a list', { path: '/api/apps' }],
  ['GraphQL by POST', graphqlRequest(document)],
  ['GraphQL by GET', { path: `/graphql?${new URLSearchParams({ query: document })}` }],
];

const send = ({ headers, ...request }: RawRequest, more: Record<string, string> = {}) =>
  sendRequest(service.url, { ...request, headers: { ...headers, ...more } });

/** Repeats a request until its response comes from the cache and has been compressed. */
async function sendUntilCompressed(request: RawRequest, more: Record<string, string>): Promise<RawResponse> {
  for (let round = 0; round < 1_000; round += 1) {
    const response = await send(request, more);
    if (headerOf(response, 'content-encoding') !== undefined) return response;
    await delay(10);
  }
  throw new Error('the response is never compressed');
}

describe.each(requests)('%s', (_, request) => {
  it.each(['br', 'gzip'] as const)('is compressed by %s (D290)', async (encoding) => {
    const whole = await send(request);
    const small = await sendUntilCompressed(request, { 'accept-encoding': encoding });
    expect(headerOf(small, 'content-encoding')).toBe(encoding);
    expect(decompress[encoding](small.bytes).equals(whole.bytes)).toBe(true);
    expect(small.bytes.length).toBeLessThan(whole.bytes.length / 2);
    expect(headerOf(small, 'content-length')).toBe(String(small.bytes.length));
    expect(headerOf(small, 'content-type')).toBe(headerOf(whole, 'content-type'));
    expect(headerOf(small, 'vary')).toMatch(/(^|, )Accept-Encoding$/);
    const tag = headerOf(whole, 'etag');
    expect(headerOf(small, 'etag')).toBe(tag?.replace(/"$/, `-${encoding}"`));
  });

  it('is the same as ever for clients that send no Accept-Encoding (D290)', async () => {
    const before = await send(request);
    await sendUntilCompressed(request, { 'accept-encoding': 'br' });
    const after = await send(request);
    const withoutIds = ({ headers }: RawResponse) =>
      headers.filter(([name]) => !/^(date|x-request-id|ratelimit)$/i.test(name));
    expect(withoutIds(after)).toEqual(withoutIds(before));
    expect(after.bytes.equals(before.bytes)).toBe(true);
    expect(headerOf(after, 'content-encoding')).toBeUndefined();
  });

  it.each(['identity', 'br;q=0, gzip;q=0', 'br;q=0.5, identity', 'deflate', ''])(
    'is not compressed for "%s" (D290)',
    async (accepted) => {
      await sendUntilCompressed(request, { 'accept-encoding': 'br' });
      for (let round = 0; round < 3; round += 1)
        expect(headerOf(await send(request, { 'accept-encoding': accepted }), 'content-encoding')).toBe(
          undefined,
        );
    },
  );
});

describe.each(requests.filter(([, { method }]) => method !== 'POST'))('%s', (_, request) => {
  it.each(['br', 'gzip'])('is a 304 for a client that has it by %s, or as it is (D290)', async (encoding) => {
    const accepting = { 'accept-encoding': encoding };
    const own = headerOf(await send(request), 'etag')!;
    const tag = headerOf(await sendUntilCompressed(request, accepting), 'etag')!;
    for (const held of [tag, own]) {
      const response = await send(request, { ...accepting, 'if-none-match': held });
      expect([response.status, headerOf(response, 'etag')]).toEqual([304, held]);
      expect(headerOf(response, 'content-encoding')).toBeUndefined();
    }
    // A client that cannot read it does not have it.
    expect((await send(request, { 'if-none-match': tag })).status).toBe(200);
    const other = encoding === 'br' ? 'gzip' : 'br';
    for (const accepted of [other, 'identity', '', `${encoding};q=0, ${other}`])
      expect((await send(request, { 'accept-encoding': accepted, 'if-none-match': tag })).status).toBe(200);
  });

  it('has the headers of its compressed form for HEAD (D290)', async () => {
    const accepting = { 'accept-encoding': 'gzip' };
    const small = await sendUntilCompressed(request, accepting);
    const head = await sendUntilCompressed({ ...request, method: 'HEAD' }, accepting);
    for (const name of ['etag', 'content-length', 'content-encoding', 'vary'])
      expect(headerOf(head, name)).toBe(headerOf(small, name));
    expect(head.bytes.length).toBe(0);
  });
});

it('a short response is not compressed (D290)', async () => {
  for (let round = 0; round < 6; round += 1) {
    const response = await send({ path: '/api/apps/categories/list' }, { 'accept-encoding': 'br' });
    expect(headerOf(response, 'content-encoding')).toBeUndefined();
    expect(headerOf(response, 'vary') ?? '').not.toMatch(/Accept-Encoding/);
  }
});

it('the length that is compressed is counted in bytes, cached or not (D290)', async () => {
  const ada = await service.aDeveloper();
  const { slug } = await service.anApp(ada, 'APPROVED', { description: '漢字'.repeat(130) });
  const tags = new Set<string | undefined>();
  for (let round = 0; round < 5; round += 1) {
    const response = await send({ path: `/api/apps/${slug}` }, { 'accept-encoding': 'gzip' });
    expect(gunzipSync(response.bytes).toString().length).toBeLessThan(1_024);
    tags.add(headerOf(response, 'etag'));
  }
  expect(tags.size).toBe(1);
});

it('the memory of compressed forms is counted (D290)', async () => {
  const cache = new ResponseCache(new CatalogVersion(() => true));
  cache.begin('a');
  const response = { status: 200, headers: {}, body: 'words '.repeat(10_000) };
  cache.begin('a')?.({ response, door: 'rest', operation: 'x', fields: null, cost: 1, limit: 'public' });
  const before = cache.figures.bytes;
  const stored = cache.find('a')!.response;
  const { content } = await stored.formFor('br');
  expect(cache.figures.bytes).toBe(before + content.length);
  expect(cache.find('a')?.response).toBe(stored);
  expect(stored.formFor('br')).toHaveProperty('content', content);
});

it('a private response is never compressed (D290)', async () => {
  const ada = await service.aDeveloper();
  for (let n = 0; n < 3; n += 1) await service.anApp(ada);
  const headers = { authorization: `Bearer ${ada.key}`, 'accept-encoding': 'br' };
  const response = await send({ path: '/api/dev/apps', headers });
  expect(response.bytes.length).toBeGreaterThan(1_024);
  expect(headerOf(response, 'content-encoding')).toBeUndefined();
});

it('the ETag does not depend on whether the response is cached (D290)', async () => {
  const request = { path: '/api/apps?limit=50', headers: { 'accept-encoding': 'gzip' } };
  const tags = [];
  for (let n = 0; n < 5; n += 1) tags.push(headerOf(await send(request), 'etag'));
  expect(new Set(tags)).toEqual(new Set([expect.stringMatching(/-gzip"$/)]));
});

import { beforeAll, describe, expect, it } from '@jest/globals';
import { duringTests } from '../support/before-tests.js';
import { headerOf, type RawResponse, sendRequest, trackCacheHit } from '../support/send-request.js';
import { startService } from '../support/service.js';

let slug: string;
/** Creates the fixtures. */
const service = duringTests(startService);
/** A second service on the same database. In development every response has CORS headers, and so its head from Node. */
const production = duringTests(() =>
  startService(
    {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://tasks.example',
      OIDC_ISSUER: 'https://identity.example',
      RATE_LIMITS: 'public=1000,address=100000',
    },
    undefined,
    { databaseVia: async () => service.databaseUrl },
  ),
);
beforeAll(async () => {
  slug = (await service.anApp(await service.aDeveloper(), 'APPROVED')).slug;
});

const send = (id: string, connection = 'keep-alive') =>
  sendRequest(production.url, { path: `/api/apps/${slug}`, headers: { 'x-request-id': id, connection } });

/** Sends the request until its response comes from the cache. */
async function cached(id: string, connection?: string): Promise<RawResponse> {
  for (;;) {
    const [isHit, response] = await trackCacheHit(production.cache, () => send(id, connection));
    if (isHit) return response;
  }
}

/** The headers in the order of their names, without the values that differ between any two requests. */
const comparable = ({ headers }: RawResponse) =>
  headers
    .map(([name, value]) => `${name}: ${/^(x-request-id|ratelimit|date)$/i.test(name) ? '' : value}`)
    .toSorted();

describe('the head of a cached response', () => {
  it('is the one that Node writes, with the id, the limits and the date of each request', async () => {
    const computed = await send('computed');
    const heads = [await cached('a'), await cached('b'), await cached('c')];
    expect(heads.map(comparable)).toEqual(heads.map(() => comparable(computed)));
    expect(heads.map((head) => headerOf(head, 'x-request-id'))).toEqual(['a', 'b', 'c']);
    const remaining = heads.map((head) => Number(/r=(\d+)/.exec(headerOf(head, 'ratelimit') ?? '')?.[1]));
    expect(remaining).toEqual([...new Set(remaining)].toSorted((a, b) => b - a));
    for (const head of heads)
      expect(Math.abs(Date.parse(headerOf(head, 'date') ?? '') - Date.now())).toBeLessThan(60_000);
  });

  it('announces the end of a connection that the client wants to close', async () => {
    await cached('kept');
    const closing = await cached('closing', 'close');
    expect(headerOf(closing, 'connection')).toBe('close');
    expect(headerOf(closing, 'keep-alive')).toBeUndefined();
    const kept = await cached('kept');
    expect(headerOf(kept, 'connection')).toBe('keep-alive');
    expect(headerOf(kept, 'keep-alive')).toBe('timeout=65');
  });
});

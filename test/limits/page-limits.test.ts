import { describe, expect, it } from '@jest/globals';
import { duringTests } from '../support/before-tests.js';
import { startService } from '../support/service.js';
import { codeOf, newAddress, sendFrom, statusesOf } from './limited.js';

const service = duringTests(() => startService({ TRUST_PROXY: '1', RATE_LIMITS: 'pages=4' }));

const get = (path: string, address: string) => sendFrom(service, address, 'GET', path);

describe('the rate limit of pages', () => {
  it.each([
    ['/', 200],
    ['/docs', 200],
    ['/docs/swagger-ui.css', 200],
    ['/openapi.json', 200],
    ['/schema.graphql', 200],
    ['/playground', 200],
    ['/nothing', 404],
    ['/dev/mailbox', 200],
    ['/.well-known/jwks.json', 200],
  ])('counts %s by address, and does not count the API (D34, D130)', async (path, status) => {
    const address = newAddress();
    const first = await get(path, address);
    expect(first.headers.get('ratelimit')).toMatch(/^"pages";r=3;t=\d+$/);
    expect(await statusesOf(3, () => get(path, address))).toEqual(Array(3).fill(status));
    const rejected = await get(path, address);
    expect([rejected.status, await codeOf(rejected)]).toEqual([429, 'RATE_LIMITED']);
    expect(rejected.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await get('/api/apps', address)).status).toBe(200);
  });

  it('does not count unknown paths below /api (D34)', async () => {
    const address = newAddress();
    await statusesOf(5, () => get('/api/nothing', address));
    expect((await get('/', address)).status).toBe(200);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { GraphQLBody } from '../support/api-client.js';
import { duringTests } from '../support/before-tests.js';
import { startService } from '../support/service.js';
import { lowLimits, newAddress, sendFrom, statusesOf } from './limited.js';

const service = duringTests(() => startService(lowLimits));

const send = async (query: string, address: string, bearer: string | null = null) => {
  const response = await sendFrom(service, address, 'POST', '/graphql', { bearer, body: { query } });
  const body = (await response.json()) as GraphQLBody;
  return { response, codes: body.errors?.map(({ extensions }) => extensions.code) ?? [] };
};

/** Sends a document until it is rejected. */
async function spend(query: string, address: () => string, bearer: string | null) {
  for (let time = 0; time < 200; time += 1) {
    const { response, codes } = await send(query, address(), bearer);
    expect(response.headers.get('ratelimit')).toMatch(/"graphql";r=\d+;t=\d+$/);
    if (codes.length > 0)
      return { status: response.status, codes, retryAfter: response.headers.get('retry-after') };
  }
  return null;
}
const rejected = { status: 429, codes: ['RATE_LIMITED'], retryAfter: expect.stringMatching(/^\d+$/) };

describe('the rate limits of GraphQL', () => {
  it('count each mutation of a document (D34)', async () => {
    const { slug } = await service.anApp(await service.aDeveloper(), 'APPROVED');
    const installs = [1, 2, 3, 4].map((n) => `i${n}: recordInstall(slug: "${slug}") { installCount }`);
    const { response, codes } = await send(`mutation { ${installs.join(' ')} }`, newAddress());
    expect(response.status).toBe(200);
    expect(codes).toEqual(['RATE_LIMITED']);
    expect(response.headers.get('ratelimit')).toMatch(/"install";r=0;t=\d+$/);
  });

  it('count public documents by their cost and address, cached or not (D34)', async () => {
    const address = newAddress();
    const query =
      '{ a: browseApps(limit: 100) { apps { slug name } } b: browseApps(limit: 99) { apps { slug name } } }';
    expect(await spend(query, () => address, null)).toEqual(rejected);
    expect((await send(query, newAddress())).codes).toEqual([]);
  });

  it('count other documents by their cost and caller (D34)', async () => {
    const { token } = await service.anUnverifiedDeveloper();
    const query =
      '{ a: events(first: 100) { edges { node { id } } } b: events(first: 99) { edges { node { id } } } }';
    expect(await spend(query, newAddress, token)).toEqual(rejected);
  });

  it('reject an address before the body is parsed, with an error in the form of GraphQL (D7, D34)', async () => {
    const address = newAddress();
    await statusesOf(300, () => sendFrom(service, address, 'GET', '/api/nothing'));
    const { response, codes } = await send('{ nonsense', address);
    expect([response.status, codes]).toEqual([429, ['RATE_LIMITED']]);
  });
});

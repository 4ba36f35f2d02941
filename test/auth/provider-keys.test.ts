import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose';
import { ProviderKeys } from '../../src/auth/provider-keys.js';
import type { Json } from '../support/actors.js';
import { startTestProvider } from '../support/oidc-provider.js';
import { type Service, startService } from '../support/service.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let provider: Awaited<ReturnType<typeof startTestProvider>>;
let service: Service;
let apiKey: string;
/** The clock of the process stands still, however slow the machine, and moves on when it is told to. */
let aheadMs = 0;
beforeAll(async () => {
  const startedAt = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => startedAt + aheadMs);
  provider = await startTestProvider();
  service = await startService({ NODE_ENV: 'production', OIDC_ISSUER: provider.issuer, DATABASE_POOL: '60' });
});
afterAll(async () => {
  jest.restoreAllMocks();
  await service.close();
  await provider.close();
});
beforeEach(() => {
  provider.setLine('open');
  // Past the moment in which the provider is not asked again.
  aheadMs += 2000;
});

const me = async (bearer: string) => (await service.doors.call('graphql', 'me', {}, bearer)).code;
const accepted = 'DEVELOPER_NOT_REGISTERED';
const crowd = async (bearers: (index: number) => Promise<string> | string) => {
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => me(await bearers(index))),
  );
  return [...new Set(answers)];
};
/** A token of somebody else's key, which the provider does not know. */
const stranger = async (kid: string = crypto.randomUUID()) => {
  const { privateKey } = await strangersKey;
  return new SignJWT({ sub: 'eve' })
    .setProtectedHeader({ alg: 'ES256', kid })
    .setIssuer(provider.issuer)
    .setAudience('marketplace-gateway')
    .setExpirationTime('1h')
    .sign(privateKey);
};
const strangersKey = generateKeyPair('ES256');

describe('the keys of a real provider', () => {
  it('are asked for once, however many come first (D91)', async () => {
    const token = await provider.token('ada');
    provider.setLine('open');
    expect(await crowd(() => token)).toEqual([accepted]);
    expect(provider.asked).toEqual(['/.well-known/openid-configuration', '/jwks']);
  });

  it('are found by registration, and API keys then need no provider (D8, D9)', async () => {
    const token = await provider.token('grace');
    const body = { accountUserId: 'grace', name: 'Grace', email: 'grace@example.com' };
    const { id } = await service.doors.must<Json>('registerDeveloper', body, token);
    await service.doors.must('verifyDeveloper', { id }, await provider.token('root', { admin: true }));
    const made = { name: 'A key', scopes: ['APP_READ'] };
    apiKey = (await service.doors.must<{ key: string }>('createApiKey', made, token)).key;
    provider.setLine('cut');
    expect((await service.doors.call('rest', 'me', {}, apiKey)).status).toBe(200);
    expect(provider.asked).toEqual([]);
  });

  it('are rotated without a restart: old tokens go on while their key is published (D91)', async () => {
    const old = await provider.token('ada');
    provider.rotateKeys({ keepFormer: true });
    const young = await provider.token('ada');
    expect(decodeProtectedHeader(young).kid).not.toBe(decodeProtectedHeader(old).kid);
    expect([await me(young), await me(old)]).toEqual([accepted, accepted]);
    provider.rotateKeys();
    aheadMs += 2000;
    expect(await me(await provider.token('ada'))).toBe(accepted);
    expect([await me(young), await me(old)]).toEqual(['INVALID_TOKEN', 'INVALID_TOKEN']);
  });

  it('are asked for again once a second at most, whoever sends tokens of unknown keys (D91)', async () => {
    const token = await provider.token('ada');
    provider.setLine('open');
    expect(await crowd(() => stranger())).toEqual(['INVALID_TOKEN']);
    expect(provider.asked).toHaveLength(2);
    expect(await crowd((index) => (index % 2 ? token : stranger()))).toEqual(
      expect.arrayContaining([accepted, 'INVALID_TOKEN']),
    );
    expect(provider.asked.length).toBeLessThanOrEqual(4);
  });

  it('serve on for a day while the provider is away, and it is hardly asked (D91)', async () => {
    const token = await provider.token('ada');
    expect(await me(token)).toBe(accepted);
    provider.setLine('cut');
    for (const passedMs of [11 * minuteMs, 2 * hourMs, 21 * hourMs]) {
      aheadMs += passedMs;
      expect(await crowd(() => token)).toEqual([accepted]);
      expect(await me(await stranger())).toBe('INVALID_TOKEN');
    }
    // Whoever is refused a connection tries a second time.
    expect(provider.asked.length).toBeLessThanOrEqual(6);
    aheadMs += 3 * hourMs;
    expect(await crowd(() => token)).toEqual(['UNAVAILABLE']);
    const refused = await service.doors.request('POST', '/api/dev/register', { bearer: token, body: {} });
    expect(refused.status).toBe(503);
    expect((await service.doors.call('rest', 'myApps', {}, apiKey)).status).toBe(200);
    provider.setLine('open');
    aheadMs += 2000;
    expect(await me(token)).toBe(accepted);
  });

  it('are waited for five seconds at most, and only by those who need them (D91)', async () => {
    const token = await provider.token('ada');
    expect(await me(token)).toBe(accepted);
    provider.setLine('silent');
    aheadMs += 11 * minuteMs;
    const startedAt = performance.now();
    expect(await me(token)).toBe(accepted);
    expect((await service.doors.call('rest', 'myApps', {}, apiKey)).status).toBe(200);
    expect((await service.doors.call('rest', 'browseApps')).status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(4000);
    expect(await me(await stranger())).toBe('INVALID_TOKEN');
    expect(performance.now() - startedAt).toBeLessThan(7000);
    expect(provider.asked).toHaveLength(1);
  });
});

describe('a provider that lies', () => {
  const discovery = (document: object) => (path: string, response: { end(text: string): unknown }) => {
    if (!path.includes('openid-configuration')) return false;
    response.end(JSON.stringify(document));
    return true;
  };
  const jwks =
    (body: string, status = 200) =>
    (path: string, response: import('node:http').ServerResponse) => {
      if (!path.includes('jwks')) return false;
      response.writeHead(status, status === 302 ? { location: '/jwks?again' } : {}).end(body);
      return true;
    };
  const { issuer } = { issuer: () => provider.issuer };

  it.each<[lie: string, line: () => Parameters<typeof provider.setLine>[0]]>([
    [
      'speaks for another issuer',
      () => discovery({ issuer: 'http://evil.example', jwks_uri: `${issuer()}/jwks` }),
    ],
    ['speaks for nobody', () => discovery({ jwks_uri: `${issuer()}/jwks` })],
    [
      'speaks for almost the same issuer',
      () => discovery({ issuer: `${issuer()}/`, jwks_uri: `${issuer()}/jwks` }),
    ],
    ['has no keys to show', () => discovery({ issuer: issuer() })],
    [
      'has its keys in the document',
      () => discovery({ issuer: issuer(), jwks_uri: 'data:application/json,{"keys":[]}' }),
    ],
    ['has its keys in a file', () => discovery({ issuer: issuer(), jwks_uri: 'file:///etc/passwd' })],
    ['is no object', () => discovery([])],
    ['shows an empty set', () => jwks('{"keys":[]}')],
    ['shows no set', () => jwks('{"keys":"none"}')],
    ['shows no JSON', () => jwks('<html>')],
    ['sends elsewhere', () => jwks('{}', 302)],
    ['fails', () => jwks('{"keys":[{}]}', 500)],
  ])('that %s is not believed, and what is known stays (D91)', async (_, line) => {
    const token = await provider.token('ada');
    const keys = new ProviderKeys(issuer());
    const ask = () => keys.getKey(decodeProtectedHeader(token) as never, {} as never);
    provider.setLine(line());
    await expect(ask()).rejects.toThrow('cannot be had');
    provider.setLine('open');
    aheadMs += 2000;
    await ask();
    provider.setLine(line());
    aheadMs += 11 * minuteMs;
    await ask();
  });

  it('that keeps the keys of an https issuer at an http address is not followed there (D91)', async () => {
    const asked: string[] = [];
    const answer = { issuer: 'https://id.example', jwks_uri: 'http://id.example/jwks' };
    const spy = jest.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
      asked.push(String(url));
      return Response.json(answer);
    });
    const keys = new ProviderKeys('https://id.example');
    await expect(keys.getKey({ alg: 'ES256', kid: 'x' }, {} as never)).rejects.toThrow('cannot be had');
    spy.mockRestore();
    expect(asked).toEqual(['https://id.example/.well-known/openid-configuration']);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose';
import { pino } from 'pino';
import { AccountTokens } from '../../src/auth/account-token.js';
import { ProviderKeys } from '../../src/auth/provider-keys.js';
import { ServiceError } from '../../src/errors.js';
import { atOnce, type Json } from '../support/actors.js';
import { duringTests } from '../support/before-tests.js';
import { startTestProvider } from '../support/oidc-provider.js';
import { startService } from '../support/service.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const silent = pino({ level: 'silent' });

let provider: Awaited<ReturnType<typeof startTestProvider>>;
/** The clock of the process stands still, however slow the machine, and advances only by this. */
let aheadMs = 0;
beforeAll(async () => {
  const startedAt = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => startedAt + aheadMs);
  provider = await startTestProvider();
});
afterAll(async () => {
  jest.restoreAllMocks();
  await provider.close();
});
beforeEach(() => {
  provider.setLine('open');
  // Past the cooldown after the last load.
  aheadMs += 2000;
});

/** A token with the current time: the service compares it with the clock of the database, which does not stand still. */
const tokenOf = async (...account: Parameters<typeof provider.token>) => {
  const advancedMs = aheadMs;
  aheadMs = 0;
  try {
    return await provider.token(...account);
  } finally {
    aheadMs = advancedMs;
  }
};

/** A token that is signed with a key which the provider does not have. */
const stranger = async () => {
  const { privateKey } = await strangersKey;
  return new SignJWT({ sub: 'eve' })
    .setProtectedHeader({ alg: 'ES256', kid: crypto.randomUUID() })
    .setIssuer(provider.issuer)
    .setAudience('marketplace-gateway')
    .setExpirationTime('1h')
    .sign(privateKey);
};
const strangersKey = generateKeyPair('ES256');

describe('the keys of a real provider', () => {
  let tokens: AccountTokens;
  beforeEach(() => {
    const settings = {
      issuer: provider.issuer,
      audience: 'marketplace-gateway',
      rolesClaim: 'roles',
      adminRole: 'marketplace-admin',
    };
    tokens = new AccountTokens(settings, new ProviderKeys(provider.issuer).getKey, silent);
  });

  const verify = (token: string): Promise<string> =>
    tokens.verify(token).then(
      () => 'accepted',
      (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
    );
  /** Verifies 200 tokens at once, and returns the different results. */
  const crowd = async (tokenOf: (index: number) => Promise<string> | string) => {
    const sent = await atOnce(200, (index) => tokenOf(index));
    return [...new Set(await Promise.all(sent.map(verify)))].sort();
  };

  it('are loaded once, however many tokens come first (D91)', async () => {
    const token = await provider.token('ada');
    provider.setLine('open');
    expect(await crowd(() => token)).toEqual(['accepted']);
    expect(provider.asked).toEqual(['/.well-known/openid-configuration', '/jwks']);
  });

  it('are rotated without a restart: old tokens work while their key is published (D91)', async () => {
    const old = await provider.token('ada');
    expect(await verify(old)).toBe('accepted');
    aheadMs += 2000;
    provider.rotateKeys({ keepFormer: true });
    const young = await provider.token('ada');
    expect(decodeProtectedHeader(young).kid).not.toBe(decodeProtectedHeader(old).kid);
    expect([await verify(young), await verify(old)]).toEqual(['accepted', 'accepted']);
    provider.rotateKeys();
    aheadMs += 2000;
    expect(await verify(await provider.token('ada'))).toBe('accepted');
    expect([await verify(young), await verify(old)]).toEqual(['INVALID_TOKEN', 'INVALID_TOKEN']);
  });

  it('are loaded again once a second at most, however many tokens name unknown keys (D91)', async () => {
    const token = await provider.token('ada');
    expect(await verify(token)).toBe('accepted');
    aheadMs += 2000;
    provider.setLine('open');
    expect(await crowd(() => stranger())).toEqual(['INVALID_TOKEN']);
    expect(await crowd((index) => (index % 2 ? token : stranger()))).toEqual(['INVALID_TOKEN', 'accepted']);
    expect(provider.asked).toHaveLength(2);
  });

  it('stay in use for a day while the provider is down, and few requests are sent to it (D91)', async () => {
    const token = await provider.token('ada');
    expect(await verify(token)).toBe('accepted');
    provider.setLine('cut');
    for (const passedMs of [11 * minuteMs, 2 * hourMs, 21 * hourMs]) {
      aheadMs += passedMs;
      expect(await crowd(() => token)).toEqual(['accepted']);
      expect(await verify(await stranger())).toBe('INVALID_TOKEN');
    }
    // A request whose connection is refused is sent a second time.
    expect(provider.asked.length).toBeLessThanOrEqual(6);
    aheadMs += 3 * hourMs;
    expect(await crowd(() => token)).toEqual(['UNAVAILABLE']);
    provider.setLine('open');
    aheadMs += 2000;
    expect(await verify(token)).toBe('accepted');
  });
});

describe('a service with a real provider', () => {
  let apiKey: string;
  const service = duringTests(() => startService({ NODE_ENV: 'production', OIDC_ISSUER: provider.issuer }));

  const me = async (bearer: string) => (await service.call('me', {}, bearer)).code;
  const accepted = 'DEVELOPER_NOT_REGISTERED';

  it('registers developers by their account tokens, and API keys then need no provider (D8, D9)', async () => {
    const token = await tokenOf('grace');
    const body = { accountUserId: 'grace', name: 'Grace', email: 'grace@example.com' };
    const { id } = await service.must<Json>('registerDeveloper', body, token);
    await service.must('verifyDeveloper', { id }, await tokenOf('root', { admin: true }));
    const made = { name: 'A key', scopes: ['APP_READ'] };
    apiKey = (await service.must<{ key: string }>('createApiKey', made, token)).key;
    provider.setLine('cut');
    expect((await service.client.call('rest', 'me', {}, apiKey)).status).toBe(200);
    expect(provider.asked).toEqual([]);
  });

  it('waits five seconds at most for the keys, and only where a request needs them (D91)', async () => {
    const token = await tokenOf('ada');
    expect(await me(token)).toBe(accepted);
    const asked = Promise.withResolvers<void>();
    provider.setLine(() => {
      asked.resolve();
      return true;
    });
    const timeout = new AbortController();
    const timeouts = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
    aheadMs += 11 * minuteMs;
    // All of these are served while the request to the provider is open.
    expect(await me(token)).toBe(accepted);
    expect((await service.client.call('rest', 'myApps', {}, apiKey)).status).toBe(200);
    expect((await service.client.call('rest', 'browseApps')).status).toBe(200);
    await asked.promise;
    const waiting = me(await stranger());
    expect(timeouts.mock.calls).toEqual([[5000]]);
    timeouts.mockRestore();
    timeout.abort(new DOMException('The operation timed out', 'TimeoutError'));
    expect(await waiting).toBe('INVALID_TOKEN');
    expect(provider.asked).toHaveLength(1);
  });

  it('rejects account tokens as UNAVAILABLE after a day without the provider, but not API keys (D91)', async () => {
    const token = await tokenOf('ada');
    provider.setLine('cut');
    aheadMs += 25 * hourMs;
    expect(await me(token)).toBe('UNAVAILABLE');
    const rejected = await service.client.request('POST', '/api/dev/register', { bearer: token, body: {} });
    expect(rejected.status).toBe(503);
    expect((await service.client.call('rest', 'myApps', {}, apiKey)).status).toBe(200);
    provider.setLine('open');
    aheadMs += 2000;
    expect(await me(token)).toBe(accepted);
  });
});

describe('a provider that returns false documents', () => {
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
  const issuer = () => provider.issuer;

  it.each<[fault: string, line: () => Parameters<typeof provider.setLine>[0]]>([
    [
      'names another issuer',
      () => discovery({ issuer: 'http://evil.example', jwks_uri: `${issuer()}/jwks` }),
    ],
    ['names no issuer', () => discovery({ jwks_uri: `${issuer()}/jwks` })],
    [
      'names almost the same issuer',
      () => discovery({ issuer: `${issuer()}/`, jwks_uri: `${issuer()}/jwks` }),
    ],
    ['names no URL of its keys', () => discovery({ issuer: issuer() })],
    [
      'has a data URL for its keys',
      () => discovery({ issuer: issuer(), jwks_uri: 'data:application/json,{"keys":[]}' }),
    ],
    ['has a file URL for its keys', () => discovery({ issuer: issuer(), jwks_uri: 'file:///etc/passwd' })],
    ['returns no object', () => discovery([])],
    ['returns an empty set', () => jwks('{"keys":[]}')],
    ['returns keys that verify no signature', () => jwks('{"keys":[null,{},{"kty":"oct","k":"AAAA"}]}')],
    ['returns more than a megabyte', () => jwks(`{"keys":[{"kty":"EC","x":"${'x'.repeat(2 ** 20)}"}]}`)],
    ['returns no set', () => jwks('{"keys":"none"}')],
    ['returns no JSON', () => jwks('<html>')],
    ['redirects', () => jwks('{}', 302)],
    ['fails', () => jwks('{"keys":[{}]}', 500)],
  ])('that %s is ignored, and the loaded keys stay in use (D91)', async (_, line) => {
    const token = await tokenOf('ada');
    const keys = new ProviderKeys(issuer());
    const ask = () => keys.getKey(decodeProtectedHeader(token) as never, {} as never);
    const askUnknown = () => keys.getKey({ alg: 'ES256', kid: 'unknown' }, {} as never);
    provider.setLine(line());
    await expect(ask()).rejects.toThrow('cannot be loaded');
    provider.setLine('open');
    aheadMs += 2000;
    await ask();
    provider.setLine(line());
    aheadMs += 11 * minuteMs;
    await ask();
    // Waits for the refresh in the background that the last call has started.
    await expect(askUnknown()).rejects.toThrow();
    await ask();
  });

  it('that names an http URL for the keys of an https issuer is not followed (D91)', async () => {
    const asked: string[] = [];
    const document = { issuer: 'https://id.example', jwks_uri: 'http://id.example/jwks' };
    const spy = jest.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
      asked.push(String(url));
      return Response.json(document);
    });
    const keys = new ProviderKeys('https://id.example');
    await expect(keys.getKey({ alg: 'ES256', kid: 'x' }, {} as never)).rejects.toThrow('cannot be loaded');
    spy.mockRestore();
    expect(asked).toEqual(['https://id.example/.well-known/openid-configuration']);
  });
});

import { describe, expect, it } from '@jest/globals';
import { hashApiKey } from '../../src/auth/api-key-token.js';
import { AcceptedCredentials } from '../../src/limits/accepted-credentials.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { startService } from '../support/service.js';
import { words } from '../support/words.js';
import { codeOf, forgedToken, lowLimits, newAddress, sendFrom, statusesOf } from './limited.js';

const service = duringTests(() => startService(lowLimits));
const ada = beforeTests(() => service.aDeveloper());

const getMe = (address: string, bearer: string | null) =>
  sendFrom(service, address, 'GET', '/api/dev/me', { bearer });

describe('rejected credentials', () => {
  it('are charged to the address, guesses more than typing errors; above the limit none is verified (D34, D88)', async () => {
    const revoked = await service.aRevokedKey(await service.aDeveloper());
    const address = newAddress();
    const forged = forgedToken(ada.token);
    const codes = [];
    for (const bearer of ['mkt_typo', forged, revoked, forged, forged])
      codes.push(await codeOf(await getMe(address, bearer)));
    expect(codes).toEqual(words('INVALID_API_KEY INVALID_TOKEN API_KEY_REVOKED INVALID_TOKEN INVALID_TOKEN'));
    const rejected = await getMe(address, ada.key);
    expect(rejected.status).toBe(429);
    expect(rejected.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await codeOf(rejected)).toBe('RATE_LIMITED');
    expect((await sendFrom(service, address, 'GET', '/api/apps')).status).toBe(200);
    expect((await getMe(address, null)).status).toBe(401);
    expect((await getMe(newAddress(), ada.key)).status).not.toBe(429);
  });
});

describe('an address that is shared with somebody who guesses', () => {
  const guess = (address: string) => getMe(address, forgedToken(ada.token));
  const resultOf = async (address: string, bearer: string) => {
    const response = await getMe(address, bearer);
    return response.status === 200 ? 'OK' : codeOf(response);
  };
  const queryMe = (address: string, bearer: string) =>
    sendFrom(service, address, 'POST', '/graphql', { bearer, body: { query: '{ me { id } }' } });

  it('still accepts credentials that it has accepted lately, and no others (D131)', async () => {
    const address = `${newAddress()}:4711`;
    const [bob, late] = [await service.aDeveloper(), await service.aDeveloper()];
    const [second, revoked] = [await service.aKey(bob), await service.aKey(await service.aDeveloper())];
    expect([await resultOf(address, bob.key), await resultOf(address, revoked)]).toEqual(['OK', 'OK']);
    expect((await queryMe(address, bob.token)).status).toBe(200);
    expect(await statusesOf(4, () => guess(address))).toEqual([401, 401, 401, 429]);
    expect(await resultOf(address, bob.key)).toBe('OK');
    expect(await (await queryMe(address, bob.token)).json()).toMatchObject({ data: { me: { id: bob.id } } });
    // Another key of the same developer and other developers wait for the end of the minute.
    expect([await resultOf(address, second), await resultOf(address, late.key)]).toEqual([
      'RATE_LIMITED',
      'RATE_LIMITED',
    ]);
    expect(await resultOf(newAddress(), late.key)).toBe('OK');
    await service.sql('update api_keys set revoked_at = now() where hash = $1', [hashApiKey(revoked)]);
    expect(await resultOf(address, revoked)).toBe('API_KEY_REVOKED');
  });

  it('does not accept credentials that were accepted from another address (D131)', async () => {
    const [home, address] = [newAddress(), newAddress()];
    const bob = await service.aDeveloper();
    expect(await resultOf(home, bob.key)).toBe('OK');
    await statusesOf(4, () => guess(address));
    expect([await resultOf(address, bob.key), await resultOf(home, bob.key)]).toEqual(['RATE_LIMITED', 'OK']);
  });
});

describe('the accepted credentials', () => {
  it('of one caller are not evicted by the many credentials and addresses of others (D131)', () => {
    const accepted = new AcceptedCredentials();
    accepted.add('198.51.100.1', 'good', 'developer:a');
    for (let n = 0; n < 10_000; n += 1) accepted.add(`198.51.100.${n % 200}`, `token ${n}`, 'account:evil');
    for (let n = 0; n < 4_000; n += 1) accepted.add('198.51.100.1', `key ${n}`, `developer:${n}`);
    expect(accepted.has('198.51.100.1', 'good')).toBe(true);
    expect(accepted.has('198.51.100.2', 'good')).toBe(false);
    expect(accepted.has('198.51.100.1', 'other')).toBe(false);
    // Each caller has at most 50 entries: the most recent ones.
    expect(accepted.has('198.51.100.199', 'token 9999')).toBe(true);
    expect(accepted.has('198.51.100.0', 'token 0')).toBe(false);
    expect(accepted.size).toBe(1 + 50 + 4_000);
    for (let n = 0; n < 10_000; n += 1) accepted.add('198.51.100.1', `key ${n}`, `developer:${n}`);
    expect(accepted.size).toBe(5_000);
  });

  it('expire an hour after their last use (D131)', () => {
    const accepted = new AcceptedCredentials(0);
    accepted.add('198.51.100.1', 'good', 'developer:a');
    expect(accepted.has('198.51.100.1', 'good')).toBe(false);
  });
});

import { describe, expect, it } from '@jest/globals';
import { Scope } from '../../../src/auth/scope.js';
import type { Developer, Json } from '../../support/actors.js';
import { allowedActions, expectForetold, type Foretold } from '../../support/allowed-actions.js';
import { duringTests } from '../../support/before-tests.js';
import { unknownId } from '../../support/matchers.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { startService } from '../../support/service.js';
import { startKeyExpiryWorker } from '../../support/workers.js';

type IssuedKey = Json & { key: string; scopes: string[]; expiresAt: string; name: string };
const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

const service = duringTests(() => startService({ DATABASE_POOL: '80' }));

const rotate = (input: object, bearer: string | null) =>
  service.client.call<IssuedKey>('graphql', 'rotateApiKey', { ...input }, bearer);
const works = async (key: string) => (await service.client.call('rest', 'me', {}, key)).code;
const recordOf = async ({ token }: Developer, id: string) =>
  (await service.client.must<Json[]>('myApiKeys', {}, token)).find((key) => key.id === id)!;
const near = (time: unknown, expectedMs: number) =>
  expect(Math.abs(Date.parse(String(time)) - expectedMs)).toBeLessThan(60_000);
/** Dates a key back: created this many days ago, for this many days. */
const aged = (id: string, ageDays: number, lifeDays: number) =>
  service.sql('update api_keys set created_at = $2, expires_at = $3 where id = $1', [
    id,
    new Date(Date.now() - ageDays * dayMs),
    new Date(Date.now() + (lifeDays - ageDays) * dayMs),
  ]);

describe('rotateApiKey', () => {
  it('returns a new key with the same name, scopes and lifetime; both work for the grace time (D90)', async () => {
    const developer = await service.aDeveloper();
    const scopes = [Scope.APP_READ, Scope.APP_UPDATE];
    const { id, key } = await service.anIssuedKey(developer, scopes);
    await aged(id, 20, 30);
    const data = expectSuccess(await rotate({ id, graceHours: 2 }, developer.token));
    expect(data).toMatchObject({ name: 'A key', scopes, status: 'ACTIVE', lastUsedAt: null });
    expect(data.key).toMatch(/^mkt_[0-9A-Za-z]{38}$/);
    expect(data.id).not.toBe(id);
    near(data.expiresAt, Date.now() + 30 * dayMs);
    near((await recordOf(developer, id)).expiresAt, Date.now() + 2 * hourMs);
    expect([await works(key), await works(data.key)]).toEqual([null, null]);
  });

  it('gives 24 hours by default, none with graceHours 0, and never more than the old key had left (D90)', async () => {
    const developer = await service.aDeveloper();
    const [usual, atOnce, ending] = [
      await service.anIssuedKey(developer),
      await service.anIssuedKey(developer),
      await service.anIssuedKey(developer),
    ];
    await aged(ending.id, 30, 30.01);
    expectSuccess(await rotate({ id: usual.id }, developer.token));
    expectSuccess(await rotate({ id: atOnce.id, graceHours: 0 }, developer.token));
    const before = (await recordOf(developer, ending.id)).expiresAt;
    expectSuccess(await rotate({ id: ending.id, graceHours: 168 }, developer.token));
    near((await recordOf(developer, usual.id)).expiresAt, Date.now() + dayMs);
    expect(await works(atOnce.key)).toBe('API_KEY_EXPIRED');
    expect((await recordOf(developer, ending.id)).expiresAt).toBe(before);
  });

  it('lets a key rotate itself, which does not prolong its lifetime (D9, D90)', async () => {
    const developer = await service.aDeveloper();
    const { id, key } = await service.anIssuedKey(developer);
    await aged(id, 80, 90);
    const end = (await recordOf(developer, id)).expiresAt;
    const data = expectSuccess(await rotate({ id, graceHours: 1 }, key));
    expect(data.expiresAt).toBe(end);
    expectSuccess(await service.client.call('graphql', 'me', {}, data.key));
  });

  it('creates no key that outlives the maximum, whatever the lifetime of the old one (D12, D90)', async () => {
    const developer = await service.aDeveloper();
    const { id } = await service.anIssuedKey(developer);
    await aged(id, 1, 2000);
    near((await rotate({ id }, developer.token)).data.expiresAt, Date.now() + 365 * dayMs);
  });

  it('requires all scopes of the other key, before it checks its status (D7, D10)', async () => {
    const developer = await service.aDeveloper();
    const wide = await service.anIssuedKey(developer);
    const narrow = await service.aKey(developer, [Scope.APP_READ]);
    const outcome = await rotate({ id: wide.id }, narrow);
    expectError(outcome, 'INSUFFICIENT_SCOPE');
    expect(outcome.message).toContain('APP_DELETE');
    await service.client.must('revokeApiKey', { id: wide.id }, developer.token);
    expectError(await rotate({ id: wide.id }, narrow), 'INSUFFICIENT_SCOPE');
    expectError(await rotate({ id: wide.id, graceHours: -1 }, narrow), 'VALIDATION_FAILED', [
      'graceHours: too_small',
    ]);
    expectError(await rotate({ id: wide.id, graceHours: 169 }, narrow), 'VALIDATION_FAILED', [
      'graceHours: too_big',
    ]);
    expectError(await rotate({ id: unknownId }, narrow), 'NOT_FOUND');
  });

  it('refuses a key that is revoked, expired or rotated already, and says what to do (D90)', async () => {
    const developer = await service.aDeveloper();
    const [revoked, expired, rotated] = [
      await service.anIssuedKey(developer),
      await service.anIssuedKey(developer),
      await service.anIssuedKey(developer),
    ];
    await service.client.must('revokeApiKey', { id: revoked.id }, developer.token);
    await aged(expired.id, 2, 1);
    const { data: successor } = await rotate({ id: rotated.id }, developer.token);
    for (const { id } of [revoked, expired, rotated])
      expectError(await rotate({ id }, developer.token), 'INVALID_TRANSITION');
    expect((await rotate({ id: rotated.id }, developer.token)).message).toContain(successor.id);
    expectSuccess(await rotate({ id: successor.id }, developer.token));
  });

  it('notifies the developer once, and not of the expiry that it causes (D46, D90)', async () => {
    const developer = await service.aDeveloper();
    const { id } = await service.anIssuedKey(developer);
    await aged(id, 20, 60);
    const { data } = await rotate({ id, graceHours: 20 }, developer.token);
    const worker = await startKeyExpiryWorker(service.databaseUrl);
    await worker.giveNotices();
    await worker.close();
    const told = (await notificationsOf(service, developer.id)).slice(-1);
    expect(told).toEqual([
      {
        kind: 'key.rotated',
        developerId: developer.id,
        keyId: data.id,
        formerKeyId: id,
        formerUntil: expect.any(String),
      },
    ]);
  });

  it('has the same result in allowedActions as in the call (D18)', async () => {
    const developer = await service.aDeveloper();
    const narrow = await service.anIssuedKey(developer, [Scope.APP_READ]);
    await rotate({ id: narrow.id }, developer.token);
    const { myApiKeys } = await service.client.queryData<{
      myApiKeys: { id: string; allowedActions: Foretold[] }[];
    }>(`{ myApiKeys { id ${allowedActions} } }`, {}, narrow.key);
    expect(
      myApiKeys.map((key) => key.allowedActions.find(({ action }) => action === 'rotateApiKey')?.code),
    ).toEqual([null, 'INVALID_TRANSITION', 'INSUFFICIENT_SCOPE']);
    for (const { id, allowedActions: foretold } of myApiKeys.slice(1))
      await expectForetold(
        service,
        foretold.filter(({ action }) => action === 'rotateApiKey'),
        { bearer: narrow.key, subject: id, another: async () => id },
      );
  });

  it('of fifty concurrent calls creates one key (D90)', async () => {
    const developer = await service.aDeveloper();
    const { id } = await service.anIssuedKey(developer);
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => rotate({ id }, developer.token)));
    const codes = outcomes.map(({ code }) => code ?? 'OK').sort();
    expect(codes).toEqual([...Array.from({ length: 49 }, () => 'INVALID_TRANSITION'), 'OK']);
    expect(await service.client.must('myApiKeys', {}, developer.token)).toHaveLength(3);
    const told = await notificationsOf(service, developer.id);
    expect(told.filter(({ kind }) => kind === 'key.rotated')).toHaveLength(1);
  });
});

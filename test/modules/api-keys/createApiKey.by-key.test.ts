import { describe, expect, it } from '@jest/globals';
import type { Scope } from '../../../src/auth/scope.js';
import type { Developer } from '../../support/actors.js';
import { apis } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';
import { creatingKeys, dayMs, keysOf } from './family.js';

const service = beforeTests(sharedService);

const create = creatingKeys(service);
const scopes = (...names: string[]) => names as Scope[];

/** A key that expires in this many days. */
async function aKeyWithDaysLeft(developer: Developer, days: number): Promise<{ key: string; end: string }> {
  const { id, key } = await service.anIssuedKey(developer);
  const end = new Date(Date.now() + days * dayMs).toISOString();
  await service.sql('update api_keys set expires_at = $2 where id = $1', [id, end]);
  return { key, end };
}

describe.each(apis)('createApiKey by an existing key over %s', (api) => {
  it('creates a child with scopes that its parent holds (D9)', async () => {
    const developer = await service.aDeveloper();
    const parent = await service.aKey(developer, scopes('APP_READ', 'APP_CREATE'));
    expectSuccess(await create(api, { scopes: ['APP_CREATE'] }, parent), 201);
    expectSuccess(await create(api, { scopes: ['APP_CREATE', 'APP_READ', 'APP_CREATE'] }, parent), 201);
  });

  it('refuses a scope that the parent does not hold, and creates nothing (D9)', async () => {
    const developer = await service.aDeveloper();
    const parent = await service.aKey(developer, scopes('APP_READ'));
    const before = await keysOf(service, developer);
    const outcome = await create(api, { scopes: ['APP_READ', 'APP_DELETE'] }, parent);
    expectError(outcome, 'INSUFFICIENT_SCOPE');
    expect(outcome.message).toContain('APP_DELETE');
    expect(await keysOf(service, developer)).toHaveLength(before.length);
  });

  it('validates the input before the scopes (D7)', async () => {
    const developer = await service.aDeveloper();
    const { key } = await aKeyWithDaysLeft(developer, 10);
    await service.sql("update api_keys set scopes = '{APP_READ}' where developer_id = $1", [developer.id]);
    expectError(await create(api, { name: '', scopes: ['APP_DELETE'] }, key), 'VALIDATION_FAILED', [
      'name: too_short',
    ]);
    expectError(await create(api, { expiresInDays: 11, scopes: ['APP_DELETE'] }, key), 'VALIDATION_FAILED', [
      'expiresInDays: too_big',
    ]);
  });

  it('gives a child the requested lifetime when the parent lives longer (D9)', async () => {
    const { key } = await aKeyWithDaysLeft(await service.aDeveloper(), 10);
    const { expiresAt } = (await create(api, { expiresInDays: 3 }, key)).data;
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 3 * dayMs)).toBeLessThan(60_000);
  });

  it('refuses a longer lifetime than the parent key has (D9)', async () => {
    const { key } = await aKeyWithDaysLeft(await service.aDeveloper(), 2.5);
    const outcome = await create(api, { expiresInDays: 4 }, key);
    expectError(outcome, 'VALIDATION_FAILED', ['expiresInDays: too_big']);
    expect(outcome.details[0]?.message).toContain('3');
  });

  it("accepts the parent's remaining days rounded up, and ends the key with its parent (D9)", async () => {
    const { key, end } = await aKeyWithDaysLeft(await service.aDeveloper(), 2.5);
    const data = expectSuccess(await create(api, { expiresInDays: 3 }, key), 201);
    expect(data.expiresAt).toBe(end);
  });

  it('ends the key with its parent when no lifetime is requested (D9)', async () => {
    const { key, end } = await aKeyWithDaysLeft(await service.aDeveloper(), 2.5);
    expect((await create(api, {}, key)).data.expiresAt).toBe(end);
    expect((await create(api, { expiresInDays: null }, key)).data.expiresAt).toBe(end);
  });

  it('gives the default 90 days when the parent lives longer (D9, D12)', async () => {
    const { key } = await aKeyWithDaysLeft(await service.aDeveloper(), 300);
    const { expiresAt } = (await create(api, {}, key)).data;
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 90 * dayMs)).toBeLessThan(60_000);
  });

  it('refuses more than the maximum even under a parent that lives longer (D12)', async () => {
    const { key } = await aKeyWithDaysLeft(await service.aDeveloper(), 500);
    expectError(await create(api, { expiresInDays: 366 }, key), 'VALIDATION_FAILED', [
      'expiresInDays: too_big',
    ]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { apis, type Input } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService, startService } from '../../support/service.js';
import { creatingKeys, dayMs, type IssuedKey, keysOf } from './family.js';

const service = beforeTests(sharedService);

const create = creatingKeys(service);

describe.each(apis)('the input of createApiKey over %s', (api) => {
  it.each([1, 365])('creates a key for %i days (D12)', async (expiresInDays) => {
    const { token } = await service.aDeveloper();
    const data = expectSuccess(await create(api, { expiresInDays }, token), 201);
    const life = Date.parse(data.expiresAt) - Date.parse(String(data.createdAt));
    expect(Math.abs(life - expiresInDays * dayMs)).toBeLessThan(60_000);
  });

  it('treats null for expiresInDays as absent (D20)', async () => {
    const { token } = await service.aDeveloper();
    const data = expectSuccess(await create(api, { expiresInDays: null }, token), 201);
    expect(Date.parse(data.expiresAt)).toBeGreaterThan(Date.now() + 89 * dayMs);
  });

  it('lists every problem at once and creates nothing (D7, D12, D23)', async () => {
    const developer = await service.aDeveloper();
    const before = await keysOf(service, developer);
    const told = await notificationsOf(service, developer.id);
    const outcome = await create(
      api,
      { name: 'x'.repeat(101), scopes: [], expiresInDays: 366 },
      developer.token,
    );
    expectError(outcome, 'VALIDATION_FAILED', [
      'name: too_long',
      'scopes: too_few',
      'expiresInDays: too_big',
    ]);
    expect(await keysOf(service, developer)).toHaveLength(before.length);
    expect(await notificationsOf(service, developer.id)).toEqual(told);
  });
});

describe('createApiKey over REST only', () => {
  it('names every field that is missing or of the wrong type (D7)', async () => {
    const { token } = await service.aDeveloper();
    const post = (body: unknown) =>
      service.client.request('POST', '/api/dev/api-keys', { bearer: token, body });
    const problems = async (body: unknown) =>
      ((await (await post(body)).json()) as { error: { details: { field: string; code: string }[] } }).error
        .details;
    expect(await problems({})).toMatchObject([
      { field: 'name', code: 'required' },
      { field: 'scopes', code: 'required' },
    ]);
    const wrong = { name: 1, scopes: ['APP_READ', 'app_read', 'ADMIN'], expiresInDays: 1.5 };
    expect(await problems(wrong)).toMatchObject([
      { field: 'name', code: 'invalid_type' },
      { field: 'scopes.1', code: 'invalid_value' },
      { field: 'scopes.2', code: 'invalid_value' },
      { field: 'expiresInDays', code: 'invalid_type' },
    ]);
    expect(await problems({ name: 'x', scopes: 'APP_READ', expiresInDays: '30' })).toMatchObject([
      { field: 'scopes', code: 'invalid_type' },
      { field: 'expiresInDays', code: 'invalid_type' },
    ]);
  });

  it('reports an enormous lifetime with one problem (D12)', async () => {
    const { token } = await service.aDeveloper();
    const outcome = await create('rest', { expiresInDays: 1e300 }, token);
    expect(outcome.details).toEqual([
      { field: 'expiresInDays', code: 'too_big', message: 'expiresInDays must be at most 365.' },
    ]);
  });
});

describe('createApiKey with other settings', () => {
  it('gives the configured lifetime and refuses more than the configured maximum (D12)', async () => {
    const other = await startService({ KEY_DEFAULT_DAYS: '7', KEY_MAX_DAYS: '400' });
    try {
      const { token } = await other.aDeveloper();
      const ask = (input: Input) =>
        other.client.call<IssuedKey>(
          'rest',
          'createApiKey',
          { name: 'x', scopes: ['APP_READ'], ...input },
          token,
        );
      const { expiresAt } = (await ask({})).data;
      expect(Math.abs(Date.parse(expiresAt) - Date.now() - 7 * dayMs)).toBeLessThan(60_000);
      expectSuccess(await ask({ expiresInDays: 400 }), 201);
      expectError(await ask({ expiresInDays: 401 }), 'VALIDATION_FAILED', ['expiresInDays: too_big']);
    } finally {
      await other.close();
    }
  });
});

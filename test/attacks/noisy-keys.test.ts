import { afterEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { Scope } from '../../src/auth/scope.js';
import type { Developer, Json } from '../support/actors.js';
import { duringTests } from '../support/before-tests.js';
import { notificationsOf } from '../support/notifications.js';
import { expectError, expectSuccess } from '../support/outcomes.js';
import { startService } from '../support/service.js';
import { changesOf, editOften, profileOf, revoked } from './stolen-key.js';

const service = duringTests(startService);
// Each test takes the same names, which only one verified developer can have (D325).
afterEach(() => service.sql("update developers set name = 'Somebody ' || id, company_name = null"));

const edit = (key: string, fields: object) => service.must('updateMe', { ...fields }, key);
const rowsOf = async (keyId: string) => {
  const [row] = await service.sql<{ count: number }>(
    'select count(*)::int from profile_changes where key_id = $1',
    [keyId],
  );
  return row?.count;
};
const linksOf = async ({ id }: Developer) =>
  (await notificationsOf(service, id))
    .filter(({ kind }) => kind === 'developer.updated')
    .map(({ undoUrl }) => (undoUrl ? new URL(String(undoUrl)).searchParams.get('token') : null));

describe('a key that changes the profile again and again', () => {
  it('fills no table, whatever it changes in turn (D323)', async () => {
    const ada = await service.aDeveloper({ bio: 'Mine.', websiteUrl: 'https://ada.example/' });
    const { id, key } = await service.anIssuedKey(ada);
    await editOften(service, { id, key });
    for (let n = 0; n < 12; n += 1) {
      const [bio, websiteUrl] = [`Evil ${n}.`, `https://eve.example/${n}`];
      await edit(key, [{ bio }, { websiteUrl }, { bio, websiteUrl }][n % 3]!);
    }
    expect(await rowsOf(id)).toBe(102);
    await revoked(service, ada, id);
    await service.must('undoKeyChanges', { keyId: id }, ada.token);
    expect(await profileOf(service, ada)).toMatchObject({ bio: 'Mine.', websiteUrl: 'https://ada.example/' });
  });

  it.each(['first', 'last'])('is undone to the first value by its %s link (D323)', async (which) => {
    const ada = await service.aDeveloper({ bio: 'Mine.' });
    const issued = await service.anIssuedKey(ada);
    const { id } = issued;
    await editOften(service, issued);
    const links = await linksOf(ada);
    expect(links.map((link) => link !== null)).toEqual([true, true, ...Array(10).fill(false)]);
    expect((await changesOf(service, ada, id)).map(([, result]) => result)).toEqual(Array(12).fill('OPEN'));
    const token = which === 'first' ? links[0] : links[1];
    await service.must('undoProfileChange', { token });
    expect(await profileOf(service, ada)).toMatchObject({ bio: 'Mine.' });
    await service.must('undoKeyChanges', { keyId: id }, ada.token);
    expect((await changesOf(service, ada, id)).map(([, result]) => result)).toEqual(
      Array(12).fill('REVERTED'),
    );
  });

  it('is undone to what the account has set in between (D323, D324)', async () => {
    const ada = await service.aDeveloper({ bio: 'Mine.' });
    const { id, key } = await service.anIssuedKey(ada);
    await editOften(service, { id, key });
    await edit(ada.token, { bio: 'Mine again.' });
    await edit(key, { bio: 'Evil again.' });
    expect((await linksOf(ada)).at(-1)).not.toBeNull();
    await revoked(service, ada, id);
    await service.must('undoKeyChanges', { keyId: id }, ada.token);
    expect(await profileOf(service, ada)).toMatchObject({ bio: 'Mine again.' });
  });

  it('is undone to what another key has set in between (D323)', async () => {
    const ada = await service.aDeveloper({ bio: 'Mine.' });
    const { id, key } = await service.anIssuedKey(ada);
    await editOften(service, { id, key });
    await edit(ada.key, { bio: 'By the pipeline.' });
    await edit(key, { bio: 'Evil again.' });
    await revoked(service, ada, id);
    await service.must('undoKeyChanges', { keyId: id }, ada.token);
    expect(await profileOf(service, ada)).toMatchObject({ bio: 'By the pipeline.' });
  });
});

describe('keys that a revoked key has created', () => {
  const aChildOf = (key: string) =>
    service.must<Json & { key: string }>(
      'createApiKey',
      { name: 'child', scopes: Object.values(Scope) },
      key,
    );
  /** A key that was revoked without its descendants. */
  async function aFamily() {
    const ada = await service.aDeveloper({ bio: 'Mine.' });
    const { id, key } = await service.anIssuedKey(ada);
    const child = await aChildOf(key);
    const grandchild = await aChildOf(child.key);
    await service.must('revokeApiKey', { id }, ada.token);
    return { ada, id, keys: [child.key, grandchild.key] as const };
  }

  it('are revoked before its changes are undone (D324)', async () => {
    const { ada, id, keys } = await aFamily();
    for (const key of keys) await edit(key, { bio: `Evil by ${key.slice(-4)}.` });
    const undone = await service.call('undoKeyChanges', { keyId: id }, ada.token);
    expect(undone.data).toMatchObject({ activeDescendants: [] });
    for (const key of keys)
      expectError(await service.client.call('rest', 'updateMe', { bio: 'Evil.' }, key), 'API_KEY_REVOKED');
    expect(await profileOf(service, ada)).toMatchObject({ bio: 'Mine.' });
  });

  it('leave no key, change or webhook behind that they make at the same time (D324)', async () => {
    const { ada, id, keys } = await aFamily();
    const [child, grandchild] = keys;
    const call = (name: Parameters<typeof service.client.call>[1], input: object, bearer: string) =>
      service.call(name, { ...input }, bearer);
    // Everything waits for this lock, then runs in any order.
    const gate = new Client(service.databaseUrl);
    await gate.connect();
    await gate.query('begin');
    await gate.query('select from developers where id = $1 for no key update', [ada.id]);
    const name = { name: 'late', scopes: ['APP_READ'] };
    const before = [child, grandchild, child].map((key) => call('createApiKey', name, key));
    const hooks = [1, 2, 3].map((n) =>
      call('createWebhookEndpoint', { url: `https://eve.example/${n}` }, child),
    );
    const edits = keys.map((key, n) => call('updateMe', { bio: `Evil ${n}.` }, key));
    const undone = call('undoKeyChanges', { keyId: id }, ada.token);
    const later = [child, grandchild, child].map((key) => call('createApiKey', name, key));
    await gate.query('commit');
    await gate.end();
    expectSuccess(await undone);
    for (const { code } of await Promise.all([...before, ...hooks, ...edits, ...later]))
      expect([null, 'API_KEY_REVOKED']).toContain(code);
    const active = await service.sql(
      'select from api_keys where developer_id = $1 and revoked_at is null and created_by_key_id is not null',
      [ada.id],
    );
    expect(active).toEqual([]);
    expect(await profileOf(service, ada)).toMatchObject({ bio: 'Mine.' });
    const endpoints = await service.must<Json[]>('myWebhookEndpoints', {}, ada.token);
    expect(endpoints.filter(({ status }) => status === 'ENABLED')).toEqual([]);
  });
});

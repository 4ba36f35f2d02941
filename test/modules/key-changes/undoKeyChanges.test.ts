import { afterEach, describe, expect, it } from '@jest/globals';
import { Scope } from '../../../src/auth/scope.js';
import { changesOf, editOften, profileOf, revoked } from '../../attacks/stolen-key.js';
import type { Json } from '../../support/actors.js';
import { duringTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { startService } from '../../support/service.js';

const service = duringTests(startService);
// Each test takes the same names, which only one verified developer can have (D325).
afterEach(() => service.sql("update developers set name = 'Somebody ' || id, company_name = null"));

const anEndpoint = (token: string) =>
  service.client.must<Json>('createWebhookEndpoint', { url: 'https://ada.example/hook' }, token);

describe('undoKeyChanges', () => {
  it('lists what a revoked key and its descendants did, and reverts profile and webhooks (D324)', async () => {
    const ada = await service.aDeveloper({ companyName: 'Ada & Co' });
    const owned = await anEndpoint(ada.token);
    const { id: keyId, key } = await service.anIssuedKey(ada);
    const child = await service.client.must<Json & { key: string }>(
      'createApiKey',
      { name: 'child', scopes: Object.values(Scope) },
      key,
    );
    await service.client.must('updateMe', { email: `gone-${ada.email}`, companyName: 'Evil' }, key);
    await service.client.must('updateMe', { companyName: 'Eviler' }, child.key);
    const made = await service.client.must<Json>(
      'createWebhookEndpoint',
      { url: 'https://eve.example/' },
      child.key,
    );
    await service.client.must('rotateWebhookSecret', { id: owned.id }, key);
    const app = await service.anApp({ ...ada, token: child.key });
    await service.client.must('reportLeakedKey', { key });

    expect(await changesOf(service, ada, keyId)).toEqual([
      ['APP_CREATED', 'LISTED'],
      ['WEBHOOK_SECRET_ROTATED', 'OPEN'],
      ['WEBHOOK_CREATED', 'OPEN'],
      ['DEVELOPER_UPDATED', 'OPEN'],
      ['DEVELOPER_EMAIL_CHANGED', 'OPEN'],
      ['KEY_CREATED', 'LISTED'],
    ]);
    await service.client.must('undoKeyChanges', { keyId }, ada.token);
    expect(await profileOf(service, ada)).toMatchObject({ email: ada.email, companyName: 'Ada & Co' });
    const endpoints = await service.client.must<Json[]>('myWebhookEndpoints', {}, ada.token);
    expect(endpoints.map(({ id, status }) => [id, status]).sort()).toEqual(
      [made.id, owned.id].map((id) => [id, 'DISABLED']).sort(),
    );
    expect((await changesOf(service, ada, keyId)).map(([, result]) => result)).toEqual([
      'LISTED',
      'REVERTED',
      'REVERTED',
      'REVERTED',
      'REVERTED',
      'LISTED',
    ]);
    expect(await service.client.must('myApp', { id: app.id }, ada.token)).toMatchObject({ status: 'DRAFT' });
  });

  it('keeps what the account has changed or enabled since, and repeats nothing (D324)', async () => {
    const ada = await service.aDeveloper();
    const { id: keyId, key } = await service.anIssuedKey(ada);
    await service.client.must('updateMe', { name: 'Eve', bio: 'Evil.' }, key);
    const { id } = await service.client.must<Json>(
      'createWebhookEndpoint',
      { url: 'https://eve.example/' },
      key,
    );
    await revoked(service, ada, keyId);
    await service.client.must('updateMe', { name: 'Ada Byron' }, ada.token);
    await service.client.must('undoKeyChanges', { keyId }, ada.token);
    expect(await profileOf(service, ada)).toMatchObject({ name: 'Ada Byron', bio: null });
    await service.client.must('enableWebhookEndpoint', { id }, ada.token);
    await service.client.must('updateMe', { bio: 'Mine.' }, ada.token);
    await service.client.must('undoKeyChanges', { keyId }, ada.token);
    expect(await profileOf(service, ada)).toMatchObject({ name: 'Ada Byron', bio: 'Mine.' });
    expect(await service.client.must('myWebhookEndpoints', {}, ada.token)).toMatchObject([
      { status: 'ENABLED' },
    ]);
    expect(await changesOf(service, ada, keyId)).toEqual([
      ['WEBHOOK_CREATED', 'KEPT'],
      ['DEVELOPER_UPDATED', 'REVERTED'],
    ]);
  });

  it('keeps what an administrator has changed since (D324, D325)', async () => {
    const ada = await service.aDeveloper();
    const { id: keyId, key } = await service.anIssuedKey(ada);
    await service.client.must('updateMe', { name: 'Eve Nine', bio: 'Evil.' }, key);
    const edit = { id: ada.id, name: 'Ada Nine', reason: 'It was not her name.' };
    await service.administer('editDeveloper', edit);
    await revoked(service, ada, keyId);
    await service.client.must('undoKeyChanges', { keyId }, ada.token);
    expect(await profileOf(service, ada)).toMatchObject({ name: 'Ada Nine', bio: null });
  });

  it('reverts the rest where somebody else has the former address meanwhile (D324)', async () => {
    const ada = await service.aDeveloper();
    const { id: keyId, key } = await service.anIssuedKey(ada);
    await service.client.must('updateMe', { email: 'eve2@evil.example', name: 'Eve' }, key);
    await service.anUnverifiedDeveloper({ email: ada.email.toUpperCase() });
    await revoked(service, ada, keyId);
    await service.client.must('undoKeyChanges', { keyId }, ada.token);
    expect(await profileOf(service, ada)).toMatchObject({ name: 'Ada', email: 'eve2@evil.example' });
    expect(await changesOf(service, ada, keyId)).toEqual([['DEVELOPER_EMAIL_CHANGED', 'EMAIL_TAKEN']]);
  });

  it('restores values that the audit log shortens or leaves out, of a key that made a hundred edits (D324, D116)', async () => {
    const ada = await service.aDeveloper({ bio: 'y'.repeat(2000) });
    const { id: keyId, key } = await service.anIssuedKey(ada);
    await editOften(service, { id: keyId, key });
    await revoked(service, ada, keyId);
    await service.client.must('undoKeyChanges', { keyId }, ada.token);
    expect(await profileOf(service, ada)).toMatchObject({ bio: 'y'.repeat(2000) });
  });

  it('refuses a key that still works, and one of somebody else (D324)', async () => {
    const [ada, grace] = [await service.aDeveloper(), await service.aDeveloper()];
    const { id: keyId } = await service.anIssuedKey(ada);
    const undo = (token: string) => service.client.call('graphql', 'undoKeyChanges', { keyId }, token);
    expectError(await undo(ada.token), 'INVALID_TRANSITION');
    await revoked(service, ada, keyId);
    expectError(await undo(grace.token), 'NOT_FOUND');
    expectSuccess(await undo(ada.token));
  });

  it('does not undo what happened more than 7 days ago (D324)', async () => {
    const ada = await service.aDeveloper();
    const { id: keyId, key } = await service.anIssuedKey(ada);
    await service.client.must('updateMe', { name: 'Eve' }, key);
    await service.sql(
      "update profile_changes set created_at = created_at - interval '7 days' where key_id = $1",
      [keyId],
    );
    await revoked(service, ada, keyId);
    await service.client.must('undoKeyChanges', { keyId }, ada.token);
    expect(await profileOf(service, ada)).toMatchObject({ name: 'Eve' });
  });

  it('undoes children and parents in any order (D324)', async () => {
    const ada = await service.aDeveloper({ bio: 'Mine.' });
    const parent = await service.anIssuedKey(ada);
    const scopes = { name: 'child', scopes: ['APP_READ'] };
    const child = await service.client.must<Json & { key: string }>('createApiKey', scopes, parent.key);
    await service.client.must('updateMe', { bio: 'Evil 1.' }, parent.key);
    await service.client.must('updateMe', { bio: 'Evil 2.' }, child.key);
    await revoked(service, ada, parent.id);
    await service.client.must('undoKeyChanges', { keyId: child.id }, ada.token);
    await service.client.must('undoKeyChanges', { keyId: parent.id }, ada.token);
    expect(await profileOf(service, ada)).toMatchObject({ bio: 'Mine.' });
  });

  it('takes one statement for twenty thousand changes of a noisy key (D324)', async () => {
    const ada = await service.aDeveloper({ bio: 'Mine.' });
    const { id: keyId, key } = await service.anIssuedKey(ada);
    await service.client.must('updateMe', { bio: 'Evil.' }, key);
    await service.sql(
      `insert into profile_changes (id, developer_id, key_id, before, undo_hash, created_at)
       select gen_random_uuid(), $1, $2, jsonb_build_object('bio', repeat('x', 1000)), sha256(n::text::bytea), now()
       from generate_series(1, 20000) n`,
      [ada.id, keyId],
    );
    await revoked(service, ada, keyId);
    await service.client.must('undoKeyChanges', { keyId }, ada.token);
    expect(await profileOf(service, ada)).toMatchObject({ bio: 'Mine.' });
    const [open] = await service.sql(
      'select count(*)::int from profile_changes where key_id = $1 and outcome is null',
      [keyId],
    );
    expect(open).toEqual({ count: 0 });
  });
});

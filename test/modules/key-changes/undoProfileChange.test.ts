import { afterEach, describe, expect, it } from '@jest/globals';
import { Scope } from '../../../src/auth/scope.js';
import { post, profileOf, tokenOf } from '../../attacks/stolen-key.js';
import type { Developer, Json } from '../../support/actors.js';
import { duringTests } from '../../support/before-tests.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectError } from '../../support/outcomes.js';
import { startService } from '../../support/service.js';

const service = duringTests(startService);
// Each test takes the same names, which only one verified developer can have (D325).
afterEach(() => service.sql("update developers set name = 'Somebody ' || id, company_name = null"));

const narrow = (developer: Developer) => service.anIssuedKey(developer, [Scope.ANALYTICS_READ]);

describe('a profile that a key has changed', () => {
  it('is restored once: of twenty clicks at once one works, and no later one (D323)', async () => {
    const ada = await service.aDeveloper();
    await service.client.must('updateMe', { name: 'Eve' }, (await narrow(ada)).key);
    const token = await tokenOf(service, ada);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => service.client.call('graphql', 'undoProfileChange', { token })),
    );
    expect(outcomes.filter(({ code }) => code === null)).toHaveLength(1);
    expect(new Set(outcomes.map(({ code }) => code))).toEqual(new Set([null, 'INVALID_TRANSITION']));
    await service.client.must('updateMe', { name: 'Ada Byron' }, ada.token);
    expectError(await service.client.call('graphql', 'undoProfileChange', { token }), 'INVALID_TRANSITION');
    expect(await profileOf(service, ada)).toMatchObject({ name: 'Ada Byron' });
  });

  it('is not restored by a forged, foreign or late token (D323)', async () => {
    const ada = await service.aDeveloper();
    await service.client.must('updateMe', { name: 'Eve' }, (await narrow(ada)).key);
    const token = await tokenOf(service, ada);
    const undo = (value: string) => service.client.call('graphql', 'undoProfileChange', { token: value });
    expectError(await undo('A'.repeat(43)), 'NOT_FOUND');
    for (const wrong of ['', 'x', `${token}x`, token.slice(1), `${token.slice(0, -1)}%`])
      expectError(await undo(wrong), 'VALIDATION_FAILED', ['token: invalid_token']);
    await service.sql(
      "update profile_changes set created_at = created_at - interval '7 days' where developer_id = $1",
      [ada.id],
    );
    expectError(await undo(token), 'INVALID_TRANSITION');
    expect(await profileOf(service, ada)).toMatchObject({ name: 'Eve' });
    const late = await post(`${service.url}/undo?token=${token}`);
    expect([late.status, await late.text()]).toEqual([409, expect.stringContaining('Nothing was undone')]);
  });

  it('keeps what the account has changed since (D323)', async () => {
    const ada = await service.aDeveloper({ companyName: 'Ada & Co' });
    await service.client.must('updateMe', { name: 'Eve', companyName: 'Evil' }, (await narrow(ada)).key);
    await service.client.must('updateMe', { name: 'Ada Byron' }, ada.token);
    const outcome = await service.client.call('graphql', 'undoProfileChange', {
      token: await tokenOf(service, ada),
    });
    expect(outcome.data).toMatchObject({ restored: ['companyName'], emailTaken: false });
    expect(await profileOf(service, ada)).toMatchObject({ name: 'Ada Byron', companyName: 'Ada & Co' });
  });

  it('keeps the address that the account has proven since (D323, D327)', async () => {
    const ada = await service.aDeveloper();
    const email = `present-${ada.email}`;
    await service.client.must('updateMe', { email }, (await narrow(ada)).key);
    const proof = await service.token(ada.accountUserId, { email, emailVerified: true });
    await service.client.must('updateMe', { email }, proof);
    const token = await tokenOf(service, ada);
    const outcome = await service.client.call('graphql', 'undoProfileChange', { token });
    expect(outcome.data).toMatchObject({ restored: [], emailTaken: false });
    expect(await profileOf(service, ada)).toMatchObject({ email, emailProven: true });
  });

  it('revokes the keys that the leaked key has created too (D323, D103)', async () => {
    const ada = await service.aDeveloper();
    const { key } = await narrow(ada);
    const child = await service.client.must<Json & { key: string }>(
      'createApiKey',
      { name: 'child', scopes: ['ANALYTICS_READ'] },
      key,
    );
    await service.client.must('updateMe', { name: 'Eve' }, child.key);
    await service.client.must('updateMe', { name: 'Eve 2' }, key);
    const outcome = await service.client.call('graphql', 'undoProfileChange', {
      token: await tokenOf(service, ada),
    });
    expect(outcome.data).toMatchObject({ descendantsRevoked: 1 });
    expectError(await service.client.call('rest', 'me', {}, child.key), 'API_KEY_REVOKED');
  });

  const tokens = async (id: string) =>
    (await notificationsOf(service, id)).flatMap(({ undoUrl }) =>
      undoUrl ? [new URL(String(undoUrl)).searchParams.get('token')] : [],
    );

  it('gets its first value back, whichever link is followed first (D323)', async () => {
    const ada = await service.aDeveloper({ bio: 'Mine.' });
    const { key } = await narrow(ada);
    await service.client.must('updateMe', { bio: 'Evil 1.' }, key);
    await service.client.must('updateMe', { bio: 'Evil 2.' }, key);
    const [first, second] = await tokens(ada.id);
    await service.client.must('undoProfileChange', { token: second });
    expect(await profileOf(service, ada)).toMatchObject({ bio: 'Mine.' });
    await service.client.must('undoProfileChange', { token: first });
    expect(await profileOf(service, ada)).toMatchObject({ bio: 'Mine.' });
  });

  it('gets its first value back after two leaked keys, in both orders (D323)', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const ada = await service.aDeveloper({ bio: 'Mine.' });
      await service.client.must('updateMe', { bio: 'Evil 1.' }, (await narrow(ada)).key);
      await service.client.must('updateMe', { bio: 'Evil 2.' }, (await narrow(ada)).key);
      const links = await tokens(ada.id);
      for (const at of order) await service.client.must('undoProfileChange', { token: links[at] });
      expect(await profileOf(service, ada)).toMatchObject({ bio: 'Mine.' });
    }
  });

  it('keeps what an honest key has changed before (D323)', async () => {
    const ada = await service.aDeveloper();
    await service.client.must('updateMe', { bio: 'By the pipeline.' }, (await narrow(ada)).key);
    await service.client.must('updateMe', { bio: 'Evil.' }, (await narrow(ada)).key);
    const [, token] = await tokens(ada.id);
    await service.client.must('undoProfileChange', { token });
    expect(await profileOf(service, ada)).toMatchObject({ bio: 'By the pipeline.' });
  });

  it('does not get a name back that another verified developer has taken (D323, D325)', async () => {
    const [ada, grace] = [await service.aDeveloper({ name: 'Quartz Mill' }), await service.aDeveloper()];
    await service.client.must('updateMe', { name: 'Elsewhere', bio: 'x' }, (await narrow(ada)).key);
    await service.client.must('updateMe', { name: 'Quartz Mill' }, grace.token);
    const outcome = await service.client.call('graphql', 'undoProfileChange', {
      token: await tokenOf(service, ada),
    });
    expect(outcome.data).toMatchObject({ restored: ['bio'] });
    expect(await profileOf(service, ada)).toMatchObject({ name: 'Elsewhere', bio: null });
  });
});

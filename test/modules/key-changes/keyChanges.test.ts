import { describe, expect, it } from '@jest/globals';
import { Scope } from '../../../src/auth/scope.js';
import { changesOf } from '../../attacks/stolen-key.js';
import type { Json } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

const service = beforeTests(sharedService);

describe('keyChanges', () => {
  it('lists what was done with a key that still works, and the keys that it has created (D324)', async () => {
    const ada = await service.aDeveloper();
    const { id: keyId, key } = await service.anIssuedKey(ada);
    const child = await service.client.must<Json>(
      'createApiKey',
      { name: 'child', scopes: ['APP_READ'] },
      key,
    );
    await service.client.must('updateMe', { bio: 'By a key.' }, key);
    expect(
      expectSuccess(await service.client.call('graphql', 'keyChanges', { keyId }, ada.token)),
    ).toMatchObject({
      key: { id: keyId, status: 'ACTIVE' },
      activeDescendants: [{ id: child.id }],
      changes: [
        { keyId, changes: [{ field: 'bio', before: null, after: 'By a key.' }], result: 'OPEN' },
        { keyId, result: 'LISTED' },
      ],
    });
  });

  it('shows changes of the profile and of webhooks however many others there are (D324)', async () => {
    const ada = await service.aDeveloper();
    const scopes = [Scope.APP_CREATE, Scope.APP_UPDATE, Scope.WEBHOOK_MANAGE];
    const { id: keyId, key } = await service.anIssuedKey(ada, scopes);
    await service.client.must('createWebhookEndpoint', { url: 'https://eve.example/' }, key);
    await service.client.must('updateMe', { bio: 'By a key.' }, key);
    const { id } = await service.anApp({ ...ada, token: key });
    for (let n = 0; n < 120; n += 1)
      await service.client.must('updateApp', { id, description: `Edit ${n}.` }, key);
    const kinds = (await changesOf(service, ada, keyId)).map(([kind]) => kind);
    expect(kinds.filter((kind) => kind === 'APP_UPDATED')).toHaveLength(100);
    expect(kinds.slice(-2)).toEqual(['DEVELOPER_UPDATED', 'WEBHOOK_CREATED']);
  });

  it.each(['keyChanges', 'undoKeyChanges'])(
    'is too expensive four times in a document, as %s (D324)',
    async (name) => {
      const ada = await service.aDeveloper();
      const { id: keyId } = await service.anIssuedKey(ada);
      const document = (count: number) =>
        `${name === 'keyChanges' ? 'query' : 'mutation'} ($keyId: ID!) { ${Array.from(
          { length: count },
          (_, at) => `a${at}: ${name}(keyId: $keyId) { key { id } }`,
        ).join(' ')} }`;
      const codesOf = async (count: number) =>
        (await service.client.graphql(document(count), { keyId }, ada.token)).errors?.map(
          ({ extensions }) => extensions.code,
        );
      expect(await codesOf(4)).toEqual(['QUERY_TOO_COMPLEX']);
      expect(await codesOf(3)).not.toEqual(['QUERY_TOO_COMPLEX']);
    },
  );
});

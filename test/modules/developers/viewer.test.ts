import { describe, expect, it } from '@jest/globals';
import { unique } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

const service = beforeTests(sharedService);

const query = '{ viewer { accountUserId isAdministrator name email developer { id status } } }';
const viewer = async (bearer: string | null) =>
  (await service.client.queryData<{ viewer: unknown }>(query, {}, bearer)).viewer;

describe('viewer', () => {
  it('is null without a credential, and the rest of the document is answered (D191)', async () => {
    const { data, errors } = await service.client.graphql('{ viewer { name } categories { count } }');
    expect(errors).toBeUndefined();
    expect(data).toEqual({ viewer: null, categories: expect.any(Array) });
  });

  it('shows an account that has not registered what its token says (D191)', async () => {
    const accountUserId = unique('stranger');
    const claims = { name: '  Nia Newcomer ', email: 'nia@example.com' };
    expect(await viewer(await service.token(accountUserId, claims))).toEqual({
      accountUserId,
      isAdministrator: false,
      name: 'Nia Newcomer',
      email: 'nia@example.com',
      developer: null,
    });
    expect(await viewer(await service.token(accountUserId))).toMatchObject({ name: null, email: null });
  });

  it('shows an administrator that they are one, and their developer profile (D191)', async () => {
    const { id, accountUserId } = await service.aDeveloper();
    expect(await viewer(await service.token(accountUserId, { admin: true }))).toMatchObject({
      accountUserId,
      isAdministrator: true,
      developer: { id, status: 'VERIFIED' },
    });
  });

  it("shows an API key its developer's account, never as an administrator (D191)", async () => {
    const { id, accountUserId, key } = await service.aDeveloper();
    expect(await viewer(key)).toEqual({
      accountUserId,
      isAdministrator: false,
      name: null,
      email: null,
      developer: { id, status: 'VERIFIED' },
    });
  });

  it('shows a suspended developer their status, but not to their keys (D13, D191)', async () => {
    const { id, token, key } = await service.aDeveloper();
    await service.administer('suspendDeveloper', { id, reason: 'Spam.' });
    expect(await viewer(token)).toMatchObject({ developer: { id, status: 'SUSPENDED' } });
    expectError(await service.client.call('graphql', 'viewer', {}, key), 'DEVELOPER_SUSPENDED');
  });

  it('is null with the error of a credential that is not accepted (D191)', async () => {
    const { data, errors } = await service.client.graphql(query, {}, 'garbage');
    expect(data).toEqual({ viewer: null });
    expect(errors).toMatchObject([{ path: ['viewer'], extensions: { code: 'INVALID_TOKEN' } }]);
  });

  it('shows the developer as soon as the account registers (D191)', async () => {
    const accountUserId = unique('fresh');
    const email = `${accountUserId}@example.com`;
    const token = await service.token(accountUserId);
    expect(await viewer(token)).toMatchObject({ developer: null });
    await service.client.must('registerDeveloper', { accountUserId, name: 'Fresh', email }, token);
    expect(await viewer(token)).toMatchObject({ developer: { status: 'UNVERIFIED' } });
  });

  it('is never cached, neither here nor by others, with or without a credential (D191)', async () => {
    const { token, accountUserId } = await service.aDeveloper();
    const path = `/graphql?query=${encodeURIComponent('{ viewer { accountUserId } }')}`;
    const read = async (bearer: string | null) => {
      const response = await service.client.request('GET', path, { bearer });
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('etag')).toBeNull();
      return ((await response.json()) as { data: unknown }).data;
    };
    for (let time = 0; time < 3; time += 1) {
      expect(await read(token)).toEqual({ viewer: { accountUserId } });
      expect(await read(null)).toEqual({ viewer: null });
    }
  });
});

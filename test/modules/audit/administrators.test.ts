import { beforeAll, describe, expect, it } from '@jest/globals';
import { unique } from '../../support/actors.js';
import { type Service, sharedService } from '../../support/service.js';

interface Named {
  accountUserId: string;
  name: string;
}

let service: Service;
beforeAll(async () => {
  service = await sharedService();
});

/** Reads the names with the token of the given administrator, until the one of `account` is there. */
const nameOf = async (account: string, token: string, is: (name?: string) => boolean) => {
  for (;;) {
    const listed = await service.client.must<Named[]>('administrators', {}, token);
    const found = listed.find(({ accountUserId }) => accountUserId === account)?.name;
    if (is(found)) return found;
  }
};

describe('administrators', () => {
  it('lists administrators by the names in their latest tokens (D427)', async () => {
    const account = unique('rosa');
    const first = await service.token(account, { admin: true, name: 'Rosa' });
    expect(await nameOf(account, first, Boolean)).toBe('Rosa');
    const renamed = await service.token(account, { admin: true, name: 'Rosa Reviewer' });
    expect(await nameOf(account, renamed, (name) => name !== 'Rosa')).toBe('Rosa Reviewer');
    const unnamed = await service.token(account, { admin: true });
    expect(await nameOf(account, unnamed, Boolean)).toBe('Rosa Reviewer');
  });

  it('does not list other accounts', async () => {
    const account = unique('ada');
    const token = await service.token(account, { name: 'Ada' });
    await service.client.queryData('{ viewer { name } }', {}, token);
    const admin = unique('admin');
    const reader = await service.token(admin, { admin: true, name: 'Later' });
    await nameOf(admin, reader, Boolean);
    const listed = await service.client.must<Named[]>('administrators', {}, reader);
    expect(listed.filter(({ accountUserId }) => accountUserId === account)).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { AccountTokens } from '../../src/auth/account-token.js';
import { ProviderKeys } from '../../src/auth/provider-keys.js';
import { createTestLog, type TestLog } from '../server/test-log.js';
import { duringTests } from '../support/before-tests.js';
import { startTestProvider } from '../support/oidc-provider.js';
import { startService } from '../support/service.js';

const provider = duringTests(startTestProvider);

const tokensWith = (rolesClaim: string, log: TestLog) =>
  new AccountTokens(
    { issuer: provider.issuer, audience: 'marketplace-gateway', rolesClaim, adminRole: 'marketplace-admin' },
    new ProviderKeys(provider.issuer).getKey,
    log.log,
  );

/** Returns whether a token with these claims, issued by the real provider, is an administrator's, and what was logged. */
async function check(rolesClaim: string, claims: Record<string, unknown>) {
  const log = createTestLog();
  const tokens = tokensWith(rolesClaim, log);
  const { isAdmin } = await tokens.verify(await provider.token('root', { claims }));
  return { isAdmin, logged: log.text() };
}

const others = ['default-roles-shop', 'offline_access'];

describe('the claim with the roles', () => {
  it.each<[form: string, rolesClaim: string, claims: Record<string, unknown>]>([
    ['a list', 'roles', { roles: [...others, 'marketplace-admin'] }],
    ['realm roles of Keycloak', 'realm_access.roles', { realm_access: { roles: ['marketplace-admin'] } }],
    [
      'client roles of Keycloak',
      'resource_access.shop.roles',
      { resource_access: { account: { roles: others }, shop: { roles: ['marketplace-admin'] } } },
    ],
    [
      'roles of a client whose id has dots and hyphens',
      'resource_access.shop-web.example.com.roles',
      { resource_access: { 'shop-web.example.com': { roles: ['marketplace-admin'] } } },
    ],
    [
      'a namespaced claim of Auth0',
      'https://shop.example.com/roles',
      { 'https://shop.example.com/roles': ['marketplace-admin'] },
    ],
    [
      'a claim inside a namespaced one',
      'https://shop.example.com/user.roles',
      { 'https://shop.example.com/user': { roles: 'marketplace-admin' } },
    ],
    ['a single text', 'role', { role: 'marketplace-admin' }],
    ['scopes separated by spaces', 'scp', { scp: 'openid marketplace-admin profile' }],
    [
      'a claim whose literal name contains dots, before nested objects',
      'realm_access.roles',
      { 'realm_access.roles': ['marketplace-admin'], realm_access: { roles: [] } },
    ],
    [
      'the longest name that leads to a value',
      'a.b.c',
      { 'a.b': { c: ['marketplace-admin'] }, a: { b: { c: [] }, 'b.c': [] } },
    ],
    [
      'a shorter name if the longer one leads nowhere',
      'a.b.c',
      { 'a.b': { d: [] }, a: { 'b.c': ['marketplace-admin'] } },
    ],
  ])('may be %s: %s (D172)', async (_, rolesClaim, claims) => {
    expect(await check(rolesClaim, claims)).toEqual({ isAdmin: true, logged: '' });
  });

  it.each<[rolesClaim: string, claims: Record<string, unknown>]>([
    ['roles', { roles: others }],
    ['roles', { roles: [] }],
    ['roles', { roles: '' }],
    ['role', { role: 'marketplace-administrator' }],
    ['scp', { scp: 'openid,marketplace-admin' }],
    ['realm_access.roles', { realm_access: { roles: others }, roles: ['marketplace-admin'] }],
    [
      'resource_access.shop.roles',
      { resource_access: { shop: { roles: [] } }, 'shop.roles': 'marketplace-admin' },
    ],
  ])('without the role makes no administrator: %s of %j (D172)', async (rolesClaim, claims) => {
    expect((await check(rolesClaim, claims)).isAdmin).toBe(false);
  });

  it.each<[found: string, rolesClaim: string, claims: Record<string, unknown>]>([
    ['missing', 'groups', {}],
    ['missing', 'realm_access.role', { realm_access: { roles: ['marketplace-admin'] } }],
    ['missing', 'realm_access.roles', { realm_access: ['marketplace-admin'] }],
    ['missing', '__proto__.roles', {}],
    ['missing', 'roles.0', { roles: ['marketplace-admin'] }],
    ['null', 'role', { role: null }],
    ['a number', 'role', { role: 7 }],
    ['a boolean', 'marketplace-admin', { 'marketplace-admin': true }],
    ['an object', 'realm_access', { realm_access: { roles: ['marketplace-admin'] } }],
    ['a list with items that are not strings', 'roles', { roles: [{ name: 'marketplace-admin' }] }],
  ])(
    'that is %s is logged, and makes no administrator: %s of %j (D172)',
    async (found, rolesClaim, claims) => {
      const { isAdmin, logged } = await check(rolesClaim, claims);
      expect(isAdmin).toBe(false);
      expect(JSON.parse(logged)).toMatchObject({
        level: 40,
        setting: 'OIDC_ROLES_CLAIM',
        value: rolesClaim,
        found,
      });
      expect(JSON.parse(logged).msg).toContain(`OIDC_ROLES_CLAIM=${rolesClaim}`);
    },
  );

  it('is logged once for each form, with the names of the claims and none of their values (D172)', async () => {
    const log = createTestLog();
    const tokens = tokensWith('access.roles', log);
    const verify = async (claims: Record<string, unknown>) =>
      tokens.verify(await provider.token('ada', { claims }));
    const secret = 'a-value-that-nobody-may-read';
    for (const roles of [{ a: secret }, { b: secret }, 1, 2, [secret, 3]])
      await verify({ access: { roles, list: secret } });
    for (const _ of ['first', 'second']) await verify({ access: { groups: secret } });
    const lines = log
      .text()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { found: string; claims: string[] });
    expect(lines.map(({ found }) => found)).toEqual([
      'an object',
      'a number',
      'a list with items that are not strings',
      'missing',
    ]);
    expect(lines[3]?.claims).toEqual(expect.arrayContaining(['sub', 'access', 'access.groups']));
    expect(log.text()).not.toContain(secret);
    expect(log.text()).not.toContain('"ada"');
  });
});

describe('a service whose roles are inside an object', () => {
  it('admits the administrators of a real provider, and nobody else (D8, D172)', async () => {
    await using service = await startService({
      NODE_ENV: 'production',
      OIDC_ISSUER: provider.issuer,
      OIDC_ROLES_CLAIM: 'resource_access.shop.web.roles',
      OIDC_ADMIN_ROLE: 'reviewer',
    });
    const reviewQueue = async (claims: Record<string, unknown>) => {
      const token = await provider.token('root', { claims });
      return (await service.call('reviewQueue', {}, token)).code;
    };
    expect(await reviewQueue({ resource_access: { 'shop.web': { roles: ['reviewer'] } } })).toBeNull();
    expect(await reviewQueue({ resource_access: { 'shop.web': { roles: ['reader'] } } })).toBe('FORBIDDEN');
    expect(await reviewQueue({ roles: ['reviewer'] })).toBe('FORBIDDEN');
  });
});

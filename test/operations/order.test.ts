import { beforeAll, describe, expect, it } from '@jest/globals';
import { Scope } from '../../src/auth/scope.js';
import { apis } from '../support/api-client.js';
import { beforeTests } from '../support/before-tests.js';
import { unknownId } from '../support/matchers.js';
import { expectError } from '../support/outcomes.js';
import { sharedService } from '../support/service.js';

let readOnlyKey: string;
let approvedId: string;
const service = beforeTests(sharedService);
const ada = beforeTests(() => service.aDeveloper());
beforeAll(async () => {
  readOnlyKey = await service.aKey(ada, [Scope.APP_READ]);
  approvedId = (await service.anApp(ada, 'APPROVED')).id;
});

const badInput = { name: '', description: '' };
const problems = ['description: too_short', 'name: too_short'];

describe.each(apis)('the order of checks over %s', (api) => {
  const update = (id: string, input: object, bearer: string | null) =>
    service.client.call(api, 'updateApp', { id, ...input }, bearer);

  it('first authenticates (D7)', async () => {
    expectError(await update(unknownId, badInput, null), 'UNAUTHENTICATED');
    expectError(await update(unknownId, badInput, 'mkt_x'), 'INVALID_API_KEY');
  });

  it('then checks the scope, before the input (D7)', async () => {
    expectError(await update(unknownId, badInput, readOnlyKey), 'INSUFFICIENT_SCOPE');
  });

  it('then validates the input, before it looks up the app (D7)', async () => {
    expectError(await update(unknownId, badInput, ada.key), 'VALIDATION_FAILED', problems);
    expectError(await update('not-a-uuid', badInput, ada.key), 'VALIDATION_FAILED', problems);
  });

  it('then looks up the app, before it checks its status (D7)', async () => {
    const eve = await service.aDeveloper();
    expectError(await update(approvedId, {}, eve.key), 'NOT_FOUND');
  });

  it('then checks the status, and then the revision (D7, D19)', async () => {
    expectError(await update(approvedId, { name: 'New', revision: 99 }, ada.key), 'APP_APPROVED');
    const { id } = await service.anApp(ada);
    expectError(await update(id, { name: 'New', revision: 99 }, ada.key), 'REVISION_CONFLICT');
  });

  it('checks the verification after the scope and before the app (D7)', async () => {
    const developer = await service.aDeveloper();
    const reading = await service.aKey(developer, [Scope.APP_READ]);
    await service.administer('unverifyDeveloper', { id: developer.id, reason: 'Papers.' });
    const submit = (key: string) => service.client.call(api, 'submitApp', { id: unknownId }, key);
    expectError(await submit(reading), 'INSUFFICIENT_SCOPE');
    expectError(await submit(developer.key), 'DEVELOPER_NOT_VERIFIED');
  });

  it('compares the account with the token after it has validated the input (D7)', async () => {
    const token = await service.token('somebody');
    const mine = { accountUserId: 'somebody-else', name: 'Ada', email: 'ada@example.com' };
    const register = (input: object) =>
      service.client.call(api, 'registerDeveloper', { ...mine, ...input }, token);
    expectError(await register({ email: 'nonsense' }), 'VALIDATION_FAILED', ['email: invalid_email']);
    expectError(await register({}), 'ACCOUNT_MISMATCH');
  });

  it('checks what a submission lacks after 404 and 409 (D7)', async () => {
    const bare = { screenshots: [] };
    const { id } = await service.anApp(ada, 'DRAFT', bare);
    const submit = (app: string) => service.client.call(api, 'submitApp', { id: app }, ada.key);
    expectError(await submit(approvedId), 'INVALID_TRANSITION');
    expectError(await submit(id), 'VALIDATION_FAILED', ['screenshots: too_few']);
  });
});

describe('the order of checks over REST only', () => {
  const put = (body: string, type: string, bearer: string | null) =>
    service.client.request('PUT', `/api/dev/apps/${unknownId}`, {
      bearer,
      body,
      headers: { 'content-type': type },
    });
  const codeOf = async (response: Response) =>
    ((await response.json()) as { error: { code: string } }).error.code;

  it('checks the body and the method before it authenticates (D7)', async () => {
    expect(await codeOf(await put('{', 'application/json', null))).toBe('MALFORMED_JSON');
    expect(await codeOf(await put('{}', 'text/plain', null))).toBe('UNSUPPORTED_MEDIA_TYPE');
    expect(await codeOf(await put('x'.repeat(300_000), 'application/json', null))).toBe('PAYLOAD_TOO_LARGE');
    expect((await service.client.request('PATCH', '/api/dev/me')).status).toBe(405);
  });

  it('rejects an unknown field and an empty body after 401 and 403 (D7)', async () => {
    expect(await codeOf(await put('{"nmae":"x"}', 'application/json', null))).toBe('UNAUTHENTICATED');
    expect(await codeOf(await put('{"nmae":"x"}', 'application/json', readOnlyKey))).toBe(
      'INSUFFICIENT_SCOPE',
    );
    const create = (bearer: string | null) => service.client.request('POST', '/api/dev/apps', { bearer });
    expect(await codeOf(await create(null))).toBe('UNAUTHENTICATED');
    expect(await codeOf(await create(readOnlyKey))).toBe('INSUFFICIENT_SCOPE');
    expect(await codeOf(await create(ada.key))).toBe('VALIDATION_FAILED');
  });
});

describe('the order of checks over GraphQL only', () => {
  it('rejects a type error before it authenticates (D7)', async () => {
    const { response, errors } = await service.client.graphql(
      'mutation ($input: CreateAppInput!) { createApp(input: $input) { id } }',
      { input: { name: 7 } },
    );
    expect(response.status).toBe(400);
    expect(errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
  });
});

describe('a 401 over REST', () => {
  it('always has WWW-Authenticate: Bearer (D7)', async () => {
    const credentials: [string, string | null][] = [
      ['UNAUTHENTICATED', null],
      ['UNAUTHENTICATED', ada.token],
      ['INVALID_API_KEY', 'mkt_nonsense'],
      ['API_KEY_EXPIRED', await service.anExpiredKey(ada)],
      ['API_KEY_REVOKED', await service.aRevokedKey(ada)],
      ['INVALID_TOKEN', 'nonsense'],
    ];
    for (const [code, bearer] of credentials) {
      const response = await service.client.request('GET', '/api/dev/me', { bearer });
      expect([code, response.status]).toEqual([code, 401]);
      const challenge = response.headers.get('www-authenticate') ?? '';
      expect(challenge).toMatch(/^Bearer realm="[^"]+"/);
      // RFC 6750: no error where no credential was sent.
      expect(challenge.includes('error="invalid_token"')).toBe(code !== 'UNAUTHENTICATED');
      expect(await response.json()).toMatchObject({ error: { code } });
    }
  });

  it.each(['Basic YTpi', 'Bearer', 'Bearer ', 'mkt_x', 'Token abc', 'Bearer\tx'])(
    'is UNAUTHENTICATED for "Authorization: %s", which is no Bearer credential (D8)',
    async (authorization) => {
      const response = await service.client.request('GET', '/api/dev/me', { headers: { authorization } });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ error: { code: 'UNAUTHENTICATED' } });
    },
  );

  it.each(['bearer', 'BEARER', 'Bearer  '])('is not caused by the spelling "%s" (D8)', async (scheme) => {
    const headers = { authorization: `${scheme} ${ada.key}` };
    expect((await service.client.request('GET', '/api/dev/me', { headers })).status).toBe(200);
  });

  it('is INVALID_TOKEN for a credential that is neither key nor JWT (D7)', async () => {
    for (const bearer of ['x', 'a.b.c', 'MKT_x', 'null', ada.token.slice(0, -4)]) {
      const response = await service.client.request('GET', '/api/dev/me', { bearer });
      expect(await response.json()).toMatchObject({ error: { code: 'INVALID_TOKEN' } });
    }
  });

  it('has a challenge, and a 403 has none', async () => {
    const response = await service.client.request('GET', `/api/dev/apps/${unknownId}/analytics`, {
      bearer: readOnlyKey,
    });
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toBeNull();
  });
});

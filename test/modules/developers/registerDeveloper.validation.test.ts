import { describe, expect, it } from '@jest/globals';
import { unique } from '../../support/actors.js';
import { apis } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';
import { registering } from './registering.js';

const service = beforeTests(sharedService);
const register = registering(service);

describe.each(apis)('the input of registerDeveloper over %s', (api) => {
  it('lists every problem at once (D7, D23)', async () => {
    const outcome = await register(api, {
      name: '  ',
      email: 'not an address',
      companyName: 'x'.repeat(121),
      websiteUrl: 'ftp://engines.example',
      bio: 'x'.repeat(2001),
    });
    expectError(outcome, 'VALIDATION_FAILED', [
      'name: too_short',
      'email: invalid_email',
      'companyName: too_long',
      'websiteUrl: invalid_url',
      'bio: too_long',
    ]);
  });

  it('trims and normalises text before it counts (D23)', async () => {
    const decomposed = 'e\u0301'.repeat(100);
    const data = expectSuccess(await register(api, { name: `\t ${decomposed}\u00a0\n` }), 201);
    expect(data.name).toBe('é'.repeat(100));
  });

  it.each([
    'ftp://engines.example',
    'javascript:alert(1)',
    '//engines.example',
    'engines.example',
    'https://',
    'https://ada@engines.example',
    'https://ada:secret@engines.example',
    'https://engines.example/a b',
    ' https://engines.example',
    'https://engines.example/\u0001',
    'https://engines.example/\ud83e',
    '',
  ])('refuses %j as a web address (D23)', async (websiteUrl) => {
    expectError(await register(api, { websiteUrl }), 'VALIDATION_FAILED', ['websiteUrl: invalid_url']);
  });

  it.each([
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'a b@example.com',
    'ada@@example.com',
    'ada@exa\nmple.com',
    'Ada <ada@example.com>',
    'ada@example.com, eve@example.com',
  ])('refuses %j as an e-mail address (D23)', async (email) => {
    expectError(await register(api, { email }), 'VALIDATION_FAILED', ['email: invalid_email']);
  });
});

describe('registerDeveloper over REST only', () => {
  const post = async (body: unknown, accountUserId: string, headers: Record<string, string> = {}) => {
    const bearer = await service.token(accountUserId);
    const response = await service.client.request('POST', '/api/dev/register', { bearer, body, headers });
    return { response, body: (await response.json()) as Record<string, unknown> };
  };

  it('names every field that is missing, null or of the wrong type (D6, D20)', async () => {
    const { response, body } = await post({ name: null, companyName: 7, bio: ['x'] }, unique('ada'));
    expect(response.status).toBe(400);
    expect(body).toEqual({
      error: {
        code: 'VALIDATION_FAILED',
        message: expect.any(String),
        details: [
          { field: 'name', code: 'required', message: 'name is required.' },
          { field: 'email', code: 'required', message: 'email is required.' },
          { field: 'accountUserId', code: 'required', message: 'accountUserId is required.' },
          { field: 'companyName', code: 'invalid_type', message: expect.any(String) },
          { field: 'bio', code: 'invalid_type', message: expect.any(String) },
        ],
        requestId: response.headers.get('x-request-id'),
      },
    });
  });

  it('ignores read-only fields of the profile (D4)', async () => {
    const accountUserId = unique('ada');
    const { response, body } = await post(
      {
        accountUserId,
        name: 'Ada',
        email: `${accountUserId}@example.com`,
        status: 'VERIFIED',
        verifiedAt: '2026-01-01T00:00:00.000Z',
        id: '0198c5b0-7a60-7c1e-8f5e-9d491f8f6a1f',
      },
      accountUserId,
    );
    expect(response.status).toBe(201);
    expect(response.headers.get('x-ignored-fields')).toBe('status, verifiedAt, id');
    expect(body).toMatchObject({ status: 'UNVERIFIED', verifiedAt: null });
    expect(body.id).not.toBe('0198c5b0-7a60-7c1e-8f5e-9d491f8f6a1f');
  });
});

describe('the input of registerDeveloper over graphql', () => {
  it('refuses unknown input fields by the GraphQL types (D4, D7)', async () => {
    const token = await service.token(unique('ada'));
    const { response, errors } = await service.client.graphql(
      'mutation ($input: RegisterDeveloperInput!) { registerDeveloper(input: $input) { id } }',
      { input: { accountUserId: 'a', name: 'Ada', email: 'a@example.com', status: 'VERIFIED' } },
      token,
    );
    expect(errors).toEqual([
      expect.objectContaining({
        extensions: {
          code: 'VALIDATION_FAILED',
          details: [expect.objectContaining({ field: expect.any(String), code: expect.any(String) })],
          requestId: response.headers.get('x-request-id'),
        },
      }),
    ]);
  });
});

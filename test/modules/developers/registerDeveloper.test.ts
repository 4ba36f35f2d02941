import { describe, expect, it } from '@jest/globals';
import { unique } from '../../support/actors.js';
import { type Api, apis, type Input } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const service = beforeTests(sharedService);

/** Registers a new account with these fields; the others have defaults. */
const register = async (api: Api, fields: Input = {}, accountUserId = unique('ada')) => {
  const profile = { accountUserId, name: 'Ada', email: `${accountUserId}@example.com`, ...fields };
  const token = await service.token(accountUserId);
  return service.client.call<Record<string, unknown>>(api, 'registerDeveloper', profile, token);
};

describe.each(apis)('registerDeveloper over %s', (api) => {
  it('registers the signed-in account as an unverified developer (D2, D3, D9, D15)', async () => {
    const accountUserId = unique('ada');
    expect(
      expectSuccess(
        await register(api, { name: '  Ada  ', companyName: null, bio: 'One.\n\n\tTwo.' }, accountUserId),
        201,
      ),
    ).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      accountUserId,
      name: 'Ada',
      email: `${accountUserId}@example.com`,
      emailProven: false,
      emailLost: false,
      companyName: null,
      websiteUrl: null,
      bio: 'One.\n\n\tTwo.',
      status: 'UNVERIFIED',
      verifiedAt: null,
      createdAt: expect.stringMatching(isoTime),
      updatedAt: expect.stringMatching(isoTime),
    });
  });

  it('keeps every optional field that is sent (D15)', async () => {
    const optional = {
      companyName: 'Engines Ltd',
      websiteUrl: 'HTTPS://Engines.example/?a=1#b',
      bio: 'Hello',
    };
    expect((await register(api, optional)).data).toMatchObject(optional);
  });

  it('treats null for an optional field as absent (D20)', async () => {
    expect(
      expectSuccess(await register(api, { companyName: null, websiteUrl: null, bio: null }), 201),
    ).toMatchObject({ companyName: null, websiteUrl: null, bio: null });
  });

  it('compares the account case-sensitively (D9)', async () => {
    const accountUserId = unique('ada');
    const input = { accountUserId: accountUserId.toUpperCase(), name: 'Ada', email: 'ada@example.com' };
    const outcome = await service.client.call(
      api,
      'registerDeveloper',
      input,
      await service.token(accountUserId),
    );
    expectError(outcome, 'ACCOUNT_MISMATCH');
  });

  it('refuses a second registration of the same account (D15)', async () => {
    const accountUserId = unique('ada');
    expectSuccess(await register(api, {}, accountUserId), 201);
    const again = await register(api, { email: `${unique('other')}@example.com` }, accountUserId);
    expectError(again, 'DEVELOPER_EXISTS');
    expectError(await register(api, {}, accountUserId), 'DEVELOPER_EXISTS');
  });

  it('refuses an e-mail address that is taken, whatever its case (D15)', async () => {
    const email = `${unique('ada')}@example.com`;
    expectSuccess(await register(api, { email }), 201);
    expectError(await register(api, { email }), 'EMAIL_TAKEN', ['email: taken']);
    expectError(await register(api, { email: email.toUpperCase() }), 'EMAIL_TAKEN', ['email: taken']);
    expectError(await register(api, { email: `  ${email} ` }), 'EMAIL_TAKEN', ['email: taken']);
  });

  it('is not confused by a name that equals a constraint’s name (D15)', async () => {
    const accountUserId = unique('ada');
    const fields = { name: 'developers_email_key', email: `${unique('one')}@example.com` };
    expectSuccess(await register(api, fields, accountUserId), 201);
    const again = { ...fields, email: `${unique('two')}@example.com` };
    expectError(await register(api, again, accountUserId), 'DEVELOPER_EXISTS');
  });

  it('stores nothing when it refuses (D7)', async () => {
    const accountUserId = unique('ada');
    await register(api, { name: '' }, accountUserId);
    const rows = await service.sql('select from developers where account_user_id = $1', [accountUserId]);
    expect(rows).toHaveLength(0);
  });
});

describe('registerDeveloper over graphql', () => {
  it('registers and reads in one request: the account is a developer at once (D9)', async () => {
    const accountUserId = unique('ada');
    const token = await service.token(accountUserId);
    const { data, errors } = await service.client.graphql(
      `mutation ($input: RegisterDeveloperInput!, $app: CreateAppInput!) {
        registerDeveloper(input: $input) { status }
        createApp(input: $app) { status }
      }`,
      {
        input: { accountUserId, name: 'Ada', email: `${accountUserId}@example.com` },
        app: { name: 'App', description: 'Does it.', category: 'OTHER', environment: 'staging' },
      },
      token,
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({ registerDeveloper: { status: 'UNVERIFIED' }, createApp: { status: 'DRAFT' } });
  });
});

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

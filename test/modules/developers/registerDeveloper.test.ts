import { describe, expect, it } from '@jest/globals';
import { unique } from '../../support/actors.js';
import { apis } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';
import { registering } from './registering.js';

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const service = beforeTests(sharedService);
const register = registering(service);

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

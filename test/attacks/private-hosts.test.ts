import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { operations } from '../../src/contract.js';
import { addressTricks } from '../net/address-tricks.js';
import { type AppJson, aListing, type Developer, unique } from '../support/actors.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { startTestProvider } from '../support/oidc-provider.js';
import { expectError, expectSuccess } from '../support/outcomes.js';
import { startService } from '../support/service.js';
import { words } from '../support/words.js';

let token: string;
let admin: string;
let app: AppJson;
const provider = duringTests(startTestProvider);
const service = duringTests(() => startService({ NODE_ENV: 'production', OIDC_ISSUER: provider.issuer }));
beforeAll(async () => {
  token = await provider.token('ada');
  admin = await provider.token('root', { admin: true });
  const profile = { accountUserId: 'ada', name: 'Ada', email: 'ada@example.com' };
  const { id } = await service.must<Developer>('registerDeveloper', profile, token);
  await service.must('verifyDeveloper', { id }, admin);
  app = await service.must('createApp', aListing({ name: 'Plain' }), token);
});

const update = (fields: object) => service.call('updateApp', { id: app.id, ...fields }, token);

describe('in production, a listing', () => {
  it.each(
    words(`
    http://8.8.8.8/a.png https://[2606:4700::1111]/a.png http://printer/a.png http://printer.local./a.png
    http://example.com../a.png`),
  )('cannot show a picture of %s (D354)', async (url) => {
    expectError(await update({ logoUrl: url }), 'VALIDATION_FAILED', ['logoUrl: not_public']);
  });

  it('cannot show a picture of any address or name that the fetcher rejects (D354)', async () => {
    const passed: string[] = [];
    // Ports are a matter of fetching: a browser has its own list.
    const tricks = addressTricks(8080).filter(({ kind }) => kind !== 'ports of other services');
    expect(tricks.length).toBeGreaterThan(200);
    for (const { url } of tricks) {
      const { code } = await update({ bannerUrl: url });
      if (code !== 'VALIDATION_FAILED') passed.push(url);
    }
    expect(passed).toEqual([]);
  });

  it.each([
    'https://example.com/a.png',
    'https://example.com./a.png',
    'https://xn--bcher-kva.example/',
    'https://bücher.example:8443/',
  ])('can show a picture of %s (D354)', async (url) => expectSuccess(await update({ logoUrl: url })));

  it.each(['https://localhost./', 'https://127.0.0.1./', 'https://a.localhost./', 'https://printer.local./'])(
    'gets no webhooks at %s (D354)',
    async (url) => {
      const created = await service.call('createWebhookEndpoint', { url }, token);
      expectError(created, 'VALIDATION_FAILED', ['url: not_public']);
    },
  );

  it('names all fields at once, at both doors, for apps, versions, edits and profiles (D354)', async () => {
    const inner = 'http://10.0.0.1/';
    const pictures = { logoUrl: inner, bannerUrl: inner, websiteUrl: inner, screenshots: [{ url: inner }] };
    const fields = ['logoUrl', 'bannerUrl', 'websiteUrl', 'screenshots.0.url'].map(
      (field) => `${field}: not_public`,
    );
    const id = await livingApp();
    const key = await service.must<{ key: string }>(
      'createApiKey',
      { name: 'A key', scopes: ['APP_CREATE', 'APP_UPDATE'] },
      token,
    );
    const version = await service.must<AppJson>('createAppVersion', { appId: id, name: 'Two' }, token);
    const attempts = [
      service.client.call('rest', 'createApp', aListing(pictures), key.key),
      service.call('createApp', aListing(pictures), token),
      service.client.call('rest', 'updateApp', { id: app.id, ...pictures }, key.key),
      update(pictures),
      service.call('updateAppVersion', { id: version.id, ...pictures }, token),
      service.call('editApp', { id, ...pictures, reason: 'A reason.' }, admin),
    ];
    for (const attempt of attempts) expectError(await attempt, 'VALIDATION_FAILED', fields);
    const website = ['websiteUrl: not_public'];
    expectError(
      await service.client.call('rest', 'updateMe', { websiteUrl: inner }, key.key),
      'VALIDATION_FAILED',
      website,
    );
    const newcomer = { accountUserId: 'eve', name: 'Eve', email: 'eve@example.com', websiteUrl: inner };
    const eve = await provider.token('eve');
    expectError(
      await service.client.call('rest', 'registerDeveloper', newcomer, eve),
      'VALIDATION_FAILED',
      website,
    );
  });

  /** An approved app with pictures that a former release accepted. */
  const livingApp = async () => {
    const { id, revision } = await service.must<AppJson>(
      'createApp',
      aListing({ name: unique('App') }),
      token,
    );
    await service.must('submitApp', { id }, token);
    await service.must('approveApp', { id, revision }, admin);
    return id;
  };

  it('of a former release can be read and edited, but not submitted, as app and as version (D354)', async () => {
    const draft = await service.must<AppJson>('createApp', aListing({ name: unique('Old') }), token);
    const live = await livingApp();
    const version = await service.must<AppJson>(
      'createAppVersion',
      { appId: live, name: unique('V') },
      token,
    );
    await service.sql("update apps set logo_url = 'http://10.0.0.1/a.png' where id = any($1)", [
      [draft.id, live],
    ]);
    await service.sql("update app_versions set logo_url = 'http://10.0.0.1/a.png' where id = $1", [
      version.id,
    ]);
    for (const [name, subject] of [
      ['App', draft],
      ['AppVersion', version],
    ] as const) {
      const { id } = subject;
      expectSuccess(await service.call(`update${name}`, { id, description: 'Other.' }, token));
      const refused = await service.call(`submit${name}`, { id }, token);
      expectError(refused, 'VALIDATION_FAILED', ['logoUrl: not_public']);
      const { preflight } = await service.client.queryData<{
        preflight: { ready: boolean; findings: { code: string }[] };
      }>('query ($id: ID!) { preflight(id: $id) { ready findings { field code } } }', { id }, token);
      expect(preflight.ready).toBe(false);
      expect(preflight.findings).toEqual(expect.arrayContaining([{ field: 'logoUrl', code: 'not_public' }]));
      expectSuccess(await service.call(`update${name}`, { id, logoUrl: null }, token));
      expectSuccess(await service.call(`submit${name}`, { id }, token));
    }
    expectSuccess(
      await service.call('editApp', { id: live, description: 'Other.', reason: 'A reason.' }, admin),
    );
  });
});

describe('in development, a listing', () => {
  const development = duringTests(startService);
  const ada = beforeTests(() => development.aDeveloper());

  it.each([
    ['http://localhost:3000/a.png', true],
    ['http://a.localhost/a.png', true],
    ['http://127.0.0.1:4000/a.png', true],
    ['http://[::1]/a.png', true],
    ['http://10.0.0.1/a.png', false],
    ['http://169.254.169.254/a.png', false],
    ['http://8.8.8.8/a.png', false],
    ['http://printer.local/a.png', false],
    ['http://printer/a.png', false],
    ['http://[fd00::1]/a.png', false],
    ['http://0.0.0.0/a.png', false],
  ])('with a picture of %s: %s (D354)', async (logoUrl, isAccepted) => {
    const created = await development.call(
      'createApp',
      aListing({ name: unique('App'), logoUrl }),
      ada.token,
    );
    if (isAccepted) expectSuccess(created);
    else expectError(created, 'VALIDATION_FAILED', ['logoUrl: not_public']);
  });
});

describe('every operation', () => {
  const hasUrl = (schema: z.ZodType): boolean => {
    if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
      return hasUrl(schema.unwrap() as z.ZodType);
    if (schema instanceof z.ZodArray) return hasUrl(schema.element as z.ZodType);
    if (schema instanceof z.ZodObject) return Object.values<z.ZodType>(schema.shape).some(hasUrl);
    return schema.meta()?.format === 'uri';
  };
  const withUrls = operations.filter(([, { input }]) => hasUrl(input));

  it('that takes URLs checks their hosts (D354)', () => {
    expect(withUrls.length).toBeGreaterThan(8);
    expect(withUrls.filter(([, { problems }]) => !problems).map(([name]) => name)).toEqual([]);
  });
});

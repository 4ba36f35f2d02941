import { describe, expect, it } from '@jest/globals';
import { Category } from '../../../src/modules/listings/listing.entity.js';
import { examples } from '../../../src/rest/openapi/examples.js';
import { type AppJson, aListing, twoScreenshots, unique } from '../../support/actors.js';
import { type Api, apis, type Input } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

const service = beforeTests(sharedService);
const ada = beforeTests(() => service.aDeveloper());

const create = (api: Api, fields: Input = {}) =>
  service.client.call<AppJson>(api, 'createApp', aListing({ name: unique('App'), ...fields }), ada.key);
const picture = (name: string, fields: Input = {}) => ({
  url: `https://pictures.example/${name}.png`,
  ...fields,
});

describe.each(apis)('createApp over %s', (api) => {
  it('creates a draft from the required fields, with everything else unset (D2, D3, D17, D22)', async () => {
    const input = {
      name: 'Bare Minimum',
      description: 'Does it.',
      category: 'AI_ML',
      environment: 'localhost',
    };
    const outcome = await service.client.call(api, 'createApp', input, ada.key);
    expectSuccess(outcome, 201);
    const unset = Object.fromEntries(Object.keys(examples.createApp!.response).map((name) => [name, null]));
    expect(outcome.data).toEqual({
      ...unset,
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      slug: expect.stringMatching(/^bare-minimum(-2)?$/),
      ...input,
      screenshots: [],
      status: 'DRAFT',
      featured: false,
      installCount: 0,
      reviewCount: 0,
      averageRating: 0,
      revision: 1,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: outcome.data.createdAt,
    });
    expect(await service.client.must('myApp', { id: outcome.data.id }, ada.key)).toEqual(outcome.data);
    if (api === 'rest') expect(outcome.headers.get('etag')).toBe('"1"');
  });

  it('keeps every field that is sent (D17)', async () => {
    const fields = {
      longDescription: '# Title\r\n\r\n\t- point',
      logoUrl: 'https://Pictures.example/logo.png?size=512#x',
      bannerUrl: 'http://pictures.example/banner.jpg',
      websiteUrl: 'https://app.example',
      oauthClientId: 'client-1',
    };
    expect(expectSuccess(await create(api, fields), 201)).toMatchObject(fields);
  });

  it('treats null for an optional field as absent (D20)', async () => {
    const unset = {
      longDescription: null,
      logoUrl: null,
      bannerUrl: null,
      websiteUrl: null,
      oauthClientId: null,
      screenshots: null,
    };
    expect(expectSuccess(await create(api, unset), 201)).toMatchObject({ ...unset, screenshots: [] });
  });

  it.each(Object.values(Category))('accepts the category %s (D17)', async (category) => {
    expect((await create(api, { category })).data).toMatchObject({ category });
  });

  it.each(['localhost', 'staging', 'production'])('accepts the environment %s (D17)', async (environment) => {
    expect((await create(api, { environment })).data).toMatchObject({ environment });
  });

  it('sorts screenshots by their order, which defaults to their position (D22)', async () => {
    const screenshots = [
      picture('a', { order: 5 }),
      picture('b', { order: null, caption: '  B  ' }),
      picture('c', { order: 1000 }),
      picture('d', { order: 1, caption: null }),
      picture('e', { order: 0 }),
      picture('f'),
    ];
    expect((await create(api, { screenshots })).data.screenshots).toEqual([
      picture('e', { order: 0, caption: null }),
      picture('b', { order: 1, caption: 'B' }),
      picture('d', { order: 1, caption: null }),
      picture('a', { order: 5, caption: null }),
      picture('f', { order: 5, caption: null }),
      picture('c', { order: 1000, caption: null }),
    ]);
  });
});

describe('an app in the database', () => {
  it('is not created when the creation is refused (D7)', async () => {
    const [before] = await service.sql<{ count: string }>('select count(*) from apps');
    await create('rest', { screenshots: [...twoScreenshots, { url: '' }] });
    expect(await service.sql('select count(*) from apps')).toEqual([before]);
  });
});

describe.each(apis)('the input of createApp over %s', (api) => {
  it('takes no files: neither an upload nor a data URL (D153)', async () => {
    const inline = 'data:image/png;base64,iVBORw0KGgo=';
    expectError(await create(api, { logoUrl: inline, screenshots: [{ url: inline }] }), 'VALIDATION_FAILED', [
      'logoUrl: invalid_url',
      'screenshots.0.url: invalid_url',
    ]);
    const upload = new FormData();
    upload.append('logo', new Blob(['image']), 'logo.png');
    const response = await fetch(`${service.url}${api === 'rest' ? '/api/dev/apps' : '/graphql'}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.key}` },
      body: upload,
    });
    expect(response.status).toBe(415);
  });

  it('lists every problem at once, with the path to each (D7, D22, D23)', async () => {
    const outcome = await create(api, {
      name: ' ',
      description: 'x'.repeat(501),
      longDescription: 'a\u0000b',
      logoUrl: 'logo.png',
      bannerUrl: 'https://ada@pictures.example/banner.png',
      websiteUrl: `https://app.example/${'x'.repeat(2048)}`,
      oauthClientId: 'x'.repeat(201),
      screenshots: [
        { url: 'ftp://pictures.example/a.png', caption: 'x'.repeat(201), order: -1 },
        picture('b', { caption: 'a\nb', order: 1001 }),
      ],
    });
    expectError(outcome, 'VALIDATION_FAILED', [
      'name: too_short',
      'description: too_long',
      'longDescription: invalid_characters',
      'logoUrl: invalid_url',
      'bannerUrl: invalid_url',
      'websiteUrl: too_long',
      'oauthClientId: too_long',
      'screenshots.0.url: invalid_url',
      'screenshots.0.caption: too_long',
      'screenshots.0.order: too_small',
      'screenshots.1.caption: invalid_characters',
      'screenshots.1.order: too_big',
    ]);
  });
});

describe('the input of createApp over REST', () => {
  it('names every field that is missing, null or of the wrong type, over REST (D7, D20)', async () => {
    const outcome = await service.client.call(
      'rest',
      'createApp',
      {
        name: null,
        category: 'productivity',
        environment: 'Production',
        logoUrl: 7,
        screenshots: [{}, 'https://pictures.example/a.png', { url: null, order: 1.5, alt: 'x' }],
      },
      ada.key,
    );
    expectError(outcome, 'VALIDATION_FAILED', [
      'name: required',
      'description: required',
      'category: invalid_value',
      'environment: invalid_value',
      'logoUrl: invalid_type',
      'screenshots.0.url: required',
      'screenshots.1: invalid_type',
      'screenshots.2.url: required',
      'screenshots.2.order: invalid_type',
      'screenshots.2.alt: unknown_field',
    ]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { type AppJson, aListing, unique } from '../../support/actors.js';
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

  it('normalises letters and accents before it counts and stores (D23)', async () => {
    const data = expectSuccess(await create(api, { name: `Cafe\u0301 ${'e\u0301'.repeat(95)}` }), 201);
    expect(data.name).toBe(`Café ${'é'.repeat(95)}`);
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

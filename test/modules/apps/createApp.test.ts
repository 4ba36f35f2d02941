import { describe, expect, it } from '@jest/globals';
import { examples } from '../../../src/rest/openapi/examples.js';
import { type AppJson, aListing, twoScreenshots, unique } from '../../support/actors.js';
import { type Api, apis, type Input } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectSuccess } from '../../support/outcomes.js';
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

  it.each([
    'PRODUCTIVITY',
    'UTILITIES',
    'BUSINESS',
    'DEVELOPER_TOOLS',
    'COMMUNICATION',
    'ANALYTICS',
    'AI_ML',
    'FINANCE',
    'EDUCATION',
    'OTHER',
  ])('accepts the category %s (D17)', async (category) => {
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

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Scope } from '../../../src/auth/scope.js';
import { type AppJson, aListing, type Developer, twoScreenshots, unique } from '../../support/actors.js';
import { type Door, doors, type Input } from '../../support/doors.js';
import { expectRefusal, expectSuccess } from '../../support/refusals.js';
import { type Service, startService } from '../../support/service.js';

let service: Service;
let ada: Developer;
beforeAll(async () => {
  service = await startService();
  ada = await service.aDeveloper();
});
afterAll(() => service.close());

const create = (door: Door, fields: Input = {}, bearer: string | null = ada.key) =>
  service.doors.call<AppJson>(door, 'createApp', aListing({ name: unique('App'), ...fields }), bearer);
const picture = (name: string, fields: Input = {}) => ({
  url: `https://pictures.example/${name}.png`,
  ...fields,
});

describe.each(doors)('createApp over %s', (door) => {
  it('makes a draft out of the required fields, with everything else unset (D2, D3, D17, D22)', async () => {
    const input = {
      name: 'Bare Minimum',
      description: 'Does it.',
      category: 'AI_ML',
      environment: 'localhost',
    };
    const outcome = await service.doors.call(door, 'createApp', input, ada.key);
    expectSuccess(outcome, 201);
    expect(outcome.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      slug: expect.stringMatching(/^bare-minimum(-2)?$/),
      ...input,
      longDescription: null,
      logoUrl: null,
      bannerUrl: null,
      websiteUrl: null,
      oauthClientId: null,
      screenshots: [],
      status: 'DRAFT',
      featured: false,
      installCount: 0,
      reviewCount: 0,
      averageRating: 0,
      revision: 1,
      submittedAt: null,
      approvedAt: null,
      rejection: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: outcome.data.createdAt,
    });
    expect(await service.doors.must('myApp', { id: outcome.data.id }, ada.key)).toEqual(outcome.data);
    if (door === 'rest') expect(outcome.headers.get('etag')).toBe('"1"');
  });

  it('keeps every field that is sent (D17)', async () => {
    const fields = {
      longDescription: '# Title\r\n\r\n\t- point',
      logoUrl: 'https://Pictures.example/logo.png?size=512#x',
      bannerUrl: 'http://pictures.example/banner.jpg',
      websiteUrl: 'https://app.example',
      oauthClientId: 'client-1',
    };
    const outcome = await create(door, fields);
    expectSuccess(outcome, 201);
    expect(outcome.data).toMatchObject(fields);
  });

  it('takes null for an optional field as if it were absent (D20)', async () => {
    const unset = {
      longDescription: null,
      logoUrl: null,
      bannerUrl: null,
      websiteUrl: null,
      oauthClientId: null,
      screenshots: null,
    };
    const outcome = await create(door, unset);
    expectSuccess(outcome, 201);
    expect(outcome.data).toMatchObject({ ...unset, screenshots: [] });
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
  ])('knows the category %s (D17)', async (category) => {
    expect((await create(door, { category })).data).toMatchObject({ category });
  });

  it.each(['localhost', 'staging', 'production'])('knows the environment %s (D17)', async (environment) => {
    expect((await create(door, { environment })).data).toMatchObject({ environment });
  });

  it('sorts screenshots by their order, which is their position unless told (D22)', async () => {
    const screenshots = [
      picture('a', { order: 5 }),
      picture('b', { order: null, caption: '  B  ' }),
      picture('c', { order: 1000 }),
      picture('d', { order: 1, caption: null }),
      picture('e', { order: 0 }),
      picture('f'),
    ];
    expect((await create(door, { screenshots })).data.screenshots).toEqual([
      picture('e', { order: 0, caption: null }),
      picture('b', { order: 1, caption: 'B' }),
      picture('d', { order: 1, caption: null }),
      picture('a', { order: 5, caption: null }),
      picture('f', { order: 5, caption: null }),
      picture('c', { order: 1000, caption: null }),
    ]);
  });

  it('takes six screenshots and not seven (D22)', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => picture(String(index)));
    expectSuccess(await create(door, { screenshots: many(6) }), 201);
    expectRefusal(await create(door, { screenshots: many(7) }), 'VALIDATION_FAILED', [
      'screenshots: too_many',
    ]);
  });

  it('lists every problem at once, with the path to each (D7, D22, D23)', async () => {
    const outcome = await create(door, {
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
    expectRefusal(outcome, 'VALIDATION_FAILED', [
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

  it.each([
    ['name', 100],
    ['description', 500],
    ['longDescription', 20_000],
    ['oauthClientId', 200],
  ])('counts the characters of %s as people do, up to %i (D23)', async (field, max) => {
    const outcome = await create(door, { [field]: ` ${'🦊'.repeat(max)} ` });
    expectSuccess(outcome, 201);
    expect(outcome.data[field]).toBe('🦊'.repeat(max));
    expectRefusal(await create(door, { [field]: '🦊'.repeat(max + 1) }), 'VALIDATION_FAILED', [
      `${field}: too_long`,
    ]);
  });

  it('keeps line breaks and tabs in descriptions and refuses them in names (D23)', async () => {
    const outcome = await create(door, { description: 'One.\nTwo.', longDescription: 'a\r\n\tb' });
    expectSuccess(outcome, 201);
    expect(outcome.data).toMatchObject({ description: 'One.\nTwo.', longDescription: 'a\r\n\tb' });
    for (const name of ['a\nb', 'a\tb', 'a\u007fb', 'a\u0000b'])
      expectRefusal(await create(door, { name }), 'VALIDATION_FAILED', ['name: invalid_characters']);
    expectRefusal(await create(door, { description: 'a\u000bb' }), 'VALIDATION_FAILED', [
      'description: invalid_characters',
    ]);
  });

  it('refuses half of a surrogate pair (D23)', async () => {
    const half = '\ud83e';
    const screenshots = [picture('a', { caption: half })];
    const fields = { name: `a${half}`, description: half, logoUrl: `https://pictures.example/${half}` };
    expectRefusal(await create(door, { ...fields, screenshots }), 'VALIDATION_FAILED', [
      'name: invalid_characters',
      'description: invalid_characters',
      'logoUrl: invalid_url',
      'screenshots.0.caption: invalid_characters',
    ]);
  });

  it('composes letters and accents before it counts and stores (D23)', async () => {
    const outcome = await create(door, { name: `Cafe\u0301 ${'e\u0301'.repeat(95)}` });
    expectSuccess(outcome, 201);
    expect(outcome.data.name).toBe(`Café ${'é'.repeat(95)}`);
  });

  it('needs the scope APP_CREATE and nothing more (D10)', async () => {
    const creator = await service.aKey(ada, ['APP_CREATE' as Scope]);
    expectSuccess(await create(door, {}, creator), 201);
    const others = ['APP_READ', 'APP_UPDATE', 'APP_DELETE', 'ANALYTICS_READ'] as Scope[];
    const outcome = await create(door, { name: '' }, await service.aKey(ada, others));
    expectRefusal(outcome, 'INSUFFICIENT_SCOPE');
    for (const scope of ['APP_CREATE', ...others]) expect(outcome.message).toContain(scope);
  });

  it('needs no verification: that is asked for at submission (D13)', async () => {
    const developer = await service.aDeveloper();
    const act = { id: developer.id, reason: 'Papers expired.' };
    await service.doors.must('unverifyDeveloper', act, await service.admin());
    expectSuccess(await create(door, {}, developer.key), 201);
  });

  it('refuses nobody in particular, and a suspended developer (D9, D13)', async () => {
    expectRefusal(await create(door, { name: '' }, null), 'UNAUTHENTICATED');
    const { id, key } = await service.aDeveloper();
    await service.doors.must('suspendDeveloper', { id, reason: 'Spam.' }, await service.admin());
    expectRefusal(await create(door, {}, key), 'DEVELOPER_SUSPENDED');
  });
});

describe('createApp at one door alone', () => {
  it('names every field that is missing, null or of the wrong type, over REST (D7, D20)', async () => {
    const outcome = await service.doors.call(
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
    expectRefusal(outcome, 'VALIDATION_FAILED', [
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

  it('sets aside what an app publishes, in public too, and refuses what nobody knows, over REST (D4)', async () => {
    const published = {
      id: '0198c5b0-7a60-7c1e-8f5e-9d491f8f6a1f',
      slug: 'mine',
      status: 'APPROVED',
      featured: true,
      installCount: 1000,
      revision: 7,
      developer: { name: 'Eve' },
    };
    const body = { ...aListing({ name: unique('App') }), ...published };
    const response = await service.doors.request('POST', '/api/dev/apps', { bearer: ada.key, body });
    expect(response.status).toBe(201);
    expect(response.headers.get('x-ignored-fields')).toBe(Object.keys(published).join(', '));
    const app = (await response.json()) as AppJson;
    expect(app).toMatchObject({ status: 'DRAFT', featured: false, installCount: 0, revision: 1 });
    expect([app.id, app.slug]).not.toContain('mine');
    expectRefusal(await create('rest', { descripton: 'x', developerId: 'y' }), 'VALIDATION_FAILED', [
      'descripton: unknown_field',
      'developerId: unknown_field',
    ]);
  });

  it('takes an account token in GraphQL, of an unverified developer too, and not over REST (D9)', async () => {
    const { token } = await service.anUnverifiedDeveloper();
    expectSuccess(await create('graphql', {}, token));
    expectRefusal(await create('rest', {}, token), 'UNAUTHENTICATED');
  });
});

describe.each(doors)('the slug that createApp gives over %s', (door) => {
  /** Slugs of apps created one after the other. */
  const slugsOf = async (...names: string[]) => {
    const slugs: string[] = [];
    for (const name of names) slugs.push((await create(door, { name })).data.slug);
    return slugs;
  };
  /** A word of its own for each door and run. */
  const word = () => unique('w').replaceAll('-', '');

  it.each([
    ['accents', 'Crème Brûlée', 'creme-brulee'],
    ['letters that do not come apart', 'Große Œuvre Łódź', 'grosse-oeuvre-lodz'],
    ['punctuation and case', '  Hello, WORLD!! (2nd) ', 'hello-world-2nd'],
    ['other scripts between', 'Задачи Kanban 看板', 'kanban'],
    ['compatibility forms', 'ＦＵＬＬ ﬁle ①', 'full-file-1'],
  ])('comes from the name: %s (D21)', async (_what, name, slug) => {
    const stem = word();
    expect(await slugsOf(`${stem} ${name}`)).toEqual([`${stem}-${slug}`]);
  });

  it('is app for a name without any ASCII letter or digit, numbered on a clash (D21)', async () => {
    const [first, second] = await slugsOf('Задачи', '🦊🦊');
    expect(first).toMatch(/^app(-\d+)?$/);
    expect(second).toMatch(/^app-\d+$/);
    expect(second).not.toBe(first);
  });

  it('gets -2, -3 and so on when it is taken, by anyone (D21)', async () => {
    const stem = word();
    expect(await slugsOf(stem, stem.toUpperCase(), `${stem}!`)).toEqual([stem, `${stem}-2`, `${stem}-3`]);
    const other = await service.aDeveloper();
    expect((await create(door, { name: stem }, other.key)).data.slug).toBe(`${stem}-4`);
  });

  it('steps over a numbered slug that another name took (D21)', async () => {
    const stem = word();
    expect(await slugsOf(`${stem} 2`, stem, stem)).toEqual([`${stem}-2`, stem, `${stem}-3`]);
  });

  it('has at most 60 characters, its number included, and ends in none but a letter or digit (D21)', async () => {
    const stem = word();
    const name = `${stem} ${'x'.repeat(100 - stem.length - 1)}`;
    const [first, second] = await slugsOf(name, name);
    expect(first).toBe(`${stem}-${'x'.repeat(60 - stem.length - 1)}`);
    expect(second).toBe(`${first!.slice(0, 58)}-2`);
    const cut = `${stem}-${'y'.repeat(58 - stem.length)}`;
    expect(cut).toHaveLength(59);
    expect(await slugsOf(`${cut} more`, `${cut} much`)).toEqual([cut, `${cut.slice(0, 58)}-2`]);
  });

  it.each(['Featured', 'categories', 'LIST', 'Install!'])(
    'is never the reserved word in %j, which gets a number (D21)',
    async (name) => {
      const word = name.toLowerCase().replace('!', '');
      const [slug] = await slugsOf(name);
      expect(slug).toBe(door === 'rest' ? `${word}-2` : `${word}-3`);
    },
  );

  it('is free again once a draft is deleted, and not while an app is public (D21)', async () => {
    const name = word();
    const { id } = (await create(door, { name })).data;
    await service.doors.must('deleteApp', { id }, ada.key);
    expect(await slugsOf(name)).toEqual([name]);
    const live = word();
    await service.anApp(ada, 'SUSPENDED', { name: live });
    expect(await slugsOf(live)).toEqual([`${live}-2`]);
  });

  it('counts on past fifty that are taken (D21)', async () => {
    const name = word();
    const { id } = (await create(door, { name })).data;
    await service.sql(
      `insert into apps (id, developer_id, slug, name, description, category, environment, screenshots, status,
         featured, review_count, average_rating, revision, created_at, updated_at)
       select gen_random_uuid(), developer_id, slug || '-' || n, name, description, category, environment,
         screenshots, status, false, 0, 0, 1, now(), now()
       from apps, generate_series(2, 60) n where apps.id = $1`,
      [id],
    );
    expect(await slugsOf(name)).toEqual([`${name}-61`]);
  });

  it('stays when the app is renamed (D21)', async () => {
    const name = word();
    const { id } = (await create(door, { name })).data;
    const renamed = await service.doors.call<AppJson>(door, 'updateApp', { id, name: word() }, ada.key);
    expect(renamed.data.slug).toBe(name);
    expect(await slugsOf(name)).toEqual([`${name}-2`]);
  });
});

describe('an app in the database', () => {
  it('is not made at all when its creation is refused (D7)', async () => {
    const [before] = await service.sql<{ count: string }>('select count(*) from apps');
    await create('rest', { screenshots: [...twoScreenshots, { url: '' }] });
    expect(await service.sql('select count(*) from apps')).toEqual([before]);
  });
});

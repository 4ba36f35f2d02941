import { describe, expect, it } from '@jest/globals';
import { type AppJson, type AppStatus, twoScreenshots } from '../../support/actors.js';
import { type Api, apis, type Input } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

const service = beforeTests(sharedService);
const ada = beforeTests(() => service.aDeveloper());

const update = (api: Api, id: string, fields: Input = {}) =>
  service.client.call<AppJson>(api, 'updateApp', { id, ...fields }, ada.key);
const read = (id: string) => service.client.must<AppJson>('myApp', { id }, ada.key);

const full = {
  longDescription: '# All of it',
  logoUrl: 'https://pictures.example/logo.png',
  bannerUrl: 'https://pictures.example/banner.png',
  websiteUrl: 'https://app.example',
  oauthClientId: 'client-1',
};

describe.each(apis)('updateApp over %s', (api) => {
  it('changes only the fields that are sent, and raises the revision by one (D19, D20)', async () => {
    const app = await service.anApp(ada, 'DRAFT', full);
    const outcome = await update(api, app.id, { name: ' New name ', category: 'FINANCE' });
    expectSuccess(outcome);
    expect(outcome.data).toEqual({
      ...app,
      name: 'New name',
      category: 'FINANCE',
      revision: 2,
      updatedAt: expect.any(String),
    });
    expect(String(outcome.data.updatedAt) > String(app.updatedAt)).toBe(true);
    expect(await read(app.id)).toEqual(outcome.data);
    if (api === 'rest') expect(outcome.headers.get('etag')).toBe('"2"');
  });

  it('changes every editable field (D20)', async () => {
    const app = await service.anApp(ada);
    const changes = {
      ...full,
      name: 'New name',
      description: 'New words.',
      category: 'OTHER',
      screenshots: [{ url: 'https://pictures.example/new.png', caption: 'New', order: 3 }],
    };
    expect(expectSuccess(await update(api, app.id, changes))).toMatchObject({ ...changes, revision: 2 });
  });

  it('clears optional fields that are sent as null (D20)', async () => {
    const app = await service.anApp(ada, 'DRAFT', full);
    const cleared = Object.fromEntries(Object.keys(full).map((field) => [field, null]));
    expect(expectSuccess(await update(api, app.id, { ...cleared, screenshots: null }))).toMatchObject({
      ...cleared,
      screenshots: [],
      revision: 2,
    });
  });

  it('refuses to clear required fields (D20)', async () => {
    const app = await service.anApp(ada);
    const outcome = await update(api, app.id, { name: null, description: null, category: null });
    expectError(outcome, 'VALIDATION_FAILED', [
      'name: required',
      'description: required',
      'category: required',
    ]);
    expect(await read(app.id)).toEqual(app);
  });

  it('replaces the screenshots whole, in their order (D20, D22)', async () => {
    const app = await service.anApp(ada);
    const screenshots = [
      { url: 'https://pictures.example/b.png', order: 2 },
      { url: 'https://pictures.example/a.png', order: 1 },
    ];
    const { data } = await update(api, app.id, { screenshots });
    expect(data.screenshots).toEqual([
      { url: 'https://pictures.example/a.png', caption: null, order: 1 },
      { url: 'https://pictures.example/b.png', caption: null, order: 2 },
    ]);
    expect((await update(api, app.id, { screenshots: [] })).data.screenshots).toEqual([]);
  });

  it('changes nothing when nothing is sent (D20)', async () => {
    const app = await service.anApp(ada);
    expect(expectSuccess(await update(api, app.id))).toEqual(app);
    expect(await read(app.id)).toEqual(app);
  });

  it('leaves revision and updatedAt when nothing changes (D19)', async () => {
    const app = await service.anApp(ada, 'DRAFT', full);
    const same = { ...full, name: `  ${app.name} `, category: app.category, screenshots: twoScreenshots };
    const outcome = await update(api, app.id, same);
    expectSuccess(outcome);
    expect(outcome.data).toEqual(app);
    expect(await read(app.id)).toEqual(app);
    if (api === 'rest') expect(outcome.headers.get('etag')).toBe('"1"');
  });

  it('raises the revision with each edit and not with a change of state (D19)', async () => {
    const { id } = await service.anApp(ada);
    expect((await update(api, id, { name: 'Two' })).data.revision).toBe(2);
    expect((await update(api, id, { name: 'Three' })).data.revision).toBe(3);
    expect((await service.client.must<AppJson>('submitApp', { id }, ada.key)).revision).toBe(3);
    expect((await update(api, id, { name: 'Four' })).data.revision).toBe(4);
    expect((await service.client.must<AppJson>('withdrawApp', { id }, ada.key)).revision).toBe(4);
  });

  it.each<AppStatus>(['DRAFT', 'PENDING', 'REJECTED'])(
    'works in %s and leaves the state (D18, D19)',
    async (status) => {
      const app = await service.anApp(ada, status);
      expect(expectSuccess(await update(api, app.id, { description: 'Other words.' }))).toEqual({
        ...app,
        description: 'Other words.',
        revision: 2,
        updatedAt: expect.any(String),
      });
    },
  );

  it.each([
    ['APPROVED', 'APP_APPROVED'],
    ['SUSPENDED', 'APP_SUSPENDED'],
  ] as const)('refuses any PUT of an app that is %s, an empty one too (D18, D19)', async (status, code) => {
    const app = await service.anApp(ada, status);
    const outcome = await update(api, app.id, { name: 'Other' });
    expectError(outcome, code);
    expect(outcome.message).toMatch(/new version/);
    expectError(await update(api, app.id), code);
    expectError(await update(api, app.id, { name: app.name }), code);
    expectError(await update(api, app.id, { name: 'x', revision: 99 }), code);
    expect(await read(app.id)).toEqual(app);
  });

  it('keeps the requirements of a submission while PENDING, or changes nothing (D19, D22)', async () => {
    const app = await service.anApp(ada, 'PENDING');
    for (const screenshots of [[], null, [twoScreenshots[0]]]) {
      const outcome = await update(api, app.id, { name: 'Other', screenshots });
      expectError(outcome, 'VALIDATION_FAILED', ['screenshots: too_few']);
    }
    expect(await read(app.id)).toEqual(app);
  });

  it('may remove screenshots in DRAFT and REJECTED (D19)', async () => {
    for (const status of ['DRAFT', 'REJECTED'] as const) {
      const { id } = await service.anApp(ada, status);
      expectSuccess(await update(api, id, { screenshots: [] }));
    }
  });

  it('compares the revision that the caller read (D19)', async () => {
    const { id } = await service.anApp(ada);
    expectSuccess(await update(api, id, { name: 'Two', revision: 1 }));
    const outcome = await update(api, id, { name: 'Lost', revision: 1 });
    expectError(outcome, 'REVISION_CONFLICT');
    expect(outcome.message).toContain('2');
    expectError(await update(api, id, { revision: 1 }), 'REVISION_CONFLICT');
    expect(await read(id)).toMatchObject({ name: 'Two', revision: 2 });
    expectSuccess(await update(api, id, { name: 'Three', revision: 2 }));
  });

  it('refuses a stale edit before it checks the requirements of a submission (D7)', async () => {
    const { id } = await service.anApp(ada, 'PENDING');
    expectError(await update(api, id, { screenshots: [], revision: 7 }), 'REVISION_CONFLICT');
  });
});

describe('updateApp over GraphQL only', () => {
  it('treats a null revision as absent (D19)', async () => {
    const { id } = await service.anApp(ada);
    expectSuccess(await update('graphql', id, { name: 'Other', revision: null }));
  });
});

describe('updateApp over REST only', () => {
  const put = (id: string, body: unknown, headers: Record<string, string> = {}) =>
    service.client.request('PUT', `/api/dev/apps/${id}`, { bearer: ada.key, body, headers });
  const codeOf = async (response: Response) =>
    ((await response.json()) as { error?: { code: string } }).error?.code ?? null;

  it.each(['"2"', ' "2" ', '"1", "2"', '"1","2" ,"3"', 'W/"2", "2"', '*'])(
    'accepts If-Match: %s for an app at revision 2 (D19)',
    async (ifMatch) => {
      const { id } = await service.anApp(ada);
      await put(id, { name: 'Two' });
      const response = await put(id, { name: 'Three' }, { 'if-match': ifMatch });
      expect(response.status).toBe(200);
      expect(response.headers.get('etag')).toBe('"3"');
    },
  );

  it.each(['"1"', '"3"', 'W/"2"', '2', '"1", "3"', '"02"', '"2.0"', '"two"', '"', '"*"'])(
    'refuses If-Match: %s for an app at revision 2 (D19, D39)',
    async (ifMatch) => {
      const { id } = await service.anApp(ada);
      await put(id, { name: 'Two' });
      const response = await put(id, { name: 'Three' }, { 'if-match': ifMatch });
      expect(response.status).toBe(409);
      expect(await codeOf(response)).toBe('REVISION_CONFLICT');
      expect(await read(id)).toMatchObject({ name: 'Two', revision: 2 });
    },
  );

  it('changes the app of the path, whatever id the body has (D4)', async () => {
    const app = await service.anApp(ada);
    const other = await service.anApp(ada);
    const response = await put(app.id, { id: other.id, name: 'Renamed' });
    expect(await response.json()).toMatchObject({ id: app.id, name: 'Renamed' });
    expect(await read(other.id)).toEqual(other);
  });
});

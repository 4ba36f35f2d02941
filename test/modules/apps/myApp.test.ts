import { describe, expect, it } from '@jest/globals';
import { examples } from '../../../src/rest/openapi/examples.js';
import type { AppJson, AppStatus } from '../../support/actors.js';
import { type Api, apis } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { aTime } from '../../support/matchers.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

const service = beforeTests(sharedService);
const ada = beforeTests(() => service.aDeveloper());

const read = (api: Api, id: string) => service.client.call<AppJson>(api, 'myApp', { id }, ada.key);

describe.each(apis)('myApp over %s', (api) => {
  it('reads an app with exactly its fields, as it was created (D2, D17)', async () => {
    const app = await service.anApp(ada, 'DRAFT', {
      logoUrl: 'https://pictures.example/logo.png',
      oauthClientId: 'client-1',
    });
    const data = expectSuccess(await read(api, app.id));
    expect(data).toEqual(app);
    expect(Object.keys(data).sort()).toEqual(Object.keys(examples.myApp!.response).sort());
  });

  it.each<[AppStatus, object]>([
    ['DRAFT', { submittedAt: null, approvedAt: null, rejection: null }],
    ['PENDING', { submittedAt: aTime, approvedAt: null, rejection: null }],
    [
      'REJECTED',
      {
        submittedAt: aTime,
        approvedAt: null,
        rejection: {
          reasons: [{ code: 'INCOMPLETE', field: 'description', message: 'It says too little.' }],
          guidance: 'Say what it does.',
          rejectedAt: aTime,
        },
      },
    ],
    ['APPROVED', { submittedAt: aTime, approvedAt: aTime, rejection: null }],
    ['SUSPENDED', { submittedAt: aTime, approvedAt: aTime, rejection: null }],
  ])('reads an app that is %s (D17, D18)', async (status, fields) => {
    const { id } = await service.anApp(ada, status);
    expect((await read(api, id)).data).toMatchObject({ status, revision: 1, ...fields });
  });

  it('accepts an id in upper or lower case (D2)', async () => {
    const { id } = await service.anApp(ada);
    expect((await read(api, id.toUpperCase())).data).toMatchObject({ id });
  });

  it("returns NOT_FOUND for someone else's public app, and for what is no id (D7)", async () => {
    const { id } = await service.anApp(await service.aDeveloper(), 'APPROVED');
    expectError(await read(api, id), 'NOT_FOUND');
    for (const odd of ['no-uuid', '00000000-0000-0000-0000-000000000000', `${id}x`, `{${id}}`, 'a/b', '%'])
      expectError(await read(api, odd), 'NOT_FOUND');
  });
});

describe('myApp over REST or GraphQL only', () => {
  it('has the revision as its ETag, and is never cached nor a 304 (D19, D32)', async () => {
    const { id } = await service.anApp(ada);
    const get = (headers: Record<string, string> = {}) =>
      service.client.request('GET', `/api/dev/apps/${id}`, { bearer: ada.key, headers });
    const response = await get();
    expect(response.headers.get('etag')).toBe('"1"');
    expect(response.headers.get('cache-control')).toBe('no-store');
    for (const tag of ['"1"', 'W/"1"', '*']) {
      const again = await get({ 'if-none-match': tag, 'cache-control': 'max-age=0' });
      expect(again.status).toBe(200);
      expect(await again.json()).toMatchObject({ id });
    }
    await service.client.must('updateApp', { id, name: 'Two' }, ada.key);
    expect((await get()).headers.get('etag')).toBe('"2"');
  });
});

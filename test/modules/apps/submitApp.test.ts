import { describe, expect, it } from '@jest/globals';
import { type AppJson, type AppStatus, twoScreenshots } from '../../support/actors.js';
import { type Api, apis } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { aTime } from '../../support/matchers.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

const service = beforeTests(sharedService);
const ada = beforeTests(() => service.aDeveloper());

const submit = (api: Api, id: string, bearer: string | null = ada.key) =>
  service.client.call<AppJson>(api, 'submitApp', { id }, bearer);
const read = (id: string) => service.client.must<AppJson>('myApp', { id }, ada.key);

describe.each(apis)('submitApp over %s', (api) => {
  it('makes a draft pending, with the time of the submission (D3, D18, D19)', async () => {
    const app = await service.anApp(ada);
    const outcome = await submit(api, app.id);
    expectSuccess(outcome);
    expect(outcome.data).toEqual({
      ...app,
      status: 'PENDING',
      submittedAt: aTime,
      updatedAt: aTime,
    });
    expect(await read(app.id)).toEqual(outcome.data);
    if (api === 'rest') expect(outcome.headers.get('etag')).toBe('"1"');
  });

  it('submits a rejected app again, whose rejection stays until the next decision (D18)', async () => {
    const app = await service.anApp(ada, 'REJECTED');
    const data = expectSuccess(await submit(api, app.id));
    expect(data).toMatchObject({ status: 'PENDING', rejection: app.rejection, revision: 1 });
    expect(String(data.submittedAt) > String(app.submittedAt)).toBe(true);
  });

  it.each<AppStatus>(['PENDING', 'APPROVED', 'SUSPENDED'])(
    'refuses an app that is %s (D18)',
    async (status) => {
      const app = await service.anApp(ada, status);
      const outcome = await submit(api, app.id);
      expectError(outcome, 'INVALID_TRANSITION');
      expect(outcome.message).toContain(status);
      expect(await read(app.id)).toEqual(app);
    },
  );

  it('records the notification with the submission, and none when it refuses (D33)', async () => {
    const developer = await service.aDeveloper();
    const before = await notificationsOf(service, developer.id);
    const bare = await service.anApp(developer, 'DRAFT', { screenshots: [] });
    await submit(api, bare.id, developer.key);
    expect(await notificationsOf(service, developer.id)).toEqual(before);
    const { id } = await service.anApp(developer);
    await submit(api, id, developer.key);
    await submit(api, id, developer.key);
    expect(await notificationsOf(service, developer.id)).toEqual([
      ...before,
      { kind: 'app.submitted', developerId: developer.id, appId: id, resubmission: false },
    ]);
  });

  it.each([0, 1])('refuses an app with %i screenshots, which stays a draft (D22)', async (count) => {
    const app = await service.anApp(ada, 'DRAFT', { screenshots: twoScreenshots.slice(0, count) });
    const outcome = await submit(api, app.id);
    expectError(outcome, 'VALIDATION_FAILED', ['screenshots: too_few']);
    expect(outcome.details[0]?.message).toMatch(/at least 2/);
    expect(await read(app.id)).toEqual(app);
  });

  it('accepts six screenshots, and an app without a logo (D22)', async () => {
    const screenshots = Array.from({ length: 6 }, () => ({ url: 'https://pictures.example/a.png' }));
    const { id } = await service.anApp(ada, 'DRAFT', { screenshots, logoUrl: null });
    expectSuccess(await submit(api, id));
  });
});

import { describe, expect, it } from '@jest/globals';
import type { AppJson, VersionJson } from '../../support/actors.js';
import { apis, type Input } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import {
  checksOf,
  enforcingStage,
  findingsInQueue,
  findingsOf,
  goodPictures,
  listingWith,
} from './picture-stage.js';

const stage = beforeTests(enforcingStage);

describe('a submission with ASSET_CHECKS=enforce (D24)', () => {
  it.each(apis)('is refused over %s with every problem of its pictures at once', async (api) => {
    const { service, ada } = stage;
    const draft = await service.anApp(ada, 'DRAFT', {
      ...listingWith(stage, '/png/640x480'),
      logoUrl: stage.pictures.url('/jpg/512x511'),
    });
    const outcome = await service.client.call(api, 'submitApp', { id: draft.id }, ada.key);
    expectError(outcome, 'VALIDATION_FAILED', [
      'screenshots: too_few',
      'logoUrl: wrong_size',
      'screenshots.0.url: wrong_size',
    ]);
    expect(await service.client.must('myApp', { id: draft.id }, ada.token)).toEqual(draft);
    expect(await checksOf(stage, draft.id, 1)).toEqual([]);
  });

  it.each(apis)(
    'is accepted over %s when its pictures follow the rules, and stores the checks',
    async (api) => {
      const { service, ada, pictures } = stage;
      const site = { websiteUrl: pictures.url('/gone') };
      const { id } = await service.anApp(ada, 'DRAFT', { ...listingWith(stage, ...goodPictures), ...site });
      expectSuccess(await service.client.call(api, 'submitApp', { id }, ada.key));
      expect(await checksOf(stage, id, 1)).toMatchObject([
        { field: 'logoUrl', ok: true },
        { field: 'screenshots.0.url', ok: true, type: 'png', width: 1280 },
        { field: 'screenshots.1.url', ok: true, type: 'jpg', height: 720 },
        { field: 'websiteUrl', ok: false, problem: { code: 'http_error' } },
      ]);
      expect(await findingsOf(stage, id)).toEqual(['WARNING websiteUrl: http_error']);
      expect(await findingsInQueue(stage, id)).toEqual(['WARNING websiteUrl: http_error']);
      const jobs = "select from pgboss.job where name = 'asset-checks' and data->>'appId' = $1";
      expect(await service.sql(jobs, [id])).toEqual([]);
    },
  );

  it.each(apis)(
    'must keep good pictures when it is edited over %s while it is pending (D19)',
    async (api) => {
      const { service, ada, pictures } = stage;
      const { id } = await service.anApp(ada, 'PENDING', listingWith(stage, ...goodPictures));
      const edit = (changes: Input) =>
        service.client.call<AppJson>(api, 'updateApp', { id, ...changes }, ada.key);
      expectError(await edit({ logoUrl: pictures.url('/png/9x9') }), 'VALIDATION_FAILED', [
        'logoUrl: wrong_size',
      ]);
      expectSuccess(await edit({ bannerUrl: pictures.url('/png/1200x600'), name: 'Renamed' }));
      expect(await checksOf(stage, id, 2)).toMatchObject([
        { field: 'bannerUrl', ok: true, width: 1200 },
        { field: 'logoUrl', ok: true, width: 512 },
        { field: 'screenshots.0.url', ok: true },
        { field: 'screenshots.1.url', ok: true },
      ]);
      expectSuccess(await edit({ name: 'Renamed' }));
      expect(await checksOf(stage, id, 3)).toEqual([]);
    },
  );

  it('of a version is refused with every problem of its pictures, and accepted once they are fixed (D63)', async () => {
    const { service, ada, pictures } = stage;
    const app = await service.anApp(ada, 'APPROVED', listingWith(stage, ...goodPictures));
    const input = { appId: app.id, logoUrl: pictures.url('/png/9x9'), bannerUrl: pictures.url('/missing') };
    const { id } = await service.client.must<VersionJson>('createAppVersion', input, ada.token);
    const act = (operation: 'submitAppVersion' | 'updateAppVersion', changes: Input = {}) =>
      service.client.call<VersionJson>('graphql', operation, { id, ...changes }, ada.key);
    expectError(await act('submitAppVersion'), 'VALIDATION_FAILED', [
      'bannerUrl: http_error',
      'logoUrl: wrong_size',
    ]);
    expect(await checksOf(stage, id, 1)).toEqual([]);
    expectSuccess(await act('updateAppVersion', { logoUrl: pictures.url('/png/512x512'), bannerUrl: null }));
    expectSuccess(await act('submitAppVersion'));
    expect(await checksOf(stage, id, 2)).toHaveLength(3);
    // The same rules apply to an app that waits.
    const logoUrl = pictures.url('/png/9x9');
    expectError(await act('updateAppVersion', { logoUrl }), 'VALIDATION_FAILED', ['logoUrl: wrong_size']);
    expectSuccess(await act('updateAppVersion', { bannerUrl: pictures.url('/png/1200x600') }));
    expect(await checksOf(stage, id, 3)).toHaveLength(4);
    expect(await findingsInQueue(stage, app.id)).toEqual([]);
  });

  it('fetches nothing for an edit of a draft, for another developer, or for an app that cannot be submitted', async () => {
    const { service, ada, pictures } = stage;
    const { id } = await service.anApp(ada, 'DRAFT', listingWith(stage, ...goodPictures));
    const waiting = await service.anApp(ada, 'PENDING', listingWith(stage, ...goodPictures));
    const stranger = await service.aDeveloper();
    const before = pictures.asked.length;
    await service.client.must('updateApp', { id, logoUrl: pictures.url('/png/9x9') }, ada.token);
    const submit = (app: string, key: string) =>
      service.client.call('graphql', 'submitApp', { id: app }, key);
    expectError(await submit(id, stranger.key), 'NOT_FOUND');
    expectError(await submit(waiting.id, ada.key), 'INVALID_TRANSITION');
    expect(pictures.asked).toHaveLength(before);
  });
});

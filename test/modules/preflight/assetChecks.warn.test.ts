import { describe, expect, it } from '@jest/globals';
import type { VersionJson } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { png } from '../../support/pictures.js';
import {
  checksOf,
  expectSoon,
  findingsInQueue,
  findingsOf,
  findingsOfVersion,
  goodPictures,
  listingWith,
  startPictureStage,
  warningStage,
} from './picture-stage.js';

const stage = beforeTests(warningStage);

/** The checks of the three pictures of a revision, once they are stored. */
const theChecksOf = (id: string, revision: number) =>
  until(async () => {
    const rows = await checksOf(stage, id, revision);
    return rows.length === 3 && rows;
  });

describe('a submission with ASSET_CHECKS=warn (D24)', () => {
  it('is accepted at once; a job stores its findings later, and shows them to reviewer and developer', async () => {
    const { service, ada } = stage;
    const { id } = await service.anApp(ada, 'PENDING', listingWith(stage, '/png/1280x720', '/png/640x480'));
    const checks = await theChecksOf(id, 1);
    expect(checks).toMatchObject([
      { field: 'logoUrl', ok: true, width: 512, problem: null },
      { field: 'screenshots.0.url', ok: true, width: 1280, height: 720, type: 'png', problem: null },
      { field: 'screenshots.1.url', ok: false, width: 640, problem: { code: 'wrong_size' } },
    ]);
    expect(checks[1]).toMatchObject({
      bytes: png(1280, 720).length,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(Date.now() - checks[1]!.checked_at.getTime()).toBeLessThan(60_000);
    const found = ['WARNING screenshots.1.url: wrong_size'];
    expect(await findingsOf(stage, id)).toEqual(found);
    expect(await findingsInQueue(stage, id)).toEqual(found);
  });

  it('counts among the checks of its developer, of which two run at once (D428)', async () => {
    const { service, ada } = stage;
    const { id } = await service.anApp(ada, 'PENDING', listingWith(stage, ...goodPictures));
    const jobs = "select group_id from pgboss.job where name = 'asset-checks' and data->>'appId' = $1";
    expect(await service.sql(jobs, [id])).toEqual([{ group_id: ada.id }]);
  });

  it('is checked again when it is edited while it waits, and only the new revision counts (D19)', async () => {
    const { service, ada, pictures } = stage;
    const { id } = await service.anApp(ada, 'PENDING', listingWith(stage, '/png/1280x720', '/png/1x1'));
    await expectSoon(() => findingsOf(stage, id), ['WARNING screenshots.1.url: wrong_size']);
    const change = { id, screenshots: goodPictures.map((path) => ({ url: pictures.url(path) })) };
    await service.client.must('updateApp', change, ada.token);
    expect(await findingsOf(stage, id)).toEqual([]);
    await theChecksOf(id, 2);
    expect(await findingsOf(stage, id)).toEqual([]);
    expect(await findingsInQueue(stage, id)).toEqual([]);
    await service.client.must('updateApp', { id, bannerUrl: pictures.url('/png/7x7') }, ada.token);
    await expectSoon(() => findingsInQueue(stage, id), ['WARNING bannerUrl: wrong_size']);
    // Checks of an earlier revision are deleted.
    expect(await checksOf(stage, id, 1)).toEqual([]);
  });

  it('is checked again when it is withdrawn and resubmitted: the latest check counts', async () => {
    const { service, ada, pictures } = stage;
    let isThere = false;
    const path = '/later';
    const url = pictures.serve(path, (_, response) =>
      isThere ? response.end(png(1280, 720)) : response.writeHead(404).end(),
    );
    const screenshots = [{ url }, { url: pictures.url('/png/1280x720') }];
    const { id } = await service.anApp(ada, 'PENDING', { ...listingWith(stage), screenshots });
    await expectSoon(() => findingsOf(stage, id), ['WARNING screenshots.0.url: http_error']);
    isThere = true;
    await service.client.must('withdrawApp', { id }, ada.token);
    await service.client.must('submitApp', { id }, ada.token);
    await expectSoon(() => findingsOf(stage, id), []);
  });

  it('of a version is checked too, apart from the app’s own (D63)', async () => {
    const { service, ada, pictures } = stage;
    const app = await service.anApp(ada, 'APPROVED', listingWith(stage, ...goodPictures));
    await theChecksOf(app.id, 1);
    const input = { appId: app.id, logoUrl: pictures.url('/png/9x9') };
    const { id } = await service.client.must<VersionJson>('createAppVersion', input, ada.token);
    await service.client.must('submitAppVersion', { id }, ada.token);
    const found = ['WARNING logoUrl: wrong_size'];
    const seen = () => findingsInQueue(stage, app.id);
    await expectSoon(seen, found);
    expect(await findingsOfVersion(stage, app.id)).toEqual(found);
    expect(await checksOf(stage, id, 1)).toHaveLength(3);
    expect(await findingsOf(stage, app.id)).toEqual([]);

    const logoUrl = pictures.url('/png/512x512');
    await service.client.must('updateAppVersion', { id, logoUrl, bannerUrl: logoUrl }, ada.token);
    await expectSoon(seen, ['WARNING bannerUrl: wrong_size']);
    expect(await checksOf(stage, id, 2)).toHaveLength(4);
  });

  it('shows findings in GraphQL only, not over REST', async () => {
    const { service, ada } = stage;
    const { id } = await service.anApp(ada, 'DRAFT', listingWith(stage));
    const { data } = await service.client.call('rest', 'myApp', { id }, ada.key);
    expect(data).not.toHaveProperty('findings');
    expect(await findingsOf(stage, id)).toEqual(['ERROR screenshots: too_few']);
  });

  it('deletes the checks together with the app', async () => {
    const { service, ada } = stage;
    const { id } = await service.anApp(ada, 'PENDING', listingWith(stage, ...goodPictures));
    await theChecksOf(id, 1);
    await service.client.must('deleteApp', { id }, ada.token);
    expect(await checksOf(stage, id, 1)).toEqual([]);
  });
});

describe('a submission with ASSET_CHECKS=off (D24)', () => {
  it('is accepted without any fetch, then or later', async () => {
    const unchecked = await startPictureStage({ ASSET_CHECKS: 'off', WORKER: 'inline' });
    const { service, ada, pictures } = unchecked;
    const { id } = await service.anApp(ada, 'PENDING', listingWith(unchecked, '/png/1x1', '/missing'));
    expect(await service.sql("select from pgboss.job where name = 'asset-checks'")).toEqual([]);
    expect(await findingsOf(unchecked, id)).toEqual([]);
    expect(await findingsInQueue(unchecked, id)).toEqual([]);
    expect(pictures.asked).toEqual([]);
    await unchecked.close();
  });
});

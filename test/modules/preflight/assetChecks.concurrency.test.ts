import { describe, expect, it } from '@jest/globals';
import type { AppJson } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import {
  checksOf,
  enforcingStage,
  expectSoon,
  goodPictures,
  heldPicture,
  listingWith,
} from './picture-stage.js';

const stage = beforeTests(enforcingStage);

describe('edits and submissions while pictures are fetched', () => {
  it('hold no lock and no transaction: after an edit meanwhile, the submission must be repeated (D50)', async () => {
    const { service, ada, pictures } = stage;
    const held = heldPicture(stage, '/held');
    const { id } = await service.anApp(ada, 'DRAFT', {
      ...listingWith(stage),
      screenshots: [{ url: held.url }, { url: pictures.url('/png/1280x720') }],
    });
    const submission = service.client.call('graphql', 'submitApp', { id }, ada.token);
    await held.requested;
    // The worker's periodic tasks have short transactions.
    const open =
      "select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'";
    await expectSoon(() => service.sql(open), []);
    await service.client.must('updateApp', { id, name: 'Edited meanwhile' }, ada.token);
    held.release();
    expectError(await submission, 'REVISION_CONFLICT');
    const now = await service.client.must<AppJson>('myApp', { id }, ada.token);
    expect(now).toMatchObject({ status: 'DRAFT', revision: 2, name: 'Edited meanwhile' });
    expectSuccess(await service.client.call('graphql', 'submitApp', { id }, ada.token));
    expect(await checksOf(stage, id, 2)).toHaveLength(3);
  });

  it('refuse the submissions that came second (D18)', async () => {
    const { service, ada, pictures } = stage;
    const held = heldPicture(stage, '/held-twice');
    const { id } = await service.anApp(ada, 'DRAFT', {
      ...listingWith(stage),
      screenshots: [{ url: held.url }, { url: pictures.url('/png/1280x720') }],
    });
    const submissions = [1, 2, 3].map(() => service.client.call('graphql', 'submitApp', { id }, ada.token));
    await held.requested;
    held.release();
    const codes = (await Promise.all(submissions)).map(({ code }) => code).sort();
    expect(codes).toEqual(['INVALID_TRANSITION', 'INVALID_TRANSITION', null]);
  });

  it('refuse an edit of a pending app that another edit overtook', async () => {
    const { service, ada } = stage;
    const { id } = await service.anApp(ada, 'PENDING', listingWith(stage, ...goodPictures));
    const held = heldPicture(stage, '/held-edit');
    const screenshots = [{ url: held.url }, { url: stage.pictures.url('/png/1280x720') }];
    const slow = service.client.call('graphql', 'updateApp', { id, screenshots }, ada.token);
    await held.requested;
    await service.client.must('updateApp', { id, name: 'Faster' }, ada.token);
    held.release();
    expectError(await slow, 'REVISION_CONFLICT');
  });

  it('must be repeated for a version that was edited meanwhile; a submitted version is not fetched again (D63)', async () => {
    const { service, ada, pictures } = stage;
    const held = heldPicture(stage, '/held-version');
    const app = await service.anApp(ada, 'APPROVED', listingWith(stage, ...goodPictures));
    const screenshots = [{ url: held.url }, { url: pictures.url('/png/1280x720') }];
    // Only ids: allowedActions of a version would fetch the held picture, too.
    const { createAppVersion } = await service.client.queryData<{ createAppVersion: { id: string } }>(
      `mutation ($appId: ID!, $input: CreateAppVersionInput!) {
        createAppVersion(appId: $appId, input: $input) { id }
      }`,
      { appId: app.id, input: { screenshots } },
      ada.token,
    );
    const { id } = createAppVersion;
    const submission = service.client.call('graphql', 'submitAppVersion', { id }, ada.token);
    await held.requested;
    await service.client.queryData(
      'mutation ($id: ID!) { updateAppVersion(id: $id, input: { name: "Edited meanwhile" }) { id } }',
      { id },
      ada.token,
    );
    held.release();
    expectError(await submission, 'REVISION_CONFLICT');
    expectSuccess(await service.client.call('graphql', 'submitAppVersion', { id }, ada.token));
    const before = pictures.asked.length;
    const again = await service.client.call('graphql', 'submitAppVersion', { id }, ada.token);
    expectError(again, 'INVALID_TRANSITION');
    expect(pictures.asked).toHaveLength(before);
  });
});

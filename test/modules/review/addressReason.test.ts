import { describe, expect, it } from '@jest/globals';
import type { AppJson, ConnectionJson, Json } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

const twoReasons = {
  revision: 1,
  reasons: [
    { code: 'INCOMPLETE', field: 'description', message: 'It says too little.' },
    { code: 'BROKEN_LINK', field: 'websiteUrl', message: 'The link is dead.' },
  ],
  guidance: 'Mend both.',
};
const rejection = 'rejection { reasons { message addressed } }';

interface Marks {
  rejection: { reasons: { addressed: boolean }[] } | null;
}

interface Seen {
  app: Json & { rejection: unknown };
  version: (Json & { rejection: unknown }) | null;
  lastReviewedRevision: number | null;
  changes: { field: string; before: string | null; after: string | null }[];
}

describe('addressReason over graphql', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());

  const address = (id: string, input: Input, bearer = ada.key) =>
    service.client.call<AppJson>('graphql', 'addressReason', { id, ...input }, bearer);
  const aRejectedApp = async () => {
    const { id } = await service.anApp(ada, 'PENDING');
    return service.administer<AppJson>('rejectApp', { id, ...twoReasons });
  };
  const marksOf = async (id: string) => {
    const { myApp } = await service.client.queryData<{ myApp: Marks & { openVersion: Marks | null } }>(
      `query ($id: ID!) { myApp(id: $id) { ${rejection} openVersion { ${rejection} } } }`,
      { id },
      ada.token,
    );
    const { reasons } = myApp.rejection ?? myApp.openVersion?.rejection ?? { reasons: [] };
    return reasons.map(({ addressed }) => addressed);
  };
  /** Reads an app as the next reviewer sees it. */
  const seen = async (id: string) => {
    const { reviewQueue } = await service.client.queryData<{ reviewQueue: ConnectionJson<Seen> }>(
      `{ reviewQueue(first: 100) { edges { node { lastReviewedRevision changes { field before after }
        app { id ${rejection} } version { id ${rejection} } } } } }`,
      {},
      await service.admin(),
    );
    return reviewQueue.edges.map(({ node }) => node).find(({ app }) => app.id === id);
  };

  it('marks one reason as addressed, and only that one; `false` undoes it', async () => {
    const app = await aRejectedApp();
    expect(await marksOf(app.id)).toEqual([false, false]);
    const data = expectSuccess(await address(app.id, { reason: 1 }));
    expect(data).toEqual({ ...app, updatedAt: data.updatedAt });
    expect(await marksOf(app.id)).toEqual([false, true]);
    await address(app.id, { reason: 0, addressed: true });
    await address(app.id, { reason: 1, addressed: false });
    expect(await marksOf(app.id)).toEqual([true, false]);
  });

  it('raises no revision: the listing is the same (D19)', async () => {
    const { id } = await aRejectedApp();
    expect((await address(id, { reason: 0 })).data.revision).toBe(1);
  });

  it('shows the next reviewer which reasons were addressed, and what changed since the last review', async () => {
    const app = await aRejectedApp();
    const { id } = app;
    await service.client.must(
      'updateApp',
      { id, description: 'It says enough.', websiteUrl: 'https://works.example' },
      ada.token,
    );
    await address(id, { reason: 0 });
    await service.client.must('submitApp', { id }, ada.token);
    await address(id, { reason: 1 });
    await service.client.must('updateApp', { id, longDescription: 'More.' }, ada.token);
    expect(await seen(id)).toEqual({
      app: {
        id,
        rejection: {
          reasons: [
            { message: 'It says too little.', addressed: true },
            { message: 'The link is dead.', addressed: true },
          ],
        },
      },
      version: null,
      lastReviewedRevision: 1,
      changes: [
        { field: 'description', before: app.description, after: 'It says enough.' },
        { field: 'longDescription', before: null, after: 'More.' },
        { field: 'websiteUrl', before: null, after: 'https://works.example' },
      ],
    });
  });

  it('measures the difference from the last decision, not from a withdrawal or an earlier one', async () => {
    const { id } = await aRejectedApp();
    await service.client.must('updateApp', { id, description: 'Second.' }, ada.token);
    await service.client.must('submitApp', { id }, ada.token);
    await service.administer('rejectApp', { id, ...twoReasons, revision: 2 });
    expect(await marksOf(id)).toEqual([false, false]);
    await service.client.must('updateApp', { id, name: 'Third' }, ada.token);
    await service.client.must('submitApp', { id }, ada.token);
    await service.client.must('withdrawApp', { id }, ada.token);
    await service.client.must('submitApp', { id }, ada.token);
    const { lastReviewedRevision, changes } = (await seen(id))!;
    expect({ lastReviewedRevision, fields: changes.map(({ field }) => field) }).toEqual({
      lastReviewedRevision: 2,
      fields: ['name'],
    });
  });

  it('is for the reasons of an open version too, whose difference is to the live listing at first', async () => {
    const { app, version } = await service.aVersion(ada, 'PENDING', { description: 'Better.' });
    expect(await seen(app.id)).toMatchObject({
      version: { id: version.id },
      lastReviewedRevision: null,
      changes: [{ field: 'description', before: app.description, after: 'Better.' }],
    });
    await service.administer('rejectAppVersion', { id: version.id, ...twoReasons });
    expectSuccess(await address(app.id, { reason: 0 }));
    expect(await marksOf(app.id)).toEqual([true, false]);
    await service.client.must('updateAppVersion', { id: version.id, name: 'Mended' }, ada.token);
    await service.client.must('submitAppVersion', { id: version.id }, ada.token);
    expect(await seen(app.id)).toMatchObject({
      version: { rejection: { reasons: [{ addressed: true }, { addressed: false }] } },
      lastReviewedRevision: 1,
      changes: [{ field: 'name', before: app.name, after: 'Mended' }],
    });
  });

  it('refuses a reason that does not exist, and an invalid number', async () => {
    const { id } = await aRejectedApp();
    expectError(await address(id, { reason: 2 }), 'VALIDATION_FAILED', ['reason: too_big']);
    expectError(await address(id, { reason: -1 }), 'VALIDATION_FAILED', ['reason: too_small']);
  });

  it('refuses with INVALID_TRANSITION where the app is approved since', async () => {
    const { id } = await aRejectedApp();
    await service.client.must('submitApp', { id }, ada.token);
    await service.administer('approveApp', { id, revision: 1 });
    expectError(await address(id, { reason: 0 }), 'INVALID_TRANSITION');
  });
});

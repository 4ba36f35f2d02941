import { describe, expect, it } from '@jest/globals';
import type { Json, VersionJson } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { enforcingStage, goodPictures, listingWith } from './picture-stage.js';

const stage = beforeTests(enforcingStage);

describe('allowedActions with ASSET_CHECKS=enforce', () => {
  const foretold = async (appId: string, act: 'submitApp' | 'submitAppVersion') => {
    const fields = 'allowedActions { action allowed code message }';
    type Subject = { allowedActions: Json[] };
    const { myApp } = await stage.service.client.queryData<{
      myApp: Subject & { openVersion: Subject | null };
    }>(
      `query ($id: ID!) { myApp(id: $id) { ${fields} openVersion { ${fields} } } }`,
      { id: appId },
      stage.ada.token,
    );
    const subject = act === 'submitApp' ? myApp : myApp.openVersion!;
    return subject.allowedActions.find(({ action }) => action === act);
  };

  it.each([
    ['bad', '/png/640x480', 'VALIDATION_FAILED'],
    ['good', '/png/1280x720', null],
  ] as const)(
    'predict the submission of an app and of a version with a %s picture',
    async (_, path, code) => {
      const { service, ada } = stage;
      const pictures = listingWith(stage, '/png/1280x720', path);
      const { id } = await service.anApp(ada, 'DRAFT', pictures);
      const told = await foretold(id, 'submitApp');
      const outcome = await service.client.call('graphql', 'submitApp', { id }, ada.token);
      expect(told).toMatchObject({ allowed: code === null, code });
      expect([outcome.code, outcome.message]).toEqual([told?.code, told?.message ?? '']);

      const live = await service.anApp(ada, 'APPROVED', listingWith(stage, ...goodPictures));
      const version = await service.client.must<VersionJson>(
        'createAppVersion',
        { appId: live.id, ...pictures },
        ada.token,
      );
      const toldOfVersion = await foretold(live.id, 'submitAppVersion');
      expect(toldOfVersion).toMatchObject({ allowed: code === null, code });
      const submitted = await service.client.call(
        'graphql',
        'submitAppVersion',
        { id: version.id },
        ada.token,
      );
      expect(submitted.code).toBe(code);
    },
  );

  it('fetches nothing for a listing that cannot be submitted anyway, and the same picture once in some minutes (D355)', async () => {
    const { service, ada, pictures } = stage;
    const asked = (path: string) => pictures.asked.filter((each) => each.endsWith(path)).length;
    const waiting = await service.anApp(
      ada,
      'PENDING',
      listingWith(stage, ...goodPictures.map((path) => `${path}?pending`)),
    );
    const before = asked('?pending');
    await foretold(waiting.id, 'submitApp');
    expect(asked('?pending')).toBe(before);
    const draft = await service.anApp(
      ada,
      'DRAFT',
      listingWith(stage, '/png/1280x720?draft', '/png/1280x720'),
    );
    for (const _ of [1, 2, 3]) await foretold(draft.id, 'submitApp');
    expect(asked('?draft')).toBe(1);
    const change = { id: draft.id, logoUrl: pictures.url('/png/9x9') };
    await service.client.must('updateApp', change, ada.token);
    expect(await foretold(draft.id, 'submitApp')).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(asked('?draft')).toBe(1);
  });

  it('fetch the pictures of one app only in a long list', async () => {
    const { service, pictures } = stage;
    const grace = await service.aDeveloper();
    for (const n of [1, 2, 3, 4, 5])
      await service.anApp(grace, 'DRAFT', listingWith(stage, `/png/1280x720?many${n}`, '/png/1280x720'));
    await service.client.queryData('{ myApps { allowedActions { action } } }', {}, grace.token);
    expect(pictures.asked.filter((each) => each.includes('?many'))).toHaveLength(1);
  });
});

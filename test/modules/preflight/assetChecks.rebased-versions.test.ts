import { describe, it } from '@jest/globals';
import type { VersionJson } from '../../support/actors.js';
import { expectSuccess } from '../../support/outcomes.js';
import {
  enforcingStage,
  expectSoon,
  findingsOfVersion,
  goodPictures,
  listingWith,
  warningStage,
} from './picture-stage.js';

describe.each(['warn', 'enforce'])('a rebased version with ASSET_CHECKS=%s', (mode) => {
  it('that is pending is checked again: the reviewer sees problems of the merged pictures (D105)', async () => {
    const stage = await (mode === 'warn' ? warningStage() : enforcingStage());
    const { service, ada, pictures } = stage;
    const app = await service.anApp(ada, 'APPROVED', listingWith(stage, ...goodPictures));
    const { id } = await service.client.must<VersionJson>(
      'createAppVersion',
      { appId: app.id, name: 'Two' },
      ada.token,
    );
    await service.client.must('submitAppVersion', { id }, ada.token);
    const edit = { id: app.id, bannerUrl: pictures.url('/png/7x7'), reason: 'Asked.' };
    await service.administer('editApp', edit);
    expectSuccess(await service.callAsAdmin('rebaseAppVersion', { id }));
    const severity = mode === 'warn' ? 'WARNING' : 'ERROR';
    await expectSoon(() => findingsOfVersion(stage, app.id), [`${severity} bannerUrl: wrong_size`]);
  });
});

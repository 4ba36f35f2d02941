import type { AppStatus, VersionStatus } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import type { Scene } from './acts.js';

export const reason = 'For a reason.';

/** Makes the things that acts are done to. */
export function subjectsOf(scene: Scene) {
  const app =
    (state: AppStatus, input: Input = {}) =>
    async () => ({ id: (await scene.service.anApp(scene.ada, state)).id, ...input });
  const version =
    (state: VersionStatus, input: Input = {}) =>
    async () => ({ id: (await scene.service.aVersion(scene.ada, state)).version.id, ...input });
  const someone =
    (verified: boolean, input: Input = {}) =>
    async () => {
      const { id } = await (verified ? scene.service.aDeveloper() : scene.service.anUnverifiedDeveloper());
      return { id, ...input };
    };
  const suspended = async () => {
    const { id } = await scene.service.anUnverifiedDeveloper();
    await scene.service.administer('suspendDeveloper', { id, reason });
    return { id };
  };
  /** A developer has ten at most, so the former ones make room. */
  const noEndpoints = () =>
    scene.service.sql('delete from webhook_endpoints where developer_id = $1', [scene.ada.id]);
  const endpoint =
    (input: Input = {}) =>
    async () => {
      await noEndpoints();
      const made = { url: 'https://ada.example/hook' };
      const { id } = await scene.service.client.must<{ id: string }>(
        'createWebhookEndpoint',
        made,
        scene.ada.token,
      );
      return { id, ...input };
    };
  const adminEndpoint =
    (input: Input = {}) =>
    async () => {
      await scene.service.sql('delete from webhook_endpoints where developer_id is null');
      const { id } = await scene.service.administer<{ id: string }>('createAdminWebhook', {
        url: 'https://ada.example/hook',
      });
      return { id, ...input };
    };
  const claimed = async () => {
    const { id } = await scene.service.anApp(scene.ada, 'PENDING');
    await scene.service.administer('claimReview', { id });
    return { id };
  };
  const claimedByAnother = async () => {
    const { id } = await scene.service.anApp(scene.ada, 'PENDING');
    await scene.service.client.must('claimReview', { id }, (await scene.service.anAdministrator()).token);
    return { id };
  };
  const rated = async () => scene.service.aRating(await scene.service.anApp(scene.ada, 'APPROVED'));
  const theirs = async () => scene.service.anApp(await scene.service.aDeveloper(), 'APPROVED');
  return {
    app,
    version,
    someone,
    suspended,
    noEndpoints,
    endpoint,
    adminEndpoint,
    claimed,
    claimedByAnother,
    rated,
    theirs,
  };
}

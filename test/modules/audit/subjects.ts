import type { AppStatus, Json, VersionStatus } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import type { Scene } from './acts.js';

export const reason = 'For a reason.';
const hook = { url: 'https://ada.example/hook' };

/** Makes the things that acts are done to. */
export function subjectsOf(scene: Scene) {
  const { service, ada } = scene;
  const app =
    (state: AppStatus, input: Input = {}) =>
    async () => ({ id: (await service.anApp(ada, state)).id, ...input });
  const version =
    (state: VersionStatus, input: Input = {}) =>
    async () => ({ id: (await service.aVersion(ada, state)).version.id, ...input });
  const someone =
    (verified: boolean, input: Input = {}) =>
    async () => {
      const { id } = await (verified ? service.aDeveloper() : service.anUnverifiedDeveloper());
      return { id, ...input };
    };
  const suspended = async () => {
    const { id } = await service.anUnverifiedDeveloper();
    await service.administer('suspendDeveloper', { id, reason });
    return { id };
  };
  /** An endpoint, the only one of its owner: there is a limit, so the former ones make room. */
  const endpoint =
    (input: Input = {}) =>
    async () => {
      await service.sql('delete from webhook_endpoints where developer_id = $1', [ada.id]);
      const { id } = await service.client.must<Json>('createWebhookEndpoint', hook, ada.token);
      return { id, ...input };
    };
  const adminEndpoint =
    (input: Input = {}) =>
    async () => {
      await service.sql('delete from webhook_endpoints where developer_id is null');
      const { id } = await service.administer<Json>('createAdminWebhook', hook);
      return { id, ...input };
    };
  const claimed = async () => {
    const { id } = await service.anApp(ada, 'PENDING');
    await service.administer('claimReview', { id });
    return { id };
  };
  const claimedByAnother = async () => {
    const { id } = await service.anApp(ada, 'PENDING');
    await service.client.must('claimReview', { id }, (await service.anAdministrator()).token);
    return { id };
  };
  const rated = async () => service.aRating(await service.anApp(ada, 'APPROVED'));
  const theirs = async () => service.anApp(await service.aDeveloper(), 'APPROVED');
  return {
    app,
    version,
    someone,
    suspended,
    endpoint,
    adminEndpoint,
    claimed,
    claimedByAnother,
    rated,
    theirs,
  };
}

import { aRejection, unique } from '../../support/actors.js';
import type { Acts, Scene } from './acts.js';
import { approval, edited, name, named, said, stage, status } from './expected-lines.js';
import { reason, subjectsOf } from './subjects.js';
import { webhookActs } from './webhook-acts.js';

/** Acts of administrators. */
export function administratorActs(scene: Scene): Acts {
  const { service, ada } = scene;
  const { app, version, someone, suspended, claimed, claimedByAnother, rated, adminEndpoint } =
    subjectsOf(scene);
  const webhook = webhookActs(service, adminEndpoint);
  return {
    createAdminWebhook: webhook.create,
    updateAdminWebhook: webhook.update,
    rotateAdminWebhookSecret: webhook.rotate,
    deleteAdminWebhook: webhook.remove,
    enableAdminWebhook: webhook.enable,
    hideRating: {
      on: async () => ({ id: (await rated()).id, reason }),
      line: { kind: 'rating.hidden', before: { hidden: false }, after: { hidden: true } },
      refused: async () => ({ id: (await rated()).id, reason: '' }),
    },
    dismissRatingReports: {
      on: async () => {
        const { id } = await rated();
        const token = await service.token(unique('reporter'));
        await service.client.must('reportRating', { id, reason }, token);
        return { id };
      },
      line: { kind: 'rating.reports_dismissed', before: { reports: 1 }, after: { reports: 0 } },
    },
    dismissAppReports: {
      on: async () => {
        const { id, slug } = await service.anApp(ada, 'APPROVED');
        const token = await service.token(unique('reporter'));
        await service.client.must('reportApp', { slug, reason: 'SPAM' }, token);
        return { id };
      },
      line: { kind: 'app.reports_dismissed', before: { reports: 1 }, after: { reports: 0 } },
    },
    unhideRating: {
      on: async () => {
        const { id } = await rated();
        await service.administer('hideRating', { id, reason });
        return { id };
      },
      line: { kind: 'rating.unhidden', before: { hidden: true }, after: { hidden: false } },
    },
    verifyDeveloper: {
      on: someone(false),
      line: { kind: 'developer.verified', ...status('UNVERIFIED', 'VERIFIED') },
      refused: suspended,
    },
    unverifyDeveloper: {
      on: someone(true, { reason }),
      line: { kind: 'developer.unverified', ...status('VERIFIED', 'UNVERIFIED') },
      refused: someone(true, { reason: '' }),
    },
    editDeveloper: {
      on: someone(true, { bio: 'New', reason }),
      line: { kind: 'developer.edited', before: { bio: null }, after: { bio: 'New' } },
      refused: someone(true, { name: 'Administrator', reason }),
    },
    suspendDeveloper: {
      on: someone(true, { reason }),
      line: { kind: 'developer.suspended', ...status('VERIFIED', 'SUSPENDED') },
      refused: someone(true, { reason: '' }),
    },
    reinstateDeveloper: {
      on: suspended,
      line: { kind: 'developer.reinstated', ...status('SUSPENDED', 'UNVERIFIED') },
    },
    claimReview: {
      on: app('PENDING'),
      line: { kind: 'review.claimed', ...stage('QUEUED', 'IN_REVIEW') },
      refused: claimedByAnother,
    },
    claimNext: {
      on: async () => {
        await app('PENDING')();
        return {};
      },
      line: { kind: 'review.claimed', ...stage('QUEUED', 'IN_REVIEW') },
    },
    releaseReview: {
      on: claimed,
      line: { kind: 'review.released', ...stage('IN_REVIEW', 'QUEUED') },
      refused: claimedByAnother,
    },
    messageDeveloper: {
      on: app('DRAFT', { text: 'Hello.' }),
      line: { kind: 'review.message-received', ...said },
      refused: app('DRAFT', { text: '' }),
    },
    approveApp: {
      on: app('PENDING', approval),
      line: { kind: 'app.approved', ...status('PENDING', 'APPROVED') },
      refused: async () => ({ ...(await claimedByAnother()), ...approval }),
    },
    rejectApp: {
      on: app('PENDING', aRejection(1)),
      line: { kind: 'app.rejected', ...status('PENDING', 'REJECTED') },
      refused: app('PENDING', aRejection(2)),
    },
    suspendApp: {
      on: app('APPROVED', { reason }),
      line: { kind: 'app.suspended', ...status('APPROVED', 'SUSPENDED') },
      refused: app('DRAFT', { reason }),
    },
    restoreApp: {
      on: app('SUSPENDED'),
      line: { kind: 'app.restored', ...status('SUSPENDED', 'APPROVED') },
      refused: app('DRAFT'),
    },
    featureApp: {
      on: app('APPROVED', { featured: true }),
      line: { kind: 'app.featured', before: { featured: false }, after: { featured: true } },
      refused: app('DRAFT', { featured: true }),
    },
    editApp: {
      on: app('APPROVED', { ...name, reason }),
      line: { kind: 'app.edited', ...edited({ name: named }, name) },
      refused: app('DRAFT', { ...name, reason }),
    },
    approveAppVersion: {
      on: version('PENDING', approval),
      line: {
        kind: 'version.approved',
        before: { status: 'PENDING', description: named, revision: 1 },
        after: { status: 'APPROVED', description: named, revision: 2 },
      },
      refused: version('PENDING', { revision: 2 }),
    },
    rejectAppVersion: {
      on: version('PENDING', aRejection(1)),
      line: { kind: 'version.rejected', ...status('PENDING', 'REJECTED') },
      refused: version('DRAFT', aRejection(1)),
    },
  };
}

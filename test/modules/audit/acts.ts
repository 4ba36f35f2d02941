import { expect } from '@jest/globals';
import { Scope } from '../../../src/auth/scope.js';
import type { OperationName } from '../../../src/contract.js';
import {
  type AppStatus,
  aListing,
  aRejection,
  type Developer,
  unique,
  type VersionStatus,
} from '../../support/actors.js';
import type { AuditLine } from '../../support/audit.js';
import type { Input } from '../../support/doors.js';
import type { Service } from '../../support/service.js';

type Lined = Pick<AuditLine, 'before' | 'after'> & { kind: string };

/** Where the acts are done; filled before the first of them is. */
export interface Scene {
  service: Service;
  ada: Developer;
}

/** One act: what it is done to, what must then stand in the log, and the same act where it is refused. */
export interface Act {
  by: 'developer' | 'administrator' | 'account';
  on: () => Promise<Input>;
  line: Lined;
  refused?: () => Promise<Input>;
}

const reason = 'For a reason.';
const status = (before: string, after: string) => ({ before: { status: before }, after: { status: after } });

/** Every operation that changes something. */
export function actsOf(scene: Scene): Partial<Record<OperationName, Act>> {
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
    await scene.service.doors.must('suspendDeveloper', { id, reason }, await scene.service.admin());
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
      const { id } = await scene.service.doors.must<{ id: string }>(
        'createWebhookEndpoint',
        made,
        scene.ada.token,
      );
      return { id, ...input };
    };
  const claimed = async () => {
    const { id } = await scene.service.anApp(scene.ada, 'PENDING');
    await scene.service.doors.must('claimReview', { id }, await scene.service.admin());
    return { id };
  };
  const claimedByAnother = async () => {
    const { id } = await scene.service.anApp(scene.ada, 'PENDING');
    await scene.service.doors.must('claimReview', { id }, (await scene.service.anAdministrator()).token);
    return { id };
  };
  const opinion = { rating: 2, text: 'It forgets things.' };
  const rated = async () => scene.service.aRating(await scene.service.anApp(scene.ada, 'APPROVED'));
  const theirs = async () => scene.service.anApp(await scene.service.aDeveloper(), 'APPROVED');
  const stage = (before: string, after: string) => ({ before: { stage: before }, after: { stage: after } });
  const made = (fields: object): Pick<Lined, 'before' | 'after'> => ({
    before: null,
    after: expect.objectContaining(fields) as unknown as Record<string, unknown>,
  });
  const said = { before: null, after: null };
  const edited = (before: Input, after: Input, revision = 1) => ({
    before: { ...before, revision },
    after: { ...after, revision: revision + 1 },
  });

  const hooked = (fields: object = {}) => ({
    host: 'ada.example',
    events: [],
    description: null,
    enabled: true,
    ...fields,
  });
  const name = { name: 'A name' };
  const named = expect.any(String) as unknown as string;
  const approval = { revision: 1 };
  return {
    updateMe: {
      by: 'developer',
      on: async () => ({ companyName: unique('Company') }),
      line: { kind: 'developer.updated', before: { companyName: null }, after: { companyName: named } },
      refused: async () => ({ name: '' }),
    },
    createApiKey: {
      by: 'developer',
      on: async () => ({ name: 'A key', scopes: [Scope.APP_READ] }),
      line: { kind: 'key.created', ...made({ name: 'A key', scopes: [Scope.APP_READ], status: 'ACTIVE' }) },
      refused: async () => ({ name: 'A key', scopes: [] }),
    },
    revokeApiKey: {
      by: 'developer',
      on: async () => ({ id: (await scene.service.anIssuedKey(scene.ada)).id }),
      line: { kind: 'key.revoked', ...status('ACTIVE', 'REVOKED') },
    },
    rotateApiKey: {
      by: 'developer',
      on: async () => ({ id: (await scene.service.anIssuedKey(scene.ada)).id, graceHours: 1 }),
      line: {
        kind: 'key.rotated',
        before: { expiresAt: named },
        after: {
          expiresAt: named,
          successor: expect.objectContaining({ name: 'A key', scopes: Object.values(Scope) }),
        },
      },
      refused: async () => ({ id: (await scene.service.anIssuedKey(scene.ada)).id, graceHours: 169 }),
    },
    createApp: {
      by: 'developer',
      on: async () => aListing(name),
      line: { kind: 'app.created', ...made({ name: 'A name', status: 'DRAFT' }) },
      refused: async () => ({ ...aListing(), name: '' }),
    },
    updateApp: {
      by: 'developer',
      on: app('DRAFT', name),
      line: { kind: 'app.updated', ...edited({ name: named }, name) },
      refused: app('APPROVED', name),
    },
    deleteApp: {
      by: 'developer',
      on: app('DRAFT'),
      line: {
        kind: 'app.deleted',
        before: expect.objectContaining({ status: 'DRAFT' }) as never,
        after: null,
      },
      refused: app('APPROVED'),
    },
    submitApp: {
      by: 'developer',
      on: app('DRAFT'),
      line: { kind: 'app.submitted', ...status('DRAFT', 'PENDING') },
      refused: app('PENDING'),
    },
    withdrawApp: {
      by: 'developer',
      on: app('PENDING'),
      line: { kind: 'app.withdrawn', ...status('PENDING', 'DRAFT') },
      refused: app('DRAFT'),
    },
    addressReason: {
      by: 'developer',
      on: app('REJECTED', { reason: 0 }),
      line: {
        kind: 'app.reason-addressed',
        before: { 'rejection.reasons.0.addressed': false },
        after: { 'rejection.reasons.0.addressed': true },
      },
      refused: app('REJECTED', { reason: 1 }),
    },
    messageReviewers: {
      by: 'developer',
      on: app('DRAFT', { text: 'Hello.' }),
      line: { kind: 'review.message-sent', ...said },
      refused: app('DRAFT', { text: '' }),
    },
    createAppVersion: {
      by: 'developer',
      on: async () => ({ appId: (await scene.service.anApp(scene.ada, 'APPROVED')).id, ...name }),
      line: { kind: 'version.created', before: null, after: { ...name, status: 'DRAFT', revision: 1 } },
      refused: async () => ({ appId: (await scene.service.aVersion(scene.ada)).app.id, ...name }),
    },
    updateAppVersion: {
      by: 'developer',
      on: version('DRAFT', name),
      line: { kind: 'version.updated', ...edited({ name: named }, name) },
      refused: version('APPROVED', name),
    },
    submitAppVersion: {
      by: 'developer',
      on: version('DRAFT'),
      line: { kind: 'version.submitted', ...status('DRAFT', 'PENDING') },
      refused: version('PENDING'),
    },
    createWebhookEndpoint: {
      by: 'developer',
      on: async () => {
        await noEndpoints();
        return { url: 'https://ada.example/hook' };
      },
      line: { kind: 'webhook.created', before: null, after: hooked() },
      refused: async () => ({ url: 'https://127.0.0.1/' }),
    },
    updateWebhookEndpoint: {
      by: 'developer',
      on: endpoint({ description: 'New' }),
      line: { kind: 'webhook.updated', before: hooked(), after: hooked({ description: 'New' }) },
    },
    rotateWebhookSecret: {
      by: 'developer',
      on: endpoint(),
      line: {
        kind: 'webhook.secret-rotated',
        before: { formerSecretUntil: null },
        after: { formerSecretUntil: named },
      },
    },
    deleteWebhookEndpoint: {
      by: 'developer',
      on: endpoint(),
      line: { kind: 'webhook.deleted', before: hooked(), after: null },
    },
    enableWebhookEndpoint: {
      by: 'developer',
      on: async () => {
        const { id } = await endpoint()();
        await scene.service.sql(
          "update webhook_endpoints set disabled_at = now(), disabled_reason = 'Gone.' where id = $1",
          [id],
        );
        return { id };
      },
      line: { kind: 'webhook.enabled', before: hooked({ enabled: false }), after: hooked() },
    },
    withdrawAppVersion: {
      by: 'developer',
      on: version('PENDING'),
      line: { kind: 'version.withdrawn', ...status('PENDING', 'DRAFT') },
      refused: version('DRAFT'),
    },
    discardAppVersion: {
      by: 'developer',
      on: version('PENDING'),
      line: { kind: 'version.discarded', ...status('PENDING', 'DISCARDED') },
      refused: version('DISCARDED'),
    },
    rebaseAppVersion: {
      by: 'developer',
      on: async () => {
        const { app, version } = await scene.service.aVersion(scene.ada);
        const edit = { id: app.id, category: 'FINANCE', reason };
        await scene.service.doors.must('editApp', edit, await scene.service.admin());
        return { id: version.id };
      },
      line: { kind: 'version.rebased', ...edited({ category: 'PRODUCTIVITY' }, { category: 'FINANCE' }) },
      refused: version('DISCARDED'),
    },
    rateApp: {
      by: 'account',
      on: async () => ({ slug: (await theirs()).slug, ...opinion }),
      line: { kind: 'rating.created', before: null, after: { ...opinion, title: null } },
      refused: async () => ({ slug: (await scene.service.anApp(scene.ada, 'APPROVED')).slug, ...opinion }),
    },
    removeRating: {
      by: 'account',
      on: async () => {
        const { slug } = await theirs();
        await scene.service.doors.must('rateApp', { slug, ...opinion }, scene.ada.token);
        return { slug };
      },
      line: { kind: 'rating.removed', before: { ...opinion, title: null }, after: null },
      refused: async () => ({ slug: (await theirs()).slug }),
    },
    replyToRating: {
      by: 'developer',
      on: async () => ({ id: (await rated()).id, text: 'Thank you.' }),
      line: { kind: 'rating.replied', before: { reply: null }, after: { reply: 'Thank you.' } },
      refused: async () => ({ id: (await scene.service.aRating(await theirs())).id, text: 'Thank you.' }),
    },
    hideRating: {
      by: 'administrator',
      on: async () => ({ id: (await rated()).id, reason }),
      line: { kind: 'rating.hidden', before: { hidden: false }, after: { hidden: true } },
      refused: async () => ({ id: (await rated()).id, reason: '' }),
    },
    unhideRating: {
      by: 'administrator',
      on: async () => {
        const { id } = await rated();
        await scene.service.doors.must('hideRating', { id, reason }, await scene.service.admin());
        return { id };
      },
      line: { kind: 'rating.unhidden', before: { hidden: true }, after: { hidden: false } },
    },
    verifyDeveloper: {
      by: 'administrator',
      on: someone(false),
      line: { kind: 'developer.verified', ...status('UNVERIFIED', 'VERIFIED') },
      refused: suspended,
    },
    unverifyDeveloper: {
      by: 'administrator',
      on: someone(true, { reason }),
      line: { kind: 'developer.unverified', ...status('VERIFIED', 'UNVERIFIED') },
      refused: someone(true, { reason: '' }),
    },
    suspendDeveloper: {
      by: 'administrator',
      on: someone(true, { reason }),
      line: { kind: 'developer.suspended', ...status('VERIFIED', 'SUSPENDED') },
      refused: someone(true, { reason: '' }),
    },
    reinstateDeveloper: {
      by: 'administrator',
      on: suspended,
      line: { kind: 'developer.reinstated', ...status('SUSPENDED', 'UNVERIFIED') },
    },
    claimReview: {
      by: 'administrator',
      on: app('PENDING'),
      line: { kind: 'review.claimed', ...stage('QUEUED', 'IN_REVIEW') },
      refused: claimedByAnother,
    },
    releaseReview: {
      by: 'administrator',
      on: claimed,
      line: { kind: 'review.released', ...stage('IN_REVIEW', 'QUEUED') },
      refused: claimedByAnother,
    },
    messageDeveloper: {
      by: 'administrator',
      on: app('DRAFT', { text: 'Hello.' }),
      line: { kind: 'review.message-received', ...said },
      refused: app('DRAFT', { text: '' }),
    },
    approveApp: {
      by: 'administrator',
      on: app('PENDING', approval),
      line: { kind: 'app.approved', ...status('PENDING', 'APPROVED') },
      refused: async () => ({ ...(await claimedByAnother()), ...approval }),
    },
    rejectApp: {
      by: 'administrator',
      on: app('PENDING', aRejection(1)),
      line: { kind: 'app.rejected', ...status('PENDING', 'REJECTED') },
      refused: app('PENDING', aRejection(2)),
    },
    suspendApp: {
      by: 'administrator',
      on: app('APPROVED', { reason }),
      line: { kind: 'app.suspended', ...status('APPROVED', 'SUSPENDED') },
      refused: app('DRAFT', { reason }),
    },
    restoreApp: {
      by: 'administrator',
      on: app('SUSPENDED'),
      line: { kind: 'app.restored', ...status('SUSPENDED', 'APPROVED') },
      refused: app('DRAFT'),
    },
    featureApp: {
      by: 'administrator',
      on: app('APPROVED', { featured: true }),
      line: { kind: 'app.featured', before: { featured: false }, after: { featured: true } },
      refused: app('DRAFT', { featured: true }),
    },
    editApp: {
      by: 'administrator',
      on: app('APPROVED', { ...name, reason }),
      line: { kind: 'app.edited', ...edited({ name: named }, name) },
      refused: app('DRAFT', { ...name, reason }),
    },
    approveAppVersion: {
      by: 'administrator',
      on: version('PENDING', approval),
      line: {
        kind: 'version.approved',
        before: { status: 'PENDING', description: named, revision: 1 },
        after: { status: 'APPROVED', description: named, revision: 2 },
      },
      refused: version('PENDING', { revision: 2 }),
    },
    rejectAppVersion: {
      by: 'administrator',
      on: version('PENDING', aRejection(1)),
      line: { kind: 'version.rejected', ...status('PENDING', 'REJECTED') },
      refused: version('DRAFT', aRejection(1)),
    },
  };
}

import { expect } from '@jest/globals';
import { Scope } from '../../../src/auth/scope.js';
import { aListing, type Json, unique } from '../../support/actors.js';
import { unknownId } from '../../support/matchers.js';
import type { Acts, Scene } from './acts.js';
import { edited, made, name, named, said, status } from './expected-lines.js';
import { reason, subjectsOf } from './subjects.js';
import { webhookActs } from './webhook-acts.js';

const pipeline = { issuer: 'https://gitlab.com', repository: 'acme/notes', environment: 'live' };

/** Acts of developers. */
export function developerActs(scene: Scene): Acts {
  const { service, ada } = scene;
  const { app, version, endpoint, rated, theirs } = subjectsOf(scene);
  const webhook = webhookActs(service, endpoint);
  return {
    createWebhookEndpoint: webhook.create,
    updateWebhookEndpoint: webhook.update,
    rotateWebhookSecret: webhook.rotate,
    deleteWebhookEndpoint: webhook.remove,
    enableWebhookEndpoint: webhook.enable,
    updateMe: {
      on: async () => ({ companyName: unique('Company') }),
      line: { kind: 'developer.updated', before: { companyName: null }, after: { companyName: named } },
      refused: async () => ({ name: '' }),
    },
    createApiKey: {
      on: async () => ({ name: 'A key', scopes: [Scope.APP_READ] }),
      line: { kind: 'key.created', ...made({ name: 'A key', scopes: [Scope.APP_READ], status: 'ACTIVE' }) },
      refused: async () => ({ name: 'A key', scopes: [] }),
    },
    revokeApiKey: {
      on: async () => ({ id: (await service.anIssuedKey(ada)).id }),
      line: { kind: 'key.revoked', ...status('ACTIVE', 'REVOKED') },
    },
    rotateApiKey: {
      on: async () => ({ id: (await service.anIssuedKey(ada)).id, graceHours: 1 }),
      line: {
        kind: 'key.rotated',
        before: { expiresAt: named },
        after: {
          expiresAt: named,
          successor: expect.objectContaining({ name: 'A key', scopes: Object.values(Scope) }),
        },
      },
      refused: async () => ({ id: (await service.anIssuedKey(ada)).id, graceHours: 169 }),
    },
    addTrustedPublisher: {
      on: async () => ({ appId: (await service.anApp(ada)).id, ...pipeline }),
      line: { kind: 'publisher.added', before: null, after: { ...pipeline, workflow: null } },
      refused: async () => ({
        appId: (await service.anApp(ada)).id,
        ...pipeline,
        repository: 'notes',
      }),
    },
    removeTrustedPublisher: {
      on: async () => {
        const { id: appId } = await service.anApp(ada);
        const input = { appId, ...pipeline };
        const added = await service.client.must<Json>('addTrustedPublisher', input, ada.token);
        return { id: added.id };
      },
      line: { kind: 'publisher.removed', before: { ...pipeline, workflow: null }, after: null },
      refused: async () => ({ id: unknownId }),
    },
    undoKeyChanges: {
      on: async () => {
        const { id, key } = await service.anIssuedKey(ada);
        await service.client.must('updateMe', { bio: 'By a key' }, key);
        await service.client.must('revokeApiKey', { id }, ada.token);
        return { keyId: id };
      },
      line: { kind: 'developer.change_undone', before: { bio: 'By a key' }, after: { bio: null } },
      refused: async () => ({ keyId: (await service.anIssuedKey(ada)).id }),
    },
    createApp: {
      on: async () => aListing(name),
      line: { kind: 'app.created', ...made({ name: 'A name', status: 'DRAFT' }) },
      refused: async () => ({ ...aListing(), name: '' }),
    },
    updateApp: {
      on: app('DRAFT', name),
      line: { kind: 'app.updated', ...edited({ name: named }, name) },
      refused: app('APPROVED', name),
    },
    deleteApp: {
      on: app('DRAFT'),
      line: {
        kind: 'app.deleted',
        before: expect.objectContaining({ status: 'DRAFT' }) as never,
        after: null,
      },
      refused: app('APPROVED'),
    },
    submitApp: {
      on: app('DRAFT'),
      line: { kind: 'app.submitted', ...status('DRAFT', 'PENDING') },
      refused: app('PENDING'),
    },
    withdrawApp: {
      on: app('PENDING'),
      line: { kind: 'app.withdrawn', ...status('PENDING', 'DRAFT') },
      refused: app('DRAFT'),
    },
    addressReason: {
      on: app('REJECTED', { reason: 0 }),
      line: {
        kind: 'app.reason-addressed',
        before: { 'rejection.reasons.0.addressed': false },
        after: { 'rejection.reasons.0.addressed': true },
      },
      refused: app('REJECTED', { reason: 1 }),
    },
    messageReviewers: {
      on: app('DRAFT', { text: 'Hello.' }),
      line: { kind: 'review.message-sent', ...said },
      refused: app('DRAFT', { text: '' }),
    },
    createAppVersion: {
      on: async () => ({ appId: (await service.anApp(ada, 'APPROVED')).id, ...name }),
      line: { kind: 'version.created', before: null, after: { ...name, status: 'DRAFT', revision: 1 } },
      refused: async () => ({ appId: (await service.aVersion(ada)).app.id, ...name }),
    },
    updateAppVersion: {
      on: version('DRAFT', name),
      line: { kind: 'version.updated', ...edited({ name: named }, name) },
      refused: version('APPROVED', name),
    },
    submitAppVersion: {
      on: version('DRAFT'),
      line: { kind: 'version.submitted', ...status('DRAFT', 'PENDING') },
      refused: version('PENDING'),
    },
    withdrawAppVersion: {
      on: version('PENDING'),
      line: { kind: 'version.withdrawn', ...status('PENDING', 'DRAFT') },
      refused: version('DRAFT'),
    },
    discardAppVersion: {
      on: version('PENDING'),
      line: { kind: 'version.discarded', ...status('PENDING', 'DISCARDED') },
      refused: version('DISCARDED'),
    },
    rebaseAppVersion: {
      on: async () => {
        const { app, version } = await service.aVersion(ada);
        const edit = { id: app.id, category: 'FINANCE', reason };
        await service.administer('editApp', edit);
        return { id: version.id };
      },
      line: { kind: 'version.rebased', ...edited({ category: 'PRODUCTIVITY' }, { category: 'FINANCE' }) },
      refused: version('DISCARDED'),
    },
    replyToRating: {
      on: async () => ({ id: (await rated()).id, text: 'Thank you.' }),
      line: { kind: 'rating.replied', before: { reply: null }, after: { reply: 'Thank you.' } },
      refused: async () => ({ id: (await service.aRating(await theirs())).id, text: 'Thank you.' }),
    },
  };
}

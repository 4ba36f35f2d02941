import { expect } from '@jest/globals';
import { Scope } from '../../../src/auth/scope.js';
import { aListing, type Json, unique } from '../../support/actors.js';
import { unknownId } from '../../support/matchers.js';
import type { Acts, Scene } from './acts.js';
import { edited, hooked, made, name, named, said, status } from './expected-lines.js';
import { reason, subjectsOf } from './subjects.js';

const pipeline = { issuer: 'https://gitlab.com', repository: 'acme/notes', environment: 'live' };

/** Acts of developers. */
export function developerActs(scene: Scene): Acts {
  const { app, version, noEndpoints, endpoint, rated, theirs } = subjectsOf(scene);
  return {
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
      on: async () => ({ id: (await scene.service.anIssuedKey(scene.ada)).id }),
      line: { kind: 'key.revoked', ...status('ACTIVE', 'REVOKED') },
    },
    rotateApiKey: {
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
    addTrustedPublisher: {
      on: async () => ({ appId: (await scene.service.anApp(scene.ada)).id, ...pipeline }),
      line: { kind: 'publisher.added', before: null, after: { ...pipeline, workflow: null } },
      refused: async () => ({
        appId: (await scene.service.anApp(scene.ada)).id,
        ...pipeline,
        repository: 'notes',
      }),
    },
    removeTrustedPublisher: {
      on: async () => {
        const { id: appId } = await scene.service.anApp(scene.ada);
        const input = { appId, ...pipeline };
        const added = await scene.service.client.must<Json>('addTrustedPublisher', input, scene.ada.token);
        return { id: added.id };
      },
      line: { kind: 'publisher.removed', before: { ...pipeline, workflow: null }, after: null },
      refused: async () => ({ id: unknownId }),
    },
    undoKeyChanges: {
      on: async () => {
        const { id, key } = await scene.service.anIssuedKey(scene.ada);
        await scene.service.client.must('updateMe', { bio: 'By a key' }, key);
        await scene.service.client.must('revokeApiKey', { id }, scene.ada.token);
        return { keyId: id };
      },
      line: { kind: 'developer.change_undone', before: { bio: 'By a key' }, after: { bio: null } },
      refused: async () => ({ keyId: (await scene.service.anIssuedKey(scene.ada)).id }),
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
      on: async () => ({ appId: (await scene.service.anApp(scene.ada, 'APPROVED')).id, ...name }),
      line: { kind: 'version.created', before: null, after: { ...name, status: 'DRAFT', revision: 1 } },
      refused: async () => ({ appId: (await scene.service.aVersion(scene.ada)).app.id, ...name }),
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
    createWebhookEndpoint: {
      on: async () => {
        await noEndpoints();
        return { url: 'https://ada.example/hook' };
      },
      line: { kind: 'webhook.created', before: null, after: hooked() },
      refused: async () => ({ url: 'https://10.0.0.1/' }),
    },
    updateWebhookEndpoint: {
      on: endpoint({ description: 'New' }),
      line: { kind: 'webhook.updated', before: hooked(), after: hooked({ description: 'New' }) },
    },
    rotateWebhookSecret: {
      on: endpoint(),
      line: {
        kind: 'webhook.secret-rotated',
        before: { formerSecretUntil: null },
        after: { formerSecretUntil: named },
      },
    },
    deleteWebhookEndpoint: {
      on: endpoint(),
      line: { kind: 'webhook.deleted', before: hooked(), after: null },
    },
    enableWebhookEndpoint: {
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
        const { app, version } = await scene.service.aVersion(scene.ada);
        const edit = { id: app.id, category: 'FINANCE', reason };
        await scene.service.administer('editApp', edit);
        return { id: version.id };
      },
      line: { kind: 'version.rebased', ...edited({ category: 'PRODUCTIVITY' }, { category: 'FINANCE' }) },
      refused: version('DISCARDED'),
    },
    replyToRating: {
      on: async () => ({ id: (await rated()).id, text: 'Thank you.' }),
      line: { kind: 'rating.replied', before: { reply: null }, after: { reply: 'Thank you.' } },
      refused: async () => ({ id: (await scene.service.aRating(await theirs())).id, text: 'Thank you.' }),
    },
  };
}

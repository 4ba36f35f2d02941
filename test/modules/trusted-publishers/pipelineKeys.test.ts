import { beforeEach, describe, expect, it } from '@jest/globals';
import { operations } from '../../../src/contract.js';
import { nodeIdOf } from '../../../src/operations/node-id.js';
import {
  type AppJson,
  aListing,
  type Developer,
  type Json,
  nevertheless,
  type VersionJson,
} from '../../support/actors.js';
import { linesOf } from '../../support/audit.js';
import { duringTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { gitHubClaims, PipelineIssuer } from '../../support/pipeline-issuer.js';
import { type Service, startService } from '../../support/service.js';

/** The operations that keys of pipelines may call; all others that need a credential reject them. */
const forPipelines = [
  ...[
    'me',
    'viewer',
    'myApps',
    'myApp',
    'myAppBySlug',
    'updateApp',
    'submitApp',
    'withdrawApp',
    'appChanged',
  ],
  ...['preflight', 'preflightListing', 'createAppVersion', 'updateAppVersion', 'submitAppVersion'],
  ...['withdrawAppVersion', 'rebaseAppVersion'],
];

describe('the key of a pipeline', () => {
  let ada: Developer;
  let app: AppJson;
  let other: AppJson;
  let publisherId: string;
  let key: string;
  let keyId: string;
  const issuer = duringTests(() => PipelineIssuer.start());
  const service = duringTests(() => startService({ PUBLISHER_ISSUERS: issuer.url, ASSET_CHECKS: 'off' }));
  beforeEach(async () => {
    await service.sql('delete from trusted_publishers');
    ada = await service.aDeveloper();
    [app, other] = [await service.anApp(ada), await service.anApp(ada)];
    await trust(app.id);
  });

  const trust = async (appId: string) => {
    const pipeline = { issuer: issuer.url, repository: 'acme/notes', workflow: 'release.yml' };
    const publisher = await service.client.must<Json>(
      'addTrustedPublisher',
      { appId, ...pipeline },
      ada.token,
    );
    publisherId = publisher.id;
    const token = await issuer.token(service.url, gitHubClaims());
    const { slug } = await service.client.must<AppJson>('myApp', { id: appId }, ada.token);
    const issued = await service.client.must<Json & { key: string }>(
      'exchangePublisherToken',
      { token, slug },
      null,
    );
    [key, keyId] = [issued.key, issued.id];
  };
  type Operation = Parameters<Service['client']['call']>[1];
  const call = <T = Json>(operation: Operation, input: Record<string, unknown>) =>
    service.client.call<T>('graphql', operation, input, key);

  it('may call these operations and no others (D409)', () => {
    const admitted = operations.filter(([, { pipelineApp }]) => pipelineApp).map(([name]) => name);
    expect(admitted.sort()).toEqual([...forPipelines].sort());
  });

  it('reads, changes, submits and withdraws its app (D409)', async () => {
    const { id } = app;
    expectSuccess(await call('updateApp', { id, description: 'By a pipeline.' }));
    expectSuccess(await call('preflight', { id }));
    expectSuccess(await call('submitApp', { id }));
    expectSuccess(await call('withdrawApp', { id }));
    const { data } = await service.client.call<AppJson[]>('rest', 'myApps', {}, key);
    expect(JSON.stringify(data)).toContain(id);
    expect(JSON.stringify(data)).not.toContain(other.id);
  });

  it('makes versions of its app, though it has no APP_CREATE (D409)', async () => {
    const { id: appId, revision } = app;
    await service.client.must('submitApp', { id: appId }, ada.token);
    await service.administer('approveApp', { id: appId, revision, ...nevertheless });
    const version = await call<VersionJson>('createAppVersion', { appId, description: 'Second.' });
    expectSuccess(version);
    const { id } = version.data;
    expectSuccess(await call('updateAppVersion', { id, description: 'Second version.' }));
    expectSuccess(await call('submitAppVersion', { id }));
    expectSuccess(await call('withdrawAppVersion', { id }));
    expectError(await call('discardAppVersion', { id }), 'INSUFFICIENT_SCOPE');
    expectError(await call('createApp', aListing()), 'INSUFFICIENT_SCOPE');
  });

  it('does not see other apps of its developer, in any way (D409)', async () => {
    const { id, slug } = other;
    const { version } = await service.aVersion(ada, 'DRAFT');
    for (const operation of ['myApp', 'updateApp', 'submitApp', 'withdrawApp', 'preflight'] as const)
      expectError(await call(operation, { id }), 'NOT_FOUND');
    expectError(await call('myAppBySlug', { slug }), 'NOT_FOUND');
    expectError(await call('createAppVersion', { appId: id }), 'NOT_FOUND');
    for (const operation of [
      'updateAppVersion',
      'submitAppVersion',
      'withdrawAppVersion',
      'rebaseAppVersion',
      'preflight',
    ] as const)
      expectError(await call(operation, { id: version.id }), 'NOT_FOUND');
    for (const path of [`/api/dev/apps/${id}`, `/api/dev/apps/${id}/analytics`]) {
      const response = await service.client.request('GET', path, { bearer: key });
      expect(response.ok).toBe(false);
    }
    const nested = [
      '{ me { apps { edges { node { id } } } } }',
      '{ viewer { developer { apps { edges { node { id } } } } } }',
      `{ myApp(id: "${app.id}") { developer { apps { edges { node { id } } } } } }`,
      `{ node(id: "${nodeIdOf('App', id)}") { id } }`,
      `{ nodes(ids: ["${nodeIdOf('AppVersion', version.id)}"]) { id } }`,
    ];
    for (const query of nested) {
      const { errors, data } = await service.client.graphql(query, {}, key);
      expect([query, errors?.[0]?.extensions.code]).toEqual([query, 'FORBIDDEN']);
      expect(JSON.stringify(data ?? null)).not.toContain(id);
    }
  });

  it('reaches neither the profile nor keys, webhooks or publishers of its developer (D409)', async () => {
    expectError(await call('updateMe', { name: 'Mallory' }), 'FORBIDDEN');
    expectError(await call('createApiKey', { name: 'More', scopes: ['APP_READ'] }), 'FORBIDDEN');
    expectError(await call('myApiKeys', {}), 'FORBIDDEN');
    expectError(await call('revokeApiKey', { id: keyId }), 'FORBIDDEN');
    expectError(await call('rotateApiKey', { id: keyId }), 'FORBIDDEN');
    expectError(await call('myWebhookEndpoints', {}), 'FORBIDDEN');
    expectError(await call('trustedPublishers', {}), 'UNAUTHENTICATED');
    const { data } = await service.client.graphql('{ me { name apiKeys { totalCount } } }', {}, key);
    expect(data).toMatchObject({ me: { apiKeys: null } });
  });

  it('cannot be rotated by its developer, who sees whose it is and can revoke it (D409)', async () => {
    expectError(
      await service.client.call('graphql', 'rotateApiKey', { id: keyId }, ada.token),
      'INVALID_TRANSITION',
    );
    const query = '{ myApiKeys { id isOfPipeline app { slug } } }';
    const { myApiKeys } = await service.client.queryData<{ myApiKeys: Json[] }>(query, {}, ada.token);
    expect(myApiKeys.find(({ id }) => id === keyId)).toEqual({
      id: keyId,
      isOfPipeline: true,
      app: { slug: app.slug },
    });
    await service.client.must('revokeApiKey', { id: keyId }, ada.token);
    expectError(await call('myApp', { id: app.id }), 'API_KEY_REVOKED');
  });

  it('is named in the audit log with the pipeline that holds it (D409)', async () => {
    const lines = await linesOf(service, () =>
      service.client.must('updateApp', { id: app.id, name: 'New' }, key),
    );
    expect(lines).toMatchObject([
      {
        kind: 'app.updated',
        actor_kind: 'developer',
        actor_key: keyId,
        data: { actorPublisherId: publisherId },
      },
    ]);
    const issued = await linesOf(service, () => trust(app.id));
    expect(issued.map(({ kind }) => kind)).toEqual(['publisher.key-issued']);
    expect(issued).toMatchObject([{ after: { repository: 'acme/notes', ref: 'refs/tags/v1.0.0' } }]);
  });

  it('stays bound to an app that was deleted (D409)', async () => {
    await service.client.must('deleteApp', { id: app.id }, ada.token);
    expectError(await call('myApp', { id: app.id }), 'NOT_FOUND');
    expectError(await call('myApp', { id: other.id }), 'NOT_FOUND');
    const { data } = await call<Json[]>('myApps', {});
    expect(data).toEqual([]);
  });
});

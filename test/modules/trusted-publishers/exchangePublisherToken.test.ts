import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { exportSPKI, generateKeyPair } from 'jose';
import type { AppJson, Developer, Json } from '../../support/actors.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { gitHubClaims, gitLabClaims, PipelineIssuer } from '../../support/pipeline-issuer.js';
import { type Service, startService } from '../../support/service.js';

describe('exchangePublisherToken', () => {
  let service: Service;
  let issuer: PipelineIssuer;
  let other: PipelineIssuer;
  let ada: Developer;
  let app: AppJson;
  beforeAll(async () => {
    [issuer, other] = [await PipelineIssuer.start(), await PipelineIssuer.start()];
    service = await startService({ PUBLISHER_ISSUERS: `${issuer.url}, https://gitlab.example` });
  });
  beforeEach(async () => {
    await service.sql('delete from trusted_publishers');
    ada = await service.aDeveloper();
    app = await service.anApp(ada);
  });
  afterAll(async () => {
    await service.close();
    await issuer.close();
    await other.close();
  });

  const trust = (fields: Record<string, unknown> = {}, appId = app.id) =>
    service.client.must<Json>(
      'addTrustedPublisher',
      { appId, issuer: issuer.url, repository: 'acme/notes', workflow: 'release.yml', ...fields },
      ada.token,
    );
  const exchange = (token: string, slug?: string) =>
    service.client.call<Json & { key: string; expiresAt: string }>(
      'graphql',
      'exchangePublisherToken',
      { token, ...(slug !== undefined && { slug }) },
      null,
    );
  const tokenWith = (claims: Record<string, unknown> = {}) => issuer.token(service.url, gitHubClaims(claims));

  it('issues a key for the identity of a trusted pipeline, for 15 minutes and one app (D408)', async () => {
    await trust();
    const before = Date.now();
    const data = expectSuccess(await exchange(await tokenWith()));
    const { key, expiresAt } = data;
    expect(data).toMatchObject({
      name: 'Pipeline acme/notes (release.yml)',
      scopes: ['APP_READ', 'APP_UPDATE'],
      status: 'ACTIVE',
    });
    const lifetimeMs = Date.parse(expiresAt) - before;
    expect(lifetimeMs).toBeGreaterThan(14 * 60_000);
    expect(lifetimeMs).toBeLessThan(16 * 60_000);
    expect(await service.client.must('myApp', { id: app.id }, key)).toMatchObject({ id: app.id });
  });

  it('contacts no issuer before somebody sends a token of it (D408)', async () => {
    const fresh = await PipelineIssuer.start();
    const own = await startService({ PUBLISHER_ISSUERS: fresh.url });
    const eve = await own.aDeveloper();
    const { id: appId } = await own.anApp(eve);
    const pipeline = { issuer: fresh.url, repository: 'acme/notes', workflow: 'release.yml' };
    await own.client.must('addTrustedPublisher', { appId, ...pipeline }, eve.token);
    expect(fresh.asked).toEqual([]);
    await own.client.must(
      'exchangePublisherToken',
      { token: await fresh.token(own.url, gitHubClaims()) },
      null,
    );
    expect(fresh.asked).toEqual(['/.well-known/openid-configuration', '/jwks']);
    await own.close();
    await fresh.close();
  });

  it.each<[string, Record<string, unknown>]>([
    [
      'of another repository',
      { repository: 'acme/other', workflow_ref: 'acme/other/.github/workflows/release.yml@refs/heads/main' },
    ],
    [
      'of a fork',
      {
        repository: 'mallory/notes',
        repository_id: '6666',
        workflow_ref: 'mallory/notes/.github/workflows/release.yml@refs/heads/main',
      },
    ],
    [
      'of a repository whose name is spelt otherwise',
      { repository: 'Acme/notes', workflow_ref: 'Acme/notes/.github/workflows/release.yml@refs/heads/main' },
    ],
    ['of another workflow', { workflow_ref: 'acme/notes/.github/workflows/test.yml@refs/heads/main' }],
    [
      'of a workflow in a folder of that name',
      { workflow_ref: 'acme/notes/.github/workflows/release.yml/x.yml@refs/heads/main' },
    ],
    ['of the environment of another branch', { environment: 'preview' }],
    ['of a job without an environment', { environment: undefined }],
  ])('rejects a token %s, and says why (D407, D408)', async (_, claims) => {
    await trust({ environment: 'marketplace' });
    const outcome = await exchange(await tokenWith(claims));
    expectError(outcome, 'FORBIDDEN');
    expect(outcome.message).toMatch(/acme\/|mallory\/|Acme\/|environment/);
  });

  it.each<[string, Record<string, unknown>]>([
    ['for another audience', { aud: 'https://other.example' }],
    ['for no audience', { aud: undefined }],
    ['that has expired', { exp: Math.floor(Date.now() / 1000) - 60 }],
    ['that is not valid yet', { nbf: Math.floor(Date.now() / 1000) + 600 }],
    ['of the future', { iat: Math.floor(Date.now() / 1000) + 600 }],
    ['that is valid for a week', { exp: Math.floor(Date.now() / 1000) + 7 * 86_400 }],
    ['that never expires', { exp: undefined }],
    ['without an id', { jti: undefined }],
    ['that names no repository', { repository: undefined }],
    [
      'whose workflow is of another repository',
      { workflow_ref: 'mallory/notes/.github/workflows/release.yml@refs/heads/main' },
    ],
    ['of another issuer', { iss: 'https://token.actions.githubusercontent.com' }],
  ])('rejects a token %s (D408)', async (_, claims) => {
    await trust();
    expectError(await exchange(await tokenWith(claims)), 'INVALID_TOKEN');
  });

  it('rejects what the issuer has not signed: none, a shared secret, another key (D408)', async () => {
    await trust();
    const good = await tokenWith();
    const [, payload = '', signature = ''] = good.split('.');
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const publicKey = new TextEncoder().encode(await exportSPKI(issuer.publicKey));
    const theirs = await generateKeyPair('RS256');
    const forged = [
      `${encode({ alg: 'none' })}.${payload}.`,
      `${encode({ alg: 'none', kid: 'one' })}.${payload}.${signature}`,
      await issuer.token(service.url, gitHubClaims(), { header: { alg: 'HS256' }, key: publicKey }),
      await issuer.token(service.url, gitHubClaims(), { key: theirs.privateKey }),
      await issuer.token(service.url, gitHubClaims(), { key: theirs.privateKey, header: { kid: 'two' } }),
      await other.token(service.url, gitHubClaims({ iss: issuer.url })),
      `${good.slice(0, -6)}AAAAAA`,
    ];
    for (const token of forged) expectError(await exchange(token), 'INVALID_TOKEN');
    expectError(await exchange('not a token'), 'VALIDATION_FAILED', ['token: invalid_token']);
    expectError(await exchange('e30.e30.'), 'INVALID_TOKEN');
  });

  it('exchanges each token once, also if it is sent twice at the same time (D408)', async () => {
    await trust();
    const token = await tokenWith();
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => exchange(token)));
    expect(outcomes.filter(({ code }) => code === null)).toHaveLength(1);
    expect(outcomes.filter(({ code }) => code === 'INVALID_TOKEN')).toHaveLength(3);
    expectError(await exchange(token), 'INVALID_TOKEN');
    expectSuccess(await exchange(await tokenWith()));
  });

  it('does not trust a repository that took the name of a renamed one (D410)', async () => {
    await trust();
    expectSuccess(await exchange(await tokenWith()));
    const taken = await exchange(await tokenWith({ repository_id: '9999' }));
    expectError(taken, 'FORBIDDEN');
    expect(taken.message).toMatch(/its id at the forge is another one/);
    expectError(await exchange(await tokenWith({ repository_id: undefined })), 'FORBIDDEN');
    // The renamed one itself has to be named anew.
    const renamed = {
      repository: 'acme/notebook',
      workflow_ref: 'acme/notebook/.github/workflows/release.yml@refs/heads/main',
    };
    expectError(await exchange(await tokenWith(renamed)), 'FORBIDDEN');
  });

  it('compares an id that was given from the beginning (D410)', async () => {
    await trust({ repositoryId: '1001' });
    expectError(await exchange(await tokenWith({ repository_id: '9999' })), 'FORBIDDEN');
    expectSuccess(await exchange(await tokenWith()));
  });

  it('understands the claims of GitLab (D408)', async () => {
    await trust({ repository: 'acme/tools/notes', workflow: '.gitlab-ci.yml' });
    expectSuccess(await exchange(await issuer.token(service.url, gitLabClaims())));
    const included = gitLabClaims({
      ci_config_ref_uri: 'gitlab.example/mallory/ci//.gitlab-ci.yml@refs/heads/main',
    });
    expectError(await exchange(await issuer.token(service.url, included)), 'INVALID_TOKEN');
  });

  it('needs the slug if the pipeline may publish several apps (D408)', async () => {
    const second = await service.anApp(ada);
    await trust();
    await trust({}, second.id);
    const unclear = await exchange(await tokenWith());
    expectError(unclear, 'VALIDATION_FAILED', ['slug: required']);
    const data = expectSuccess(await exchange(await tokenWith(), second.slug));
    expectError(await service.client.call('graphql', 'myApp', { id: app.id }, data.key), 'NOT_FOUND');
    expectError(await exchange(await tokenWith(), 'no-such-app'), 'FORBIDDEN');
  });

  it('does not become unclear when somebody else names the pipeline (D408)', async () => {
    await trust();
    const named = async () => {
      const eve = await service.aDeveloper();
      const { id: appId, slug } = await service.anApp(eve);
      const pipeline = { issuer: issuer.url, repository: 'acme/notes', workflow: 'release.yml' };
      await service.client.must('addTrustedPublisher', { appId, ...pipeline }, eve.token);
      return slug;
    };
    const theirs = await named();
    const unclear = await exchange(await tokenWith());
    expectError(unclear, 'VALIDATION_FAILED', ['slug: required']);
    expect(unclear.message).not.toContain(theirs);
    expectSuccess(await exchange(await tokenWith(), app.slug));
    await named();
    expectSuccess(await exchange(await tokenWith()));
  });

  it('issues nothing for a developer who is suspended or not verified (D13, D408)', async () => {
    await trust();
    const reason = 'It must be.';
    await service.administer('unverifyDeveloper', { id: ada.id, reason });
    expectError(await exchange(await tokenWith()), 'DEVELOPER_NOT_VERIFIED');
    await service.administer('suspendDeveloper', { id: ada.id, reason });
    expectError(await exchange(await tokenWith()), 'DEVELOPER_SUSPENDED');
  });

  it('says that the issuer cannot be reached, and leaves the token unused (D408)', async () => {
    const token = await tokenWith({ iss: 'https://gitlab.example' });
    expectError(await exchange(token), 'UNAVAILABLE');
  });
});

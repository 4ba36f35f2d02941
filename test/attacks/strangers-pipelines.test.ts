import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AppJson, Developer, Json } from '../support/actors.js';
import { duringTests } from '../support/before-tests.js';
import { expectError, expectSuccess } from '../support/outcomes.js';
import { gitHubClaims, PipelineIssuer } from '../support/pipeline-issuer.js';
import { startService } from '../support/service.js';

const workflow = (file: string) => `acme/notes/.github/workflows/${file}`;

describe('a pipeline that a stranger controls in part', () => {
  let ada: Developer;
  let app: AppJson;
  const issuer = duringTests(() => PipelineIssuer.start());
  const service = duringTests(() => startService({ PUBLISHER_ISSUERS: issuer.url, QUOTA_KEYS: '3' }));
  beforeEach(async () => {
    await service.sql('delete from trusted_publishers');
    ada = await service.aDeveloper();
    app = await service.anApp(ada);
  });

  const pipeline = () => ({ issuer: issuer.url, repository: 'acme/notes', workflow: 'release.yml' });
  const trust = (fields: Record<string, unknown> = {}, { id: appId } = app, { token } = ada) =>
    service.must<Json>('addTrustedPublisher', { appId, ...pipeline(), ...fields }, token);
  const exchange = async (claims: Record<string, unknown> = {}, slug?: string) =>
    service.call<Json & { key: string }>(
      'exchangePublisherToken',
      { token: await issuer.token(service.url, gitHubClaims(claims)), ...(slug !== undefined && { slug }) },
      null,
    );

  it.each([
    workflow('release.yml@evil.yml@refs/heads/main'),
    workflow('release.yml@refs/heads/evil.yml@refs/heads/main'),
    workflow('release.yml@evil.yml@1234567890abcdef'),
    workflow('release.yml'),
  ])('cannot pass another file for the trusted workflow: %s (D408)', async (workflow_ref) => {
    await trust();
    expect((await exchange({ workflow_ref })).code).toMatch(/^(FORBIDDEN|INVALID_TOKEN)$/);
  });

  it('may run on a branch with any name (D408)', async () => {
    await trust();
    expectSuccess(await exchange({ workflow_ref: workflow('release.yml@refs/heads/mail@home') }));
  });

  it.each(['jti', 'environment', 'ref', 'repository_id', 'repository', 'workflow_ref'])(
    'cannot break the service by a claim with characters that cannot be stored: %s (D408)',
    async (claim) => {
      await trust();
      for (const value of ['a\u0000b', 'a\nb', 'a\ud800b'])
        expectError(await exchange({ [claim]: value }), 'INVALID_TOKEN');
    },
  );

  it('writes nothing of a stranger, who named the repository first, into the message (D408)', async () => {
    const mallory = await service.aDeveloper();
    await trust({ workflow: 'visit-evil.example.yml' }, await service.anApp(mallory), mallory);
    const refused = await exchange();
    expectError(refused, 'FORBIDDEN');
    expect(refused.message).not.toContain('evil');
    expect(refused.message).toContain('release.yml');
  });

  it('reaches the app that it names, whoever has named its repository too (D408)', async () => {
    const mallory = await service.aDeveloper();
    await trust({}, await service.anApp(mallory), mallory);
    await trust();
    expectError(await exchange(), 'VALIDATION_FAILED', ['slug: required']);
    const data = expectSuccess(await exchange({}, app.slug));
    expect(await service.must('myApp', { id: app.id }, data.key)).toMatchObject({ id: app.id });
  });

  it('does not use up the keys of people, nor people those of pipelines (D409)', async () => {
    await trust();
    for (let count = 0; count < 3; count += 1) expectSuccess(await exchange());
    expectError(await exchange(), 'QUOTA_EXCEEDED');
    // The developer has one already.
    for (let count = 1; count < 3; count += 1) await service.aKey(ada);
    expectError(
      await service.call('createApiKey', { name: 'x', scopes: ['APP_READ'] }, ada.token),
      'QUOTA_EXCEEDED',
    );
  });

  it('is held to the id of the repository, also if that was added later (D407, D410)', async () => {
    await trust();
    expect(await trust({ repositoryId: '1001' })).toMatchObject({ repositoryId: '1001' });
    expectError(await exchange({ repository_id: '6666' }), 'FORBIDDEN');
    expectSuccess(await exchange({ repository_id: '1001' }));
    const listed = await service.must<Json[]>('trustedPublishers', { appId: app.id }, ada.token);
    expect(listed).toHaveLength(1);
  });
});

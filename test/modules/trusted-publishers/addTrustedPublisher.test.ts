import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../support/actors.js';
import { linesOf } from '../../support/audit.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

describe('addTrustedPublisher', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());
  const app = beforeTests(() => service.anApp(ada));

  const pipeline = {
    issuer: 'https://token.actions.githubusercontent.com',
    repository: 'acme/notes',
    workflow: 'release.yml',
  };
  const add = (fields: Record<string, unknown> = {}, bearer = ada.token) =>
    service.client.call<Json>(
      'graphql',
      'addTrustedPublisher',
      { appId: app.id, ...pipeline, ...fields },
      bearer,
    );

  it('names a pipeline that may publish an app; the same one again changes nothing (D407)', async () => {
    const lines = await linesOf(service, async () => {
      const outcome = expectSuccess(await add());
      expect(outcome).toMatchObject({
        ...pipeline,
        environment: null,
        repositoryId: null,
        lastUsedAt: null,
      });
      expect((await add()).data.id).toBe(outcome.id);
    });
    expect(lines).toMatchObject([{ kind: 'publisher.added', after: pipeline }]);
  });

  it('accepts the two big forges by default, and no others (D407)', async () => {
    expectSuccess(await add({ issuer: 'https://gitlab.com', workflow: '.gitlab-ci.yml' }));
    for (const issuer of ['https://evil.example', 'https://gitlab.com/'])
      expectError(await add({ issuer }), 'VALIDATION_FAILED', ['issuer: invalid_value']);
  });

  it('needs a workflow or an environment, and the full name of a repository (D407)', async () => {
    expectError(await add({ workflow: null }), 'VALIDATION_FAILED', ['workflow: required']);
    expectSuccess(await add({ workflow: null, environment: 'production' }));
    for (const repository of [
      'notes',
      'acme/',
      '/notes',
      'acme/no tes',
      'https://github.com/acme/notes',
      'a/../b c',
    ])
      expectError(await add({ repository }), 'VALIDATION_FAILED', ['repository: invalid_repository']);
  });

  it('has at most 20 pipelines for an app (D407)', async () => {
    const { id: appId } = await service.anApp(ada);
    for (let count = 1; count <= 20; count += 1)
      expectSuccess(await add({ appId, repository: `acme/repository-${count}` }));
    expectError(await add({ appId, repository: 'acme/repository-21' }), 'QUOTA_EXCEEDED');
  });
});

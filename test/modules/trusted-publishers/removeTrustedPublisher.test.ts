import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../support/actors.js';
import { linesOf } from '../../support/audit.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { gitHubClaims, PipelineIssuer } from '../../support/pipeline-issuer.js';
import { startService } from '../../support/service.js';

describe('removeTrustedPublisher', () => {
  const issuer = duringTests(() => PipelineIssuer.start());
  const service = duringTests(() => startService({ PUBLISHER_ISSUERS: issuer.url }));
  const ada = beforeTests(() => service.aDeveloper());

  const remove = (id: string, bearer = ada.token) =>
    service.client.call<Json>('graphql', 'removeTrustedPublisher', { id }, bearer);

  it('ends the trust, and revokes the keys that the pipeline holds (D407)', async () => {
    const { id: appId } = await service.anApp(ada);
    const pipeline = { issuer: issuer.url, repository: 'acme/notes', workflow: 'release.yml' };
    const { id } = await service.client.must<Json>('addTrustedPublisher', { appId, ...pipeline }, ada.token);
    const exchange = async () =>
      service.client.call<{ key: string }>(
        'graphql',
        'exchangePublisherToken',
        { token: await issuer.token(service.url, gitHubClaims()) },
        null,
      );
    const { key } = (await exchange()).data;
    const lines = await linesOf(service, async () => {
      expectSuccess(await remove(id));
    });
    expect(lines.map(({ kind }) => kind).sort()).toEqual(['key.revoked', 'publisher.removed']);
    expectError(await service.client.call('graphql', 'myApp', { id: appId }, key), 'API_KEY_REVOKED');
    expectError(await exchange(), 'FORBIDDEN');
    expectError(await remove(id), 'NOT_FOUND');
  });
});

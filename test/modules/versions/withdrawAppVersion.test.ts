import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Scope } from '../../../src/auth/scope.js';
import { allScopes, type Developer, type VersionJson } from '../../support/actors.js';
import { unknownId } from '../../support/matchers.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { type Service, startService } from '../../support/service.js';

describe('withdrawAppVersion over graphql', () => {
  let service: Service;
  let ada: Developer;
  beforeAll(async () => {
    service = await startService();
    ada = await service.aDeveloper();
  });
  afterAll(() => service.close());

  const withdraw = (id: string, bearer = ada.key) =>
    service.client.call<VersionJson>('graphql', 'withdrawAppVersion', { id }, bearer);

  it('makes it a draft again, removes it from the queue, and loses nothing (D18, D26)', async () => {
    const { version } = await service.aVersion(ada, 'PENDING');
    const outcome = await withdraw(version.id);
    expectSuccess(outcome);
    expect(outcome.data).toMatchObject({
      status: 'DRAFT',
      revision: version.revision,
      description: version.description,
      submittedAt: null,
      review: null,
    });
    expect(await service.client.must('reviewCounts', {}, await service.admin())).toMatchObject({ total: 0 });
  });

  it.each(['DRAFT', 'APPROVED', 'REJECTED', 'DISCARDED'] as const)(
    'refuses a version that is %s with INVALID_TRANSITION',
    async (status) => {
      expectError(await withdraw((await service.aVersion(ada, status)).version.id), 'INVALID_TRANSITION');
    },
  );

  it('works while the app is suspended (D61)', async () => {
    const { app, version } = await service.aVersion(ada, 'PENDING');
    await service.client.must('suspendApp', { id: app.id, reason: 'It misbehaves.' }, await service.admin());
    expectSuccess(await withdraw(version.id));
  });

  it('needs APP_UPDATE, and nothing else (D10)', async () => {
    const { version } = await service.aVersion(ada, 'PENDING');
    const without = await service.aKey(
      ada,
      allScopes.filter((scope) => scope !== Scope.APP_UPDATE),
    );
    expectError(await withdraw(version.id, without), 'INSUFFICIENT_SCOPE');
    expectSuccess(await withdraw(version.id, await service.aKey(ada, [Scope.APP_UPDATE])));
  });

  it('returns NOT_FOUND for someone else’s version as for a missing one (D7)', async () => {
    const { version } = await service.aVersion(ada, 'PENDING');
    expectError(await withdraw(version.id, (await service.aDeveloper()).key), 'NOT_FOUND');
    expectError(await withdraw(unknownId), 'NOT_FOUND');
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Scope } from '../../../src/auth/scope.js';
import { allScopes, type Developer, type VersionJson } from '../../support/actors.js';
import { unknownId } from '../../support/matchers.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { type Service, startService } from '../../support/service.js';

describe('discardAppVersion over graphql', () => {
  let service: Service;
  let ada: Developer;
  beforeAll(async () => {
    service = await startService();
    ada = await service.aDeveloper();
  });
  afterAll(() => service.close());

  const discard = (id: string, bearer = ada.key) =>
    service.client.call<VersionJson>('graphql', 'discardAppVersion', { id }, bearer);

  it.each(['DRAFT', 'PENDING', 'REJECTED'] as const)(
    'discards a version that is %s, removes it from the queue, and leaves the app unchanged (D26)',
    async (status) => {
      const { app, version } = await service.aVersion(ada, status);
      const outcome = await discard(version.id);
      expectSuccess(outcome);
      expect(outcome.data).toMatchObject({ id: version.id, status: 'DISCARDED', review: null });
      expect(await service.client.must('reviewCounts', {}, await service.admin())).toMatchObject({
        total: 0,
      });
      expect(await service.client.must('myApp', { id: app.id }, ada.token)).toEqual(app);
    },
  );

  it.each(['APPROVED', 'DISCARDED'] as const)(
    'refuses a version that is %s with INVALID_TRANSITION',
    async (status) => {
      expectError(await discard((await service.aVersion(ada, status)).version.id), 'INVALID_TRANSITION');
    },
  );

  it('works while the app is suspended (D61)', async () => {
    const { app, version } = await service.aVersion(ada, 'PENDING');
    await service.client.must('suspendApp', { id: app.id, reason: 'It misbehaves.' }, await service.admin());
    expectSuccess(await discard(version.id));
  });

  it('needs APP_DELETE, and nothing else (D60)', async () => {
    const { version } = await service.aVersion(ada);
    const without = await service.aKey(
      ada,
      allScopes.filter((scope) => scope !== Scope.APP_DELETE),
    );
    expectError(await discard(version.id, without), 'INSUFFICIENT_SCOPE');
    expectSuccess(await discard(version.id, await service.aKey(ada, [Scope.APP_DELETE])));
  });

  it('returns NOT_FOUND for someone else’s version as for a missing one (D7)', async () => {
    const { version } = await service.aVersion(ada);
    expectError(await discard(version.id, (await service.aDeveloper()).key), 'NOT_FOUND');
    expectError(await discard(unknownId), 'NOT_FOUND');
  });
});

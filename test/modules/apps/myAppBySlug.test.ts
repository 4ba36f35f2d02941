import { beforeAll, describe, expect, it } from '@jest/globals';
import { Scope } from '../../../src/auth/scope.js';
import type { AppJson, AppStatus, Developer } from '../../support/actors.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { type Service, sharedService } from '../../support/service.js';

describe('myAppBySlug', () => {
  let service: Service;
  let ada: Developer;
  beforeAll(async () => {
    service = await sharedService();
    ada = await service.aDeveloper();
  });

  const read = (slug: string, bearer: string | null = ada.key) =>
    service.client.call<AppJson>('graphql', 'myAppBySlug', { slug }, bearer);

  it.each<AppStatus>(['DRAFT', 'APPROVED', 'SUSPENDED'])(
    'reads an app that is %s, as myApp does (D405)',
    async (status) => {
      const { id, slug } = await service.anApp(ada, status);
      const outcome = await read(slug);
      expectSuccess(outcome);
      expect(outcome.data).toEqual(await service.client.must('myApp', { id }, ada.key));
    },
  );

  it('returns the same NOT_FOUND for an app of somebody else and for none (D405)', async () => {
    const other = await service.anApp(await service.aDeveloper(), 'APPROVED');
    for (const slug of [other.slug, 'no-such-app', '../me', '']) expectError(await read(slug), 'NOT_FOUND');
  });

  it('needs the scope APP_READ (D405)', async () => {
    const { slug } = await service.anApp(ada);
    expectError(await read(slug, await service.aKey(ada, [Scope.APP_UPDATE])), 'INSUFFICIENT_SCOPE');
  });
});

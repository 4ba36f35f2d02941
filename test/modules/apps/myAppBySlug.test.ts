import { describe, expect, it } from '@jest/globals';
import type { AppJson, AppStatus } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

describe('myAppBySlug', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());

  const read = (slug: string) => service.client.call<AppJson>('graphql', 'myAppBySlug', { slug }, ada.key);

  it.each<AppStatus>(['DRAFT', 'APPROVED', 'SUSPENDED'])(
    'reads an app that is %s, as myApp does',
    async (status) => {
      const { id, slug } = await service.anApp(ada, status);
      expect(expectSuccess(await read(slug))).toEqual(await service.client.must('myApp', { id }, ada.key));
    },
  );

  it('returns the same NOT_FOUND for an app of somebody else and for none', async () => {
    const other = await service.anApp(await service.aDeveloper(), 'APPROVED');
    for (const slug of [other.slug, 'no-such-app', '../me', '']) expectError(await read(slug), 'NOT_FOUND');
  });
});

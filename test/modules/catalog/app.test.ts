import { describe, expect, it } from '@jest/globals';
import { unique } from '../../support/actors.js';
import { apis } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';
import { publicFields } from './public-apps.js';

const service = beforeTests(sharedService);
const ada = beforeTests(() => service.aDeveloper({ name: 'Ada', bio: 'Secret bio' }));

describe.each(apis)('app over %s', (api) => {
  const read = (slug: string) => service.client.call(api, 'app', { slug });

  it('returns the public form of an approved app, exactly (D2, D17)', async () => {
    const mine = await service.anApp(ada, 'APPROVED', {
      longDescription: 'Line one\nline two',
      bannerUrl: 'https://pictures.example/banner.png',
      websiteUrl: 'https://app.example',
      oauthClientId: 'a-client',
    });
    const { oauthClientId, revision, submittedAt, rejection, ...published } = mine;
    expect([oauthClientId, revision, rejection]).toEqual(['a-client', 1, null]);
    expect(submittedAt).toBeTruthy();
    const data = expectSuccess(await read(mine.slug));
    expect(data).toEqual({
      ...published,
      developer: { name: 'Ada', companyName: null, websiteUrl: null },
    });
    expect(Object.keys(data).sort()).toEqual([...publicFields].sort());
  });

  it("shows the developer's profile as it is now (D17)", async () => {
    const developer = await service.aDeveloper({ name: 'Before' });
    const { slug } = await service.anApp(developer, 'APPROVED');
    const names = { name: unique('After'), companyName: unique('Inc') };
    await service.client.must('updateMe', names, developer.token);
    expect((await read(slug)).data).toMatchObject({ developer: { ...names, websiteUrl: null } });
  });

  it.each(['DRAFT', 'PENDING', 'REJECTED', 'SUSPENDED'] as const)(
    'returns NOT_FOUND for an app that is %s, as for a missing one (D29)',
    async (status) => {
      const { slug } = await service.anApp(ada, status);
      const hidden = await read(slug);
      expectError(hidden, 'NOT_FOUND');
      expect(hidden.message).toBe((await read('there-is-no-such-app')).message);
    },
  );

  it('shows an app at the next request after its approval, and hides it after its takedown (D29)', async () => {
    const { id, slug, revision } = await service.anApp(ada, 'PENDING');
    expectError(await read(slug), 'NOT_FOUND');
    await service.administer('approveApp', { id, revision });
    expectSuccess(await read(slug));
    await service.administer('suspendApp', { id, reason: 'It misbehaves.' });
    expectError(await read(slug), 'NOT_FOUND');
    await service.administer('restoreApp', { id });
    expectSuccess(await read(slug));
  });

  it("hides a suspended developer's apps until they are reinstated (D29)", async () => {
    const developer = await service.aDeveloper();
    const { slug } = await service.anApp(developer, 'APPROVED');
    await service.administer('suspendDeveloper', { id: developer.id, reason: 'Fraud.' });
    expectError(await read(slug), 'NOT_FOUND');
    await service.administer('reinstateDeveloper', { id: developer.id });
    expectSuccess(await read(slug));
  });

  it('still shows the apps of a developer whose verification was withdrawn (D29)', async () => {
    const developer = await service.aDeveloper();
    const { slug } = await service.anApp(developer, 'APPROVED');
    await service.administer('unverifyDeveloper', { id: developer.id, reason: 'Papers.' });
    expectSuccess(await read(slug));
  });

  it.each(['featured', 'categories', 'list', 'Time-Tracker', 'a'.repeat(500), "x' or true", '%'])(
    'returns NOT_FOUND for the slug "%s" (D21)',
    async (slug) => {
      expectError(await read(slug), 'NOT_FOUND');
    },
  );
});

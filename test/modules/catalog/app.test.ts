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

  it('never shows an e-mail address, an account or a key (D17)', async () => {
    const { slug } = await service.anApp(ada, 'APPROVED', { oauthClientId: 'a-client' });
    const text = JSON.stringify((await read(slug)).data);
    for (const secret of [ada.email, ada.accountUserId, ada.id, 'a-client', 'mkt_', 'Secret bio'])
      expect(text).not.toContain(secret);
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

describe('app over REST only', () => {
  const get = (slug: string, headers: Record<string, string> = {}) =>
    service.client.request('GET', `/api/apps/${slug}`, { headers });

  it('responds 304 until the app changes (D32)', async () => {
    const { slug, id } = await service.anApp(ada, 'APPROVED');
    const first = await get(slug);
    const etag = first.headers.get('etag')!;
    expect(etag).toMatch(/^"[^"]+"$/);
    expect(first.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    expect((await get(slug, { 'if-none-match': etag })).status).toBe(304);
    expect((await get(slug, { 'if-none-match': `W/${etag}` })).status).toBe(304);
    expect((await get(slug, { 'if-none-match': '*' })).status).toBe(304);
    expect((await get(slug, { 'if-none-match': '"something-else"' })).status).toBe(200);

    await service.client.must('recordInstall', { slug });
    const changed = await get(slug, { 'if-none-match': etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);

    await service.administer('suspendApp', { id, reason: 'It misbehaves.' });
    expect((await get(slug, { 'if-none-match': '*' })).status).toBe(404);
  });

  it('does not let a 404 be cached (D32)', async () => {
    const response = await get('there-is-no-such-app');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('etag')).toBeNull();
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allScopes, type Developer } from '../../support/actors.js';
import { nobody } from '../../support/answers.js';
import { doors } from '../../support/doors.js';
import { expectRefusal, expectSuccess } from '../../support/refusals.js';
import { type Service, startService } from '../../support/service.js';

let service: Service;
let ada: Developer;
beforeAll(async () => {
  service = await startService();
  ada = await service.aDeveloper();
});
afterAll(() => service.close());

describe.each(doors)('appAnalytics over %s', (door) => {
  const analytics = (id: string) => service.doors.call(door, 'appAnalytics', { id }, ada.key);

  it.each(['DRAFT', 'PENDING', 'APPROVED', 'REJECTED', 'SUSPENDED'] as const)(
    'answers exactly five fields for an app that is %s, zeros before anything happened (D25)',
    async (status) => {
      const { id } = await service.anApp(ada, status);
      const outcome = await analytics(id);
      expectSuccess(outcome);
      expect(outcome.data).toEqual({
        installCount: 0,
        reviewCount: 0,
        averageRating: 0,
        status,
        featured: false,
      });
    },
  );

  it('counts installs exactly, and says whether the app is featured (D25)', async () => {
    const { id, slug } = await service.anApp(ada, 'APPROVED');
    for (let count = 0; count < 3; count += 1) await service.doors.must('recordInstall', { slug });
    await service.doors.must('featureApp', { id, featured: true }, await service.admin());
    await service.sql('update apps set review_count = 3, average_rating = 4.33 where id = $1', [id]);
    expect((await analytics(id)).data).toEqual({
      installCount: 3,
      reviewCount: 3,
      averageRating: 4.33,
      status: 'APPROVED',
      featured: true,
    });
  });

  it.each([nobody, 'not-a-uuid'])('answers NOT_FOUND for the id "%s" (D7)', async (id) => {
    expectRefusal(await analytics(id), 'NOT_FOUND');
  });

  it("answers NOT_FOUND for someone else's app (D7)", async () => {
    const { id } = await service.anApp(await service.aDeveloper(), 'APPROVED');
    expectRefusal(await analytics(id), 'NOT_FOUND');
  });

  it('refuses a key without ANALYTICS_READ, by name (D10)', async () => {
    const { id } = await service.anApp(ada);
    const key = await service.aKey(
      ada,
      allScopes.filter((scope) => scope !== 'ANALYTICS_READ'),
    );
    const outcome = await service.doors.call(door, 'appAnalytics', { id }, key);
    expectRefusal(outcome, 'INSUFFICIENT_SCOPE');
    expect(outcome.message).toMatch(/ANALYTICS_READ.*APP_CREATE, APP_READ, APP_UPDATE, APP_DELETE/);
  });
});

describe('appAnalytics over rest alone', () => {
  it('is never cached (D32)', async () => {
    const { id } = await service.anApp(ada);
    const response = await service.doors.request('GET', `/api/dev/apps/${id}/analytics`, {
      bearer: ada.key,
      headers: { 'if-none-match': '*' },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('etag')).toBeNull();
  });
});

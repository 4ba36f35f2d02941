import { describe, expect, it } from '@jest/globals';
import { apis } from '../../support/api-client.js';
import { duringTests } from '../../support/before-tests.js';
import { expectSuccess } from '../../support/outcomes.js';
import { startService } from '../../support/service.js';

const inOrder = [
  'PRODUCTIVITY',
  'UTILITIES',
  'BUSINESS',
  'DEVELOPER_TOOLS',
  'COMMUNICATION',
  'ANALYTICS',
  'AI_ML',
  'FINANCE',
  'EDUCATION',
  'OTHER',
];

describe.each(apis)('categories over %s', (api) => {
  const service = duringTests(startService);

  const categories = async () => {
    const data = expectSuccess(
      await service.client.call<{ category: string; count: number }[]>(api, 'categories'),
    );
    return data;
  };

  it('lists all ten in the order of the specification, zeros included (D1)', async () => {
    expect(await categories()).toEqual(inOrder.map((category) => ({ category, count: 0 })));
  });

  it('counts only public apps, and is up to date at every request (D29)', async () => {
    const ada = await service.aDeveloper();
    const other = { category: 'OTHER' };
    await service.anApp(ada, 'APPROVED', { category: 'AI_ML' });
    await service.anApp(ada, 'APPROVED', { category: 'AI_ML', environment: 'localhost' });
    const { id } = await service.anApp(ada, 'APPROVED', other);
    for (const status of ['DRAFT', 'PENDING', 'REJECTED', 'SUSPENDED'] as const)
      await service.anApp(ada, status, other);
    const eve = await service.aDeveloper();
    await service.anApp(eve, 'APPROVED', { category: 'FINANCE' });
    await service.administer('suspendDeveloper', { id: eve.id, reason: 'Fraud.' });

    const counts = async () =>
      (await categories()).filter(({ count }) => count > 0).map(({ category, count }) => [category, count]);
    expect(await counts()).toEqual([
      ['AI_ML', 2],
      ['OTHER', 1],
    ]);
    await service.administer('suspendApp', { id, reason: 'Broken.' });
    expect(await counts()).toEqual([['AI_ML', 2]]);
    await service.administer('reinstateDeveloper', { id: eve.id });
    expect(await counts()).toEqual([
      ['AI_ML', 2],
      ['FINANCE', 1],
    ]);
  });

  if (api === 'rest') {
    it('returns an object with one list, which can be revalidated (D1, D32)', async () => {
      const first = await service.client.request('GET', '/api/apps/categories/list?anything=goes');
      const body = (await first.json()) as { categories: object[] };
      expect(Object.keys(body)).toEqual(['categories']);
      expect(Object.keys(body.categories[0]!)).toEqual(['category', 'count']);
      expect(first.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
      const again = await service.client.request('GET', '/api/apps/categories/list', {
        headers: { 'if-none-match': first.headers.get('etag')! },
      });
      expect(again.status).toBe(304);
    });
  }
});

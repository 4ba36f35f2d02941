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
});

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Developer } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { startService } from '../../support/service.js';

const service = duringTests(startService);
const ada = beforeTests(() => service.aDeveloper());
const grace = beforeTests(() => service.aDeveloper());
beforeAll(async () => {
  const publish = (developer: Developer, name: string, description: string, category = 'FINANCE') =>
    service.anApp(developer, 'APPROVED', { name, description, category });
  await publish(ada, "Invoice's Helper \\ 1", 'Writes invoices for freelancers.');
  await publish(ada, 'Invoice Archive', 'Keeps invoices.');
  await publish(grace, 'Savings', 'Puts money aside.');
  await publish(grace, 'Budget', 'Plans the money of a month.');
  await publish(grace, 'Bills', 'An invoice for every hour of freelancers.');
  await publish(grace, 'Invoice Maker', 'Makes an invoice.');
  await publish(grace, 'Invoice Chat', 'Talks about invoices.', 'COMMUNICATION');
  await service.anApp(grace, 'DRAFT', { name: 'Invoice Draft', category: 'FINANCE' });
  await service.client.must('recordInstall', { slug: 'budget' });
});

const similar = (input: Input) => service.client.call<{ name: string }[]>('graphql', 'similarApps', input);
const names = async (input: Input) => {
  const data = expectSuccess(await similar(input));
  return data.map(({ name }) => name);
};

describe('similarApps (D385)', () => {
  it('lists apps of the category by other developers, those with words in common first, then the most installed', async () => {
    const all = await names({ slug: 'invoice-s-helper-1', first: 20 });
    expect(all).toEqual(['Invoice Maker', 'Bills', 'Budget', 'Savings']);
  });

  it('lists three, or as many as requested, twenty at most', async () => {
    expect(await names({ slug: 'invoice-s-helper-1' })).toHaveLength(3);
    expect(await names({ slug: 'invoice-s-helper-1', first: 1 })).toEqual(['Invoice Maker']);
    expect(await names({ slug: 'invoice-s-helper-1', first: 1000 })).toHaveLength(4);
  });

  it('is empty for the only app of a category, and NOT_FOUND for an app that is not public', async () => {
    expect(await names({ slug: 'invoice-chat' })).toEqual([]);
    expectError(await similar({ slug: 'invoice-draft' }), 'NOT_FOUND');
    expectError(await similar({ slug: 'nothing' }), 'NOT_FOUND');
  });

  it('costs as much as a search, and counts as one of the two that a document may have', async () => {
    const { errors } = await service.client.graphql(
      '{ a: similarApps(slug: "budget") { name } b: similarApps(slug: "bills") { name } c: similarApps(slug: "savings") { name } }',
    );
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'QUERY_TOO_COMPLEX' });
  });
});

it('a public developer is verified until an administrator withdraws it (D385)', async () => {
  const verified = async () =>
    (
      await service.client.queryData<{ publicDeveloper: { verified: boolean } }>(
        'query ($id: ID!) { publicDeveloper(id: $id) { verified } }',
        { id: grace.id },
        null,
      )
    ).publicDeveloper.verified;
  expect(await verified()).toBe(true);
  await service.administer('unverifyDeveloper', { id: grace.id, reason: 'The papers were wrong.' });
  expect(await verified()).toBe(false);
});

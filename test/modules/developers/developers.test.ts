import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ConnectionJson, Developer } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { duringTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { startService } from '../../support/service.js';

type Page = ConnectionJson;

/** Oldest first. */
let known: Developer[];
const service = duringTests(startService);
beforeAll(async () => {
  known = [
    await service.aDeveloper({ name: 'Ada Lovelace', companyName: 'Engines Ltd' }),
    await service.anUnverifiedDeveloper({ name: '100% Grace_Hopper' }),
    await service.aDeveloper({ name: 'Edsger' }),
    await service.anUnverifiedDeveloper({ name: 'Barbara' }),
    await service.anUnverifiedDeveloper({ name: 'Donald' }),
  ];
  await service.administer('suspendDeveloper', { id: known[4]!.id, reason: 'Spam.' });
});

const list = async (input: Input = {}) => service.callAsAdmin<Page>('developers', input);
const namesIn = async (input: Input) => (await list(input)).data.edges.map(({ node }) => node.name);

describe('developers', () => {
  it('lists everyone, newest first, as they see themselves (D15)', async () => {
    const data = expectSuccess(await list());
    const { edges, totalCount, pageInfo } = data;
    expect(edges.map(({ node }) => node.id)).toEqual(known.map(({ id }) => id).reverse());
    expect(totalCount).toBe(5);
    expect(pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: edges[0]!.cursor,
      endCursor: edges[4]!.cursor,
    });
    expect(edges[4]!.node).toEqual(await service.client.must('me', {}, known[0]!.key));
  });

  it('lists the oldest first on request (D194)', async () => {
    expect((await list({ sort: 'OLDEST' })).data.edges.map(({ node }) => node.id)).toEqual(
      known.map(({ id }) => id),
    );
    expect(await namesIn({ sort: 'OLDEST', status: 'UNVERIFIED' })).toEqual(['100% Grace_Hopper', 'Barbara']);
  });

  it.each([
    ['UNVERIFIED', ['Barbara', '100% Grace_Hopper']],
    ['VERIFIED', ['Edsger', 'Ada Lovelace']],
    ['SUSPENDED', ['Donald']],
  ])('filters by the status %s (D16)', async (status, names) => {
    expect(await namesIn({ status })).toEqual(names);
    expect((await list({ status, first: 1 })).data.totalCount).toBe(names.length);
  });

  it('finds by part of a name, company, e-mail address or account, whatever the case (D15)', async () => {
    expect(await namesIn({ search: 'LOVE' })).toEqual(['Ada Lovelace']);
    expect(await namesIn({ search: 'engines l' })).toEqual(['Ada Lovelace']);
    expect(await namesIn({ search: known[3]!.email.toUpperCase() })).toEqual(['Barbara']);
    expect(await namesIn({ search: known[2]!.accountUserId })).toEqual(['Edsger']);
    expect(await namesIn({ search: 'nobody of that name' })).toEqual([]);
  });

  it('treats the characters of a search literally (D15)', async () => {
    expect(await namesIn({ search: '%' })).toEqual(['100% Grace_Hopper']);
    expect(await namesIn({ search: 'e_H' })).toEqual(['100% Grace_Hopper']);
    expect(await namesIn({ search: '\\' })).toEqual([]);
  });

  it('treats an empty search as absent, and combines search and status (D16)', async () => {
    expect(await namesIn({ search: '  ' })).toHaveLength(5);
    expect(await namesIn({ search: null, status: null, first: null, after: null })).toHaveLength(5);
    expect(await namesIn({ search: 'a', status: 'VERIFIED' })).toContain('Ada Lovelace');
    expect(await namesIn({ search: 'Barbara', status: 'VERIFIED' })).toEqual([]);
  });
});

describe('allowedActions of a developer', () => {
  const foretold = async (id: string, bearer: string) => {
    const query =
      'query ($id: ID!) { node(id: $id) { ... on Developer { allowedActions { action allowed code } } } }';
    const { node } = await service.client.queryData<{
      node: { allowedActions: { action: string; allowed: boolean; code: string | null }[] };
    }>(query, { id }, bearer);
    return Object.fromEntries(node.allowedActions.map(({ action, code }) => [action, code]));
  };

  it('tell an administrator what the calls would say, four eyes included (D104, D194)', async () => {
    const admin = await service.admin();
    const [ada, grace, , , suspended] = known as [Developer, Developer, Developer, Developer, Developer];
    const everything = {
      verifyDeveloper: null,
      unverifyDeveloper: null,
      editDeveloper: null,
      suspendDeveloper: null,
      reinstateDeveloper: null,
    };
    expect(await foretold(grace.id, admin)).toEqual(everything);
    expect(await foretold(suspended.id, admin)).toEqual({
      ...everything,
      verifyDeveloper: 'INVALID_TRANSITION',
      unverifyDeveloper: 'INVALID_TRANSITION',
    });
    expect(await foretold(ada.id, await service.asAdministrator(ada))).toEqual({
      ...everything,
      verifyDeveloper: 'FORBIDDEN',
      editDeveloper: 'FORBIDDEN',
      reinstateDeveloper: 'FORBIDDEN',
      updateMe: null,
      createApiKey: null,
      createApp: null,
    });
    const calls = ['verifyDeveloper', 'unverifyDeveloper'] as const;
    for (const name of calls)
      expectError(
        await service.callAsAdmin(name, { id: suspended.id, reason: 'Why.' }),
        'INVALID_TRANSITION',
      );
  });

  it('tell a developer what they can do with their account (D194)', async () => {
    const [, grace] = known as [Developer, Developer];
    expect(await foretold(grace.id, grace.token)).toEqual({
      updateMe: null,
      createApiKey: 'DEVELOPER_NOT_VERIFIED',
      createApp: null,
    });
  });
});

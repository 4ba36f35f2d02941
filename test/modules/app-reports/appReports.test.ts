import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ConnectionJson, type Json, unique } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { sharedService } from '../../support/service.js';

describe('appReports', () => {
  let admin: string;
  const service = beforeTests(sharedService);
  beforeAll(async () => {
    admin = await service.admin();
  });

  const report = async (slug: string, account = unique('reporter')) =>
    service.client.must<Json>('reportApp', { slug, reason: 'BROKEN' }, await service.token(account));
  const listed = async () => service.administer<ConnectionJson>('appReports');
  const accountsOf = ({ edges }: ConnectionJson) => edges.map(({ node }) => node.accountUserId);

  it('lists the open reports, newest first; a decision closes them (D380)', async () => {
    const ada = await service.aDeveloper();
    const [one, two] = [await service.anApp(ada, 'APPROVED'), await service.anApp(ada, 'APPROVED')];
    for (const [{ slug }, account] of [
      [one, 'first'],
      [two, 'second'],
      [one, 'third'],
    ] as const)
      await report(slug, account);
    expect(accountsOf(await listed())).toEqual(['third', 'second', 'first']);
    expect((await listed()).totalCount).toBe(3);
    await service.administer('suspendApp', { id: one.id, reason: 'Broken.' });
    expect(accountsOf(await listed())).toEqual(['second']);
    await service.administer('dismissAppReports', { id: two.id });
    expect(await listed()).toMatchObject({ totalCount: 0, edges: [] });
  });

  it('shows the app to administrators, and not to the reporter (D380)', async () => {
    const { slug } = await service.anApp(await service.aDeveloper(), 'APPROVED');
    const mutation = `mutation { reportApp(slug: "${slug}", reason: SPAM) { reason app { slug } } }`;
    const made = await service.client.queryData(mutation, {}, await service.token(unique('reporter')));
    expect(made).toEqual({ reportApp: { reason: 'SPAM', app: null } });
    const query = '{ appReports(first: 1) { edges { node { app { slug status } } } } }';
    expect(await service.client.queryData(query, {}, admin)).toEqual({
      appReports: { edges: [{ node: { app: { slug, status: 'APPROVED' } } }] },
    });
  });
});

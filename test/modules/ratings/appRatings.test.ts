import { describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../src/auth/caller.js';
import { DeveloperStatus } from '../../../src/auth/developer-status.js';
import { Scope } from '../../../src/auth/scope.js';
import { mayReadApp } from '../../../src/modules/ratings/rating.actions.js';
import type { ConnectionJson } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';
import { figuresOf } from './figures.js';

type Page = ConnectionJson;

describe('appRatings', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());
  const app = beforeTests(() => service.anApp(ada, 'APPROVED'));

  const list = (input: Input = {}) =>
    service.client.must<Page>('appRatings', { slug: app.slug, ...input }, null);

  it('are public, newest first, page by page, without hidden ones (D75)', async () => {
    expect(await list()).toMatchObject({ edges: [], totalCount: 0 });
    const given = [];
    for (const rating of [1, 2, 3, 4]) given.push(await service.aRating(app, { rating }));
    const [first, hidden, third, last] = given;
    await service.administer('hideRating', { id: hidden!.id, reason: 'Spam.' });
    const page = await list({ first: 2 });
    expect(page.edges.map(({ node }) => node.id)).toEqual([last!.id, third!.id]);
    expect(page).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
    // One that comes meanwhile does not move the others.
    await service.aRating(app);
    const next = await list({ first: 2, after: page.pageInfo.endCursor });
    expect(next.edges.map(({ node }) => node.id)).toEqual([first!.id]);
    expect(next.pageInfo.hasNextPage).toBe(false);
    expect(Object.keys(page.edges[0]!.node).sort()).toEqual(
      ['authorName', 'createdAt', 'id', 'rating', 'reply', 'text', 'title', 'updatedAt'].sort(),
    );
    expect(JSON.stringify(page)).not.toContain(last!.accountUserId);
  });

  it('come with the number of ratings for each number of stars, without hidden ones (D149)', async () => {
    const rated = await service.anApp(ada, 'APPROVED');
    const page = `query ($slug: String!, $id: ID!) {
      appRatings(slug: $slug, first: 1) { totalCount distribution { rating count } }
      app(slug: $slug) { ratingDistribution { rating count } }
      myApp(id: $id) { ratingDistribution { rating count } }
    }`;
    const counts = async () => {
      const {
        appRatings,
        app: shown,
        myApp,
      } = await service.client.queryData<Record<string, Record<string, { rating: number; count: number }[]>>>(
        page,
        { slug: rated.slug, id: rated.id },
        ada.token,
      );
      expect(shown!.ratingDistribution).toEqual(appRatings!.distribution);
      expect(myApp!.ratingDistribution).toEqual(appRatings!.distribution);
      expect(appRatings!.distribution!.map(({ rating }) => rating)).toEqual([1, 2, 3, 4, 5]);
      return appRatings!.distribution!.map(({ count }) => count);
    };
    expect(await counts()).toEqual([0, 0, 0, 0, 0]);
    const given = [];
    for (const rating of [5, 5, 4, 1]) given.push(await service.aRating(rated, { rating }));
    expect(await counts()).toEqual([1, 0, 0, 1, 2]);
    const [best, changed, , worst] = given;
    await service.client.must('rateApp', { slug: rated.slug, rating: 3 }, changed!.token);
    await service.administer('hideRating', { id: worst!.id, reason: 'Spam.' });
    // A hidden rating is not counted, whatever its author does.
    await service.client.must('rateApp', { slug: rated.slug, rating: 2 }, worst!.token);
    expect(await counts()).toEqual([0, 0, 1, 1, 1]);
    await service.administer('unhideRating', { id: worst!.id });
    await service.client.must('removeRating', { slug: rated.slug }, best!.token);
    expect(await counts()).toEqual([0, 1, 1, 1, 0]);
    expect(await figuresOf(service, rated.id)).toMatchObject({ reviewCount: 3 });
  });

  it('of several apps have no distribution (D149)', async () => {
    const { hiddenRatings } = await service.client.queryData<Record<string, unknown>>(
      '{ hiddenRatings(first: 1) { distribution { count } } }',
      {},
      await service.admin(),
    );
    expect(hiddenRatings).toEqual({ distribution: null });
  });

  it('show their app to everybody while it is public, then to its developer and administrators (D149)', async () => {
    const rated = await service.anApp(ada, 'APPROVED');
    const { id, token, accountUserId } = await service.aRating(rated, { authorName: 'Grace' });
    const document =
      'query ($id: ID!) { node(id: $id) { ... on Rating { app { slug status developer { id } } } } }';
    const appOf = async (bearer: string | null) => {
      const { data } = await service.client.graphql(document, { id }, bearer);
      return (data?.node as { app?: unknown } | null | undefined)?.app;
    };
    const shown = { slug: rated.slug, developer: { id: ada.id } };
    expect(await appOf(null)).toEqual({ ...shown, status: 'APPROVED' });
    const admin = await service.admin();
    await service.administer('suspendApp', { id: rated.id, reason: 'It misbehaves.' });
    expect(await appOf(admin)).toEqual({ ...shown, status: 'SUSPENDED' });
    for (const bearer of [null, token, (await service.aDeveloper()).token])
      expect(await appOf(bearer)).toBeUndefined();
    const reply = `mutation ($id: ID!) { replyToRating(id: $id, text: "Sorry.") { authorName app { slug status } } }`;
    const { data } = await service.client.graphql(reply, { id }, ada.token);
    expect(data).toEqual({
      replyToRating: { authorName: 'Grace', app: { slug: rated.slug, status: 'SUSPENDED' } },
    });
    expect(JSON.stringify(data)).not.toContain(accountUserId);
  });

  it('hide an app that is not public from everybody who could not read it otherwise (D149)', () => {
    const developer = { id: 'the-developer', status: DeveloperStatus.VERIFIED };
    const account = {
      kind: 'account',
      accountUserId: 'a',
      isAdmin: false,
      email: null,
      name: null,
      developer: null,
    } as const;
    const key = { kind: 'key', keyId: 'k', pipeline: null, expiresAt: new Date(), developer } as const;
    const callers: [Caller | null, boolean][] = [
      [null, false],
      [account, false],
      [{ ...account, isAdmin: true }, true],
      [{ ...account, developer }, true],
      [{ ...account, developer: { ...developer, id: 'another' } }, false],
      [{ ...account, developer: { ...developer, status: DeveloperStatus.SUSPENDED } }, false],
      [{ ...key, scopes: new Set([Scope.APP_READ]) }, true],
      [{ ...key, scopes: new Set([Scope.APP_UPDATE]) }, false],
    ];
    for (const [caller, may] of callers) expect(mayReadApp(caller, developer.id)).toBe(may);
  });

  it('are NOT_FOUND for an app that is not public (D29)', async () => {
    const { slug } = await service.anApp(ada, 'DRAFT');
    expectError(await service.client.call('graphql', 'appRatings', { slug }, ada.token), 'NOT_FOUND');
  });
});

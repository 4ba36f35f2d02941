import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AppJson, Developer, Json } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { expectError } from '../../support/outcomes.js';
import { type Service, sharedService } from '../../support/service.js';

interface Page {
  edges: { node: Json; cursor: string }[];
  totalCount: number;
  pageInfo: { hasNextPage: boolean; endCursor: string };
}

describe('appRatings', () => {
  let service: Service;
  let ada: Developer;
  let app: AppJson;
  beforeAll(async () => {
    service = await sharedService();
    ada = await service.aDeveloper();
    app = await service.anApp(ada, 'APPROVED');
  });

  const list = (input: Input = {}) =>
    service.client.must<Page>('appRatings', { slug: app.slug, ...input }, null);

  it('are public, newest first, page by page, without hidden ones (D75)', async () => {
    expect(await list()).toMatchObject({ edges: [], totalCount: 0 });
    const given = [];
    for (const rating of [1, 2, 3, 4]) given.push(await service.aRating(app, { rating }));
    const [first, hidden, third, last] = given;
    await service.client.must('hideRating', { id: hidden!.id, reason: 'Spam.' }, await service.admin());
    const page = await list({ first: 2 });
    expect(page.edges.map(({ node }) => node.id)).toEqual([last!.id, third!.id]);
    expect(page).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
    // One that comes meanwhile does not move the others.
    await service.aRating(app);
    const next = await list({ first: 2, after: page.pageInfo.endCursor });
    expect(next.edges.map(({ node }) => node.id)).toEqual([first!.id]);
    expect(next.pageInfo.hasNextPage).toBe(false);
    expect(Object.keys(page.edges[0]!.node).sort()).toEqual(
      ['createdAt', 'id', 'rating', 'reply', 'text', 'title', 'updatedAt'].sort(),
    );
    expect(JSON.stringify(page)).not.toContain(last!.accountUserId);
  });

  it('are NOT_FOUND for an app that is not public, and refuse an invalid cursor (D7, D29)', async () => {
    const { slug } = await service.anApp(ada, 'DRAFT');
    expectError(await service.client.call('graphql', 'appRatings', { slug }, ada.token), 'NOT_FOUND');
    expectError(
      await service.client.call('graphql', 'appRatings', { slug: app.slug, after: 'x', first: 0 }),
      'VALIDATION_FAILED',
      ['after: invalid_cursor', 'first: too_small'],
    );
  });
});

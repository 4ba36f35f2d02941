import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '../../support/actors.js';
import type { Input } from '../../support/doors.js';
import { type Service, startService } from '../../support/service.js';

describe('hiddenRatings', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  it('lists what is hidden, whatever the app, the latest hidden first, page by page (D77)', async () => {
    const admin = await service.admin();
    const ada = await service.aDeveloper();
    const given = [];
    for (let count = 0; count < 4; count += 1)
      given.push((await service.aRating(await service.anApp(ada, 'APPROVED'))).id);
    const hidden = [given[2]!, given[0]!, given[3]!];
    for (const id of hidden) await service.doors.must('hideRating', { id, reason: 'Spam.' }, admin);
    const list = (input: Input) =>
      service.doors.must<{
        edges: { node: Json }[];
        totalCount: number;
        pageInfo: { endCursor: string; hasNextPage: boolean };
      }>('hiddenRatings', input, admin);
    const first = await list({ first: 2 });
    expect(first).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
    const second = await list({ first: 2, after: first.pageInfo.endCursor });
    expect(second.pageInfo.hasNextPage).toBe(false);
    const ids = [...first.edges, ...second.edges].map(({ node }) => node.id);
    expect(ids).toEqual(hidden.toReversed());
  });
});

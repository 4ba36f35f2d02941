import { describe, expect, it } from '@jest/globals';
import type { ConnectionJson, Json } from '../../support/actors.js';
import { duringTests } from '../../support/before-tests.js';
import { startService } from '../../support/service.js';

describe('hiddenRatings', () => {
  const service = duringTests(startService);

  it('lists the hidden ratings of all apps, the latest first (D77)', async () => {
    const ada = await service.aDeveloper();
    const given = [];
    for (let count = 0; count < 4; count += 1)
      given.push((await service.aRating(await service.anApp(ada, 'APPROVED'))).id);
    const hidden = [given[2]!, given[0]!, given[3]!];
    for (const id of hidden) await service.administer('hideRating', { id, reason: 'Spam.' });
    const { edges, totalCount } = await service.administer<ConnectionJson>('hiddenRatings');
    expect(edges.map(({ node }) => node.id)).toEqual(hidden.toReversed());
    expect(totalCount).toBe(3);
  });

  it('shows administrators the app, the author and who hid it, and nobody else (D77)', async () => {
    const mia = await service.anAdministrator();
    const ada = await service.aDeveloper();
    const app = await service.anApp(ada, 'APPROVED');
    const { id, accountUserId, token } = await service.aRating(app, { rating: 1 });
    await service.client.must('hideRating', { id, reason: 'Spam.' }, mia.token);
    await service.client.must('suspendApp', { id: app.id, reason: 'Spam.' }, mia.token);
    const fields = '{ id accountUserId moderation { by reason app { id status } } }';
    const { hiddenRatings } = await service.client.queryData<{ hiddenRatings: { edges: unknown[] } }>(
      `{ hiddenRatings(first: 1) { edges { node ${fields} } } }`,
      {},
      mia.token,
    );
    const moderation = {
      by: mia.accountUserId,
      reason: 'Spam.',
      app: { id: app.id, status: 'SUSPENDED' },
    };
    expect(hiddenRatings.edges).toEqual([{ node: { id, accountUserId, moderation } }]);
    await service.client.must('restoreApp', { id: app.id }, mia.token);
    const mine = await service.client.queryData(
      `query ($slug: String!) { myRating(slug: $slug) ${fields} }`,
      { slug: app.slug },
      token,
    );
    expect(mine).toEqual({ myRating: { id, accountUserId: null, moderation: null } });
    await service.aRating(app, { rating: 5 });
    const listed = `query ($slug: String!) { appRatings(slug: $slug) { edges { node { accountUserId } } } }`;
    for (const bearer of [null, ada.key, token])
      expect(await service.client.queryData(listed, { slug: app.slug }, bearer)).toEqual({
        appRatings: { edges: [{ node: { accountUserId: null } }] },
      });
  });

  it('lists removed ratings and their replacements, with the reason, for administrators only (D122)', async () => {
    const admin = await service.admin();
    const { slug } = await service.anApp(await service.aDeveloper(), 'APPROVED');
    const { id, token } = await service.aRating({ slug }, { rating: 1, text: 'Awful.' });
    const moderation = '{ id text moderation { hiddenAt reason removedAt } }';
    type Moderated = Json & {
      moderation: { reason: string; hiddenAt: string; removedAt: string | null } | null;
    };
    const latest = async () => {
      const query = `{ hiddenRatings(first: 1) { edges { node ${moderation} } } }`;
      const { hiddenRatings } = await service.client.queryData<{
        hiddenRatings: ConnectionJson<Moderated>;
      }>(query, {}, admin);
      return hiddenRatings.edges[0]!.node;
    };
    await service.administer('hideRating', { id, reason: 'An insult.' });
    const first = await latest();
    expect(first).toMatchObject({ id, moderation: { reason: 'An insult.', removedAt: null } });
    await service.client.must('removeRating', { slug }, token);
    expect(await latest()).toEqual({
      ...first,
      moderation: { ...first.moderation, removedAt: expect.any(String) },
    });
    const again = await service.client.must<Json>('rateApp', { slug, rating: 2, text: 'Again.' }, token);
    expect(await latest()).toEqual({ ...first, id: again.id, text: 'Again.' });
    const mine = await service.client.queryData<{ myRating: Moderated }>(
      `query ($slug: String!) { myRating(slug: $slug) ${moderation} }`,
      { slug },
      token,
    );
    expect(mine.myRating).toEqual({ id: again.id, text: 'Again.', moderation: null });
  });
});

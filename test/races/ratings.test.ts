import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { figuresOf } from '../modules/ratings/figures.js';
import { type Developer, type RatingJson, unique } from '../support/actors.js';
import type { Service } from '../support/service.js';
import { callers, entry, expectHealthy, fifty, race, startRacingService, tally, within } from './race.js';

describe('fifty at once, rating one app', () => {
  let service: Service;
  let developer: Developer;
  beforeAll(async () => {
    service = await startRacingService();
    developer = await service.aDeveloper();
  });
  afterAll(() => service.close());
  afterEach(() => expectHealthy(service));

  const rate = (slug: string, rating: number, token: string) =>
    entry<RatingJson>(service, 'rateApp', { slug, rating }, token);

  it('are all counted, and the mean is that of a recount (D31)', async () => {
    const { id, slug } = await service.anApp(developer, 'APPROVED');
    const tokens = await Promise.all(fifty(() => service.token(unique('user'))));
    const outcomes = await race(fifty((i) => rate(slug, (i % 5) + 1, tokens[i]!)));
    expect(tally(outcomes)).toEqual({ OK: callers });
    expect(await figuresOf(service, id)).toEqual({ reviewCount: callers, averageRating: 3 });
  });

  it('by one account are one rating: the last one, and one line says that it was created (D31)', async () => {
    const { id, slug } = await service.anApp(developer, 'APPROVED');
    const token = await service.token(unique('user'));
    const outcomes = await race(fifty((i) => rate(slug, (i % 5) + 1, token)));
    expect(tally(outcomes)).toEqual({ OK: callers });
    expect(new Set(outcomes.map(({ data }) => data.id)).size).toBe(1);
    expect(await figuresOf(service, id)).toMatchObject({ reviewCount: 1 });
    const created = await service.sql(
      "select from audit_events where app_id = $1 and kind = 'rating.created'",
      [id],
    );
    expect(created).toHaveLength(1);
  });

  it.each([1, 2])(
    'while others remove, hide, unhide and answer them, and install the app: figures equal a recount (round %i, D31)',
    async () => {
      const { id, slug } = await service.anApp(developer, 'APPROVED');
      const admin = await service.admin();
      const given = await Promise.all(
        Array.from({ length: 10 }, (_, i) => service.aRating({ slug }, { rating: (i % 5) + 1 })),
      );
      const acts = fifty((i) => {
        const { id: ratingId, token } = given[i % given.length]!;
        return [
          rate(slug, ((i * 3) % 5) + 1, token),
          entry<RatingJson>(service, 'removeRating', { slug }, token),
          entry<RatingJson>(service, 'hideRating', { id: ratingId, reason: 'Spam.' }, admin),
          entry<RatingJson>(service, 'unhideRating', { id: ratingId }, admin),
          entry<RatingJson>(service, 'replyToRating', { id: ratingId, text: `No. ${i}` }, developer.token),
          entry<RatingJson>(service, 'recordInstall', { slug }, null),
        ][Math.floor(i / given.length + i) % 6]!;
      });
      const { OK = 0, NOT_FOUND = 0 } = tally(await race(acts.map((act) => within(20, act))));
      expect(OK + NOT_FOUND).toBe(callers);
      await figuresOf(service, id);
    },
  );
});

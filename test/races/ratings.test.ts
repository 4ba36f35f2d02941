import { beforeAll, describe, expect, it } from '@jest/globals';
import { figuresOf } from '../modules/ratings/figures.js';
import { atOnce, type RatingJson, unique } from '../support/actors.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { callers, fifty, race, racing, startRacingService, tally, within } from './race.js';

describe('fifty at once, rating one app', () => {
  const { service, entry } = racing();
  const developer = beforeTests(() => service.aDeveloper());

  const rate = (slug: string, rating: number, token: string) =>
    entry<RatingJson>('rateApp', { slug, rating }, token);

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

  it('by one account, which removes it again and again, are told to the developer once (D122)', async () => {
    const { id, slug } = await service.anApp(developer, 'APPROVED');
    const token = await service.token(unique('user'));
    const remove = entry<RatingJson>('removeRating', { slug }, token);
    const { OK = 0, NOT_FOUND = 0 } = tally(
      await race(fifty((i) => (i % 2 === 0 ? rate(slug, (i % 5) + 1, token) : remove))),
    );
    expect(OK + NOT_FOUND).toBe(callers);
    await figuresOf(service, id);
    const created = await service.sql(
      "select from audit_events where app_id = $1 and kind = 'rating.created'",
      [id],
    );
    expect(created).toHaveLength(1);
  });

  it.each([1, 2])(
    'by one account whose rating was hidden: none is ever visible (round %i, D122)',
    async () => {
      const { id, slug } = await service.anApp(developer, 'APPROVED');
      const { id: hidden, token } = await service.aRating({ slug }, { rating: 1 });
      await service.administer('hideRating', { id: hidden, reason: 'Spam.' });
      const remove = entry<RatingJson>('removeRating', { slug }, token);
      const acts = fifty((i) => (i % 2 === 0 ? rate(slug, (i % 5) + 1, token) : remove));
      const { OK = 0, NOT_FOUND = 0 } = tally(await race(acts.map((act) => within(20, act))));
      expect(OK + NOT_FOUND).toBe(callers);
      expect(await figuresOf(service, id)).toEqual({ reviewCount: 0, averageRating: 0 });
      const rows = await service.sql('select from ratings where app_id = $1', [id]);
      expect(rows).toHaveLength(1);
    },
  );

  it.each([1, 2])(
    'while others remove, hide, unhide and reply to them, and install the app: figures equal a recount (round %i, D31)',
    async () => {
      const { id, slug } = await service.anApp(developer, 'APPROVED');
      const admin = await service.admin();
      const given = await atOnce(10, (i) => service.aRating({ slug }, { rating: (i % 5) + 1 }));
      const acts = fifty((i) => {
        const { id: ratingId, token } = given[i % given.length]!;
        return [
          rate(slug, ((i * 3) % 5) + 1, token),
          entry<RatingJson>('removeRating', { slug }, token),
          entry<RatingJson>('hideRating', { id: ratingId, reason: 'Spam.' }, admin),
          entry<RatingJson>('unhideRating', { id: ratingId }, admin),
          entry<RatingJson>('replyToRating', { id: ratingId, text: `No. ${i}` }, developer.token),
          entry<RatingJson>('recordInstall', { slug }, null),
        ][Math.floor(i / given.length + i) % 6]!;
      });
      const { OK = 0, NOT_FOUND = 0 } = tally(await race(acts.map((act) => within(20, act))));
      expect(OK + NOT_FOUND).toBe(callers);
      await figuresOf(service, id);
    },
  );
});

describe('fifty at once, reporting ratings of one app (D192)', () => {
  let admin: string;
  const { service, entry } = racing();
  beforeAll(async () => {
    admin = await service.admin();
  });

  const report = (id: string, token: string, reason = 'Spam.') =>
    entry<RatingJson>('reportRating', { id, reason }, token);
  const anApp = async () => service.anApp(await service.aDeveloper(), 'APPROVED');
  const reportsOf = (id: string) =>
    service.sql<{ closed_at: Date | null }>('select closed_at from rating_reports where rating_id = $1', [
      id,
    ]);

  it('by fifty accounts are fifty reports', async () => {
    const { id } = await service.aRating(await anApp());
    const tokens = await Promise.all(fifty(() => service.token(unique('reporter'))));
    expect(tally(await race(tokens.map((token) => report(id, token))))).toEqual({ OK: callers });
    expect(await reportsOf(id)).toHaveLength(callers);
  });

  it('by one account are one report', async () => {
    const { id } = await service.aRating(await anApp());
    const token = await service.token(unique('reporter'));
    const outcomes = await race(fifty((i) => report(id, token, `No. ${i % 7}`)));
    expect(tally(outcomes)).toEqual({ OK: callers });
    expect(await reportsOf(id)).toHaveLength(1);
  });

  it.each([1, 2])(
    'while administrators dismiss and hide, and authors change and remove: no hidden rating has an open report, and one that was removed is not counted (round %i)',
    async () => {
      const app = await anApp();
      const given = await atOnce(5, () => service.aRating(app));
      const tokens = await Promise.all(given.map(() => service.token(unique('reporter'))));
      const acts = fifty((i) => {
        const { id, token } = given[i % given.length]!;
        return [
          report(id, tokens[Math.floor(i / 5) % tokens.length]!, `No. ${i}`),
          report(id, tokens[(i + 1) % tokens.length]!),
          entry<RatingJson>('dismissRatingReports', { id }, admin),
          entry<RatingJson>('hideRating', { id, reason: 'Spam.' }, admin),
          entry<RatingJson>('unhideRating', { id }, admin),
          rateAgain(app.slug, i, token),
          entry<RatingJson>('removeRating', { slug: app.slug }, token),
        ][i % 7]!;
      });
      const {
        OK = 0,
        NOT_FOUND = 0,
        INVALID_TRANSITION = 0,
      } = tally(await race(acts.map((act) => within(20, act))));
      expect(OK + NOT_FOUND + INVALID_TRANSITION).toBe(callers);
      const rows = await service.sql(
        `select r.reported_at is not null as reported, r.hidden_at is not null as hidden, r.removed_at is not null as removed, (
           select count(*)::int from rating_reports where rating_id = r.id and closed_at is null) as open
         from ratings r where app_id = $1`,
        [app.id],
      );
      for (const { reported, hidden, removed, open } of rows) {
        expect(reported).toBe(open !== 0);
        if (hidden && !removed) expect(open).toBe(0);
        // The row of a removed rating is kept only if the next rating needs it.
        if (removed) expect(hidden).toBe(true);
      }
      await figuresOf(service, app.id);
    },
  );

  const rateAgain = (slug: string, i: number, token: string) =>
    entry<RatingJson>('rateApp', { slug, rating: (i % 5) + 1, text: `No. ${i}` }, token);
});

describe('fifty at once, rating one app with rate limits', () => {
  const { service, entry } = racing(duringTests(() => startRacingService({ RATE_LIMITS: 'on' })));

  it('by one account: twenty changes are made, the others are refused (D122)', async () => {
    const { id, slug } = await service.anApp(await service.aDeveloper(), 'APPROVED');
    const token = await service.token(unique('user'));
    // Each is different from all others, and so a change whatever came before.
    const outcomes = await race(
      fifty((i) => entry<RatingJson>('rateApp', { slug, rating: 3, title: `No. ${i}` }, token)),
    );
    expect(tally(outcomes)).toEqual({ OK: 20, RATE_LIMITED: callers - 20 });
    const lines = await service.sql("select from audit_events where app_id = $1 and kind like 'rating.%'", [
      id,
    ]);
    expect(lines).toHaveLength(20);
  });
});

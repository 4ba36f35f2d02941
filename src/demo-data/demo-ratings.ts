import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as newId } from 'uuid';
import type { DemoApp } from './demo-app.js';
import { demoApps } from './demo-apps.js';
import type { DemoClock } from './demo-clock.js';
import { demoCaller } from './demo-developers.js';
import { hiddenOpinions, type Opinion, opinions } from './demo-opinions.js';
import type { DemoTimeline } from './demo-timeline.js';

interface RatingRow {
  id: string;
  app: string;
  user: string;
  rating: number;
  author: string | null;
  title: string | null;
  text: string | null;
  hoursAgo: number;
}

/** Stars of ratings without a text, in turn. */
const usualStars = [5, 4, 5, 5, 3, 4, 5, 4, 5, 2, 4, 5, 5, 1, 4];
const day = 24;
const maxAgeHours = 88 * day;

/**
 * Adds ratings over the last ninety days, in one statement because services record them only with the current time. The
 * replies of developers and the hidden ratings are acts of their own.
 */
export async function addRatings(em: EntityManager, clock: DemoClock, timeline: DemoTimeline): Promise<void> {
  const rated = demoApps.filter(({ past }) => past.dailyInstalls > 0).map((demo) => ratingsOf(demo));
  const rows = rated.flatMap(({ written, plain, hidden }) => [...written, ...plain, ...hidden]);
  await em.execute(insertRatings, [
    JSON.stringify(rows.map((row) => ({ ...row, app: timeline.app(row.app).id }))),
  ]);
  await em.execute(setTotals);
  const { ratingModeration, ratingReports } = timeline.services;
  for (const { written, hidden, replies, reasons } of rated) {
    for (const [index, { id, app, hoursAgo }] of written.entries()) {
      const reply = replies[index];
      if (reply)
        await clock.at(hoursAgo * 0.8, () => ratingModeration.reply(timeline.ownerOf(app), id, reply));
    }
    for (const [index, { id, hoursAgo }] of hidden.entries())
      await clock.at(hoursAgo * 0.7, () =>
        ratingModeration.hide(timeline.administrator(), id, reasons[index]!),
      );
  }
  // Some harsh ratings with a text have been reported.
  const harsh = rated.flatMap(({ written }) => written).filter(({ rating }) => rating <= 2);
  for (const [index, reason] of reports.entries()) {
    const { id } = harsh[index % harsh.length]!;
    await clock.at(reports.length - index, () => ratingReports.report(reporter(index), { id, reason }));
  }
}

const reports = [
  'This is about another app.',
  'It insults the developers.',
  'I think a competitor wrote this.',
];
const reporter = (index: number) => demoCaller({ accountUserId: `demo-reporter-${index}` });

/** Returns the ratings of an app: those with a text, those without, and the hidden ones. */
function ratingsOf({ name, past }: DemoApp) {
  const publicHours = Math.min(past.hoursAgo - past.waitHours, maxAgeHours);
  const texts = opinions[name] ?? [];
  const toHide = hiddenOpinions.filter(({ app }) => app === name);
  const plainCount = Math.round(past.dailyInstalls * 0.6);
  const total = texts.length + toHide.length + plainCount;
  let place = 0;
  const row = ([rating, author, title, text]: Opinion | readonly [number, null, null, null]): RatingRow => {
    place += 1;
    // A multiple of 0.618 modulo 1 spreads the ratings without a pattern; squaring makes recent ones more frequent.
    const age = ((place * 0.618) % 1) ** 1.5;
    return {
      id: newId(),
      app: name,
      user: `demo-user-${place}`,
      rating,
      author,
      title,
      text,
      hoursAgo: 1 + age * (publicHours - 2),
    };
  };
  const written = texts.map(row);
  const hidden = toHide.map(({ opinion }) => row(opinion));
  const plain = Array.from({ length: plainCount }, (_, index) =>
    row([usualStars[(index + total) % usualStars.length]!, null, null, null]),
  );
  return {
    written,
    hidden,
    plain,
    replies: texts.map(([, , , , reply]) => reply),
    reasons: toHide.map(({ reason }) => reason),
  };
}

const insertRatings = `
  insert into ratings (id, app_id, account_user_id, rating, author_name, title, text, created_at, updated_at)
  select id, app, "user", rating, author, title, text, moment, moment
  from json_to_recordset(?::json) r
    (id uuid, app uuid, "user" text, rating int, author text, title text, text text, "hoursAgo" float8)
  cross join lateral (select now() - "hoursAgo" * interval '1 hour' as moment) at`;

const setTotals = `
  update apps set review_count = counted.count, rating_sum = counted.sum,
    average_rating = round(counted.sum::numeric / counted.count, 2)
  from (select app_id, count(*) as count, sum(rating) as sum from ratings group by 1) counted
  where counted.app_id = apps.id`;

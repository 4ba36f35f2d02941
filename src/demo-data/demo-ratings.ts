import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as newId } from 'uuid';
import type { DemoApp } from './demo-app.js';
import { demoApps } from './demo-apps.js';
import type { DemoClock } from './demo-clock.js';
import { demoCaller } from './demo-developers.js';
import type { DemoTimeline } from './demo-timeline.js';

/** A rating: its stars, its author, its title and text, and what the developer replied or why it was hidden. */
type Opinion = readonly [
  rating: number,
  author: string | null,
  title: string | null,
  text: string | null,
  later?: { reply: string } | { hidden: string },
];

/** Ratings with a text, by app. */
const opinions: Record<string, readonly Opinion[]> = {
  'Time Tracker': [
    [5, 'Grace H.', 'Just works', 'One click, and my timesheet writes itself.'],
    [4, 'Priya', 'Good, could be darker', 'A dark theme would be nice.'],
    [3, 'Jonas', 'Forgets to stop', 'It ran through the night.', { reply: 'It asks after eight hours now.' }],
    [5, 'Lena Vogt', 'My Fridays are back', 'Timesheets took two hours. Now it is ten minutes.'],
    [2, null, 'No offline mode', 'On the train it loses the connection, and then the minute.'],
    [
      1,
      'TimerPro Sales',
      'Use TimerPro!!!',
      'TimerPro, 80% off.',
      { hidden: 'Advertising for another product.' },
    ],
  ],
  'Git Link': [
    [4, 'Henrik', 'Nearly perfect', 'Works with two of our three hosts.'],
    [5, 'Mei-Ling', 'The branch button!', 'It names branches better than we do.'],
  ],
  'Burndown Charts': [[4, 'Paulo', 'Honest', 'It says what we did not want to hear.']],
  'Smart Summary': [
    [
      2,
      'Ben',
      'Too short',
      'It leaves out who decided.',
      { reply: 'The decision has a link to its comment now.' },
    ],
    [5, 'Clara M.', 'After my holiday', 'Two weeks of threads in one coffee.'],
  ],
  'Invoice Maker': [[5, 'Studio Blau', 'Clients ask fewer questions', 'The grouping makes the difference.']],
  'Chat Bridge': [
    [1, 'Noor', 'Loud', 'Every comment rings.', { reply: 'In Board → Chat, "Mentions" is the quiet one.' }],
    [
      1,
      null,
      'The developer is an idiot',
      'Everyone who buys this is one.',
      { hidden: 'It insults people.' },
    ],
  ],
  'Meeting Notes': [[5, 'Ola', 'We end on time', 'The polite timer is very polite, and it works.']],
  'Deal Pipeline': [[2, 'Greg', 'Too simple', 'We are twelve in sales, and it is not for us.']],
  'مترجم المهام': [[5, 'سارة', 'أخيرًا', 'الواجهة من اليمين إلى اليسار صحيحة في كل صفحة.']],
  'Goal Dashboard': [
    [5, 'A. Customer', 'Best app ever', null, { hidden: 'One of eleven identical ratings.' }],
  ],
};

/** Stars of ratings without a text, in turn. */
const usualStars = [5, 4, 5, 5, 3, 4, 5, 4, 5, 2, 4, 5, 5, 1, 4];
/** Reports of the first harsh ratings with a text. */
const reports = [
  'This is about another app.',
  'It insults the developers.',
  'I think a competitor wrote this.',
];
const maxAgeHours = 88 * 24;

/**
 * Adds ratings over the last ninety days, in one statement because services record them only with the current time. The
 * replies of developers, the hidden ratings and the reports are acts of their own.
 */
export async function addRatings(em: EntityManager, clock: DemoClock, timeline: DemoTimeline): Promise<void> {
  const rows = demoApps.filter(({ past }) => past.dailyInstalls > 0).flatMap(ratingsOf);
  const stored = rows.map(({ later: _, ...row }) => ({ ...row, app: timeline.app(row.app).id }));
  await em.execute(insertRatings, [JSON.stringify(stored)]);
  await em.execute(setTotals);
  const { ratingModeration } = timeline.services;
  for (const { id, app, hoursAgo, later } of rows)
    if (later)
      await clock.at(hoursAgo * 0.7, () =>
        'reply' in later
          ? ratingModeration.reply(timeline.ownerOf(app), id, later.reply)
          : ratingModeration.hide(timeline.administrator(), id, later.hidden),
      );
  const harsh = rows.filter(
    ({ rating, text, later }) => rating <= 2 && text && !(later && 'hidden' in later),
  );
  for (const [index, reason] of reports.entries()) {
    const reporter = demoCaller({ accountUserId: `demo-reporter-${index}` });
    await clock.at(3 - index, () => ratingModeration.report(reporter, { id: harsh[index]!.id, reason }));
  }
}

/** Returns the ratings of an app: those with a text, and others. */
function ratingsOf({ name, past }: DemoApp) {
  const publicHours = Math.min(past.hoursAgo - past.waitHours, maxAgeHours);
  const count = Math.round(past.dailyInstalls * 0.6);
  const plain = Array.from({ length: count }, (_, index): Opinion => {
    return [usualStars[(index + count) % usualStars.length]!, null, null, null];
  });
  return [...(opinions[name] ?? []), ...plain].map(([rating, author, title, text, later], index) => {
    // A multiple of 0.618 modulo 1 spreads the ratings without a pattern; the power makes recent ones more frequent.
    const age = (((index + 1) * 0.618) % 1) ** 1.5;
    const hoursAgo = 1 + age * (publicHours - 2);
    return {
      id: newId(),
      app: name,
      user: `demo-user-${index + 1}`,
      rating,
      author,
      title,
      text,
      hoursAgo,
      later,
    };
  });
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

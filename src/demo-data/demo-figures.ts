import type { EntityManager } from '@mikro-orm/postgresql';
import type { Services } from '../services.js';

/** Ratings of the demo apps. */
const demoRatings: readonly (readonly [slug: string, rating: number, title: string, text: string | null])[] =
  [
    ['time-tracker', 5, 'Just works', 'One click, and my timesheet writes itself.'],
    ['time-tracker', 4, 'Good, could be darker', 'A dark theme would be nice.'],
    ['time-tracker', 5, 'We all use it', null],
    ['time-tracker', 3, 'Forgets to stop', 'It ran through the night once. My client was not amused.'],
    ['git-link', 5, 'No more copying of links', null],
    ['git-link', 4, 'Nearly perfect', 'Works with two of our three hosts.'],
    ['burndown-charts', 4, 'Honest', 'It says what we did not want to hear.'],
    ['smart-summary', 5, 'Three sentences, all true', null],
    ['smart-summary', 2, 'Too short for me', 'It leaves out who decided.'],
    ['invoice-maker', 4, 'Paid on time since', null],
    ['chat-bridge', 1, 'Loud', 'Every comment rings. Where do I switch it off?'],
  ];

/** Names of the authors in turn; some give none. */
const demoAuthors: readonly (string | null)[] = ['Grace H.', null, 'Priya', 'Jonas from Bergen', null];

/** Adds ratings to some of the demo apps, and one reply of the developer. */
export async function rateDemo(
  { ratings, ratingModeration }: Services,
  em: EntityManager,
  developer: Parameters<Services['ratingModeration']['reply']>[0],
): Promise<void> {
  for (const [index, [slug, rating, title, text]] of demoRatings.entries()) {
    const user = {
      kind: 'account',
      accountUserId: `demo-user-${index}`,
      isAdmin: false,
      email: null,
      name: null,
      developer: null,
    } as const;
    const authorName = demoAuthors[index % demoAuthors.length] ?? null;
    const { id } = await ratings.rate(user, { slug, rating, authorName, title, text });
    await em.flush();
    if (title === 'Forgets to stop')
      await ratingModeration.reply(developer, id, 'Sorry! Version 1.1.0 asks after eight hours.');
  }
  await em.flush();
  await em.execute(`
    update ratings r set created_at = created_at - days * interval '1 day', updated_at = updated_at - days * interval '1 day'
    from (select id, (row_number() over (order by id) * 7 % 40) as days from ratings) as past where past.id = r.id`);
}

/** Inserts installs of the last weeks, of two versions. It is SQL because services record installs only with the current time. */
export async function installDemo(em: EntityManager, counts: ReadonlyMap<string, number>): Promise<void> {
  for (const [appId, count] of counts) {
    await em.execute(
      `insert into installations (id, app_id, installation_id, version, created_at)
       select gen_random_uuid(), ?, 'demo-' || i, case when i % 3 = 0 then '1.1.0' else '1.0.0' end,
         now() - (i * i * 13 % 6 * (i * 7 % 8)) * interval '1 day'
       from generate_series(1, ?::int) as i`,
      [appId, count],
    );
  }
  await em.execute(`
    insert into installs_daily (app_id, day, environment, version, installs, unique_installations)
    select i.app_id, (i.created_at at time zone 'utc')::date, a.environment, i.version, count(*), count(*)
    from installations i join apps a on a.id = i.app_id group by 1, 2, 3, 4`);
  await em.execute(`
    update app_figures f set install_count = (select count(*) from installations where app_id = f.id)`);
}

import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { iso } from '../../db/iso-time.js';
import type { Statement } from '../../db/reader.js';
import type { App } from './app.entity.js';
import type { AdminAppFilter } from './app.input.js';

type Times = 'submittedAt' | 'approvedAt' | 'createdAt' | 'updatedAt';

/** A row of the list of apps. It has the fields of the entity but is a plain object with times as text, because creating entities and times takes longer than the query. */
export type AppRow = Omit<App, 'developer' | Times> & { developer: { id: string } } & Record<
    Times,
    string | null
  >;

/** The apps of a developer, newest first, with the property names of the entity. */
export const appsOfDeveloper = (developerId: string): Statement => ({
  name: 'apps of a developer',
  text: `
    select a.id, slug, name, description, long_description as "longDescription", a.category, a.environment,
      logo_url as "logoUrl", banner_url as "bannerUrl", website_url as "websiteUrl", oauth_client_id as "oauthClientId",
      screenshots, status, a.featured, f.install_count as "installCount", review_count as "reviewCount",
      average_rating as "averageRating", revision, ${iso('submitted_at')} as "submittedAt",
      ${iso('a.approved_at')} as "approvedAt", rejection, ${iso('created_at')} as "createdAt",
      ${iso('updated_at')} as "updatedAt"
    from apps a join app_figures f on f.id = a.id where developer_id = $1 order by created_at desc, a.id desc`,
  values: [developerId],
});

/** Selects the apps that match a filter, in the form that `pageOfIds` needs; `at` is the column that the list is sorted by. */
export function matchingApps(
  { status, developerId, category, featured, search }: z.output<typeof AdminAppFilter>,
  at: 'created_at' | 'updated_at',
): RawBuilder<unknown> {
  const conditions = [
    sql`true`,
    ...(status ? [sql`status = ${status}`] : []),
    ...(developerId ? [sql`developer_id = ${developerId}`] : []),
    ...(category ? [sql`category = ${category}`] : []),
    ...(typeof featured === 'boolean' ? [featured ? sql`featured` : sql`not featured`] : []),
    ...(search ? [sql`(${nameMatches(search)} or slug = lower(${search}))`] : []),
  ];
  return sql`select id, ${sql.ref(at)} as at from apps where ${sql.join(conditions, sql` and `)}`;
}

/** The trigram index needs this many letters or digits in a row, or the start of a word. */
const indexedRun = /[\p{L}\p{N}]{3}/u;

/** A name contains the text; a shorter text must start a word, because every name would have to be read otherwise (D193). */
function nameMatches(search: string): RawBuilder<unknown> {
  const text = search.replace(/[\\%_]/g, '\\$&');
  return indexedRun.test(search)
    ? sql`sort_name like lower(${`%${text}%`})`
    : sql`(sort_name like lower(${`${text}%`}) or sort_name like lower(${`% ${text}%`}))`;
}

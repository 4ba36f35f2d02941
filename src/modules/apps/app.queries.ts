import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Statement } from '../../db/reader.js';
import { columnsOf } from '../../operations/columns.js';
import { App } from '../listings/app.entity.js';
import type { AdminAppFilter } from './app.input.js';

const columns = columnsOf(App, 'a', { installCount: 'f.install_count' });

/** Reads the apps of developers, newest first; `key` is the developer. The order is that of the index, so nothing is sorted. */
export const appsOfDevelopers = (developerIds: readonly string[]): Statement => ({
  name: 'apps of developers',
  text: `
    select ${columns}, a.developer_id as key from apps a join app_figures f on f.id = a.id
    where a.developer_id = any($1::uuid[]) order by a.developer_id, a.created_at desc, a.id desc`,
  values: [developerIds],
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

/** A name contains the text; a shorter text must start a word, because every name would have to be read otherwise. */
function nameMatches(search: string): RawBuilder<unknown> {
  const text = search.replace(/[\\%_]/g, '\\$&');
  return indexedRun.test(search)
    ? sql`sort_name like lower(${`%${text}%`})`
    : sql`(sort_name like lower(${`${text}%`}) or sort_name like lower(${`% ${text}%`}))`;
}

import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import { defaultPageSize, type PageArguments, positionOf } from './paging.js';

/** A page of ids: one more than requested if there are further ones. */
export interface IdPage {
  ids: string[];
  totalCount: number;
}

/**
 * Reads the ids of a page and the number of all matches in one statement. `matching` selects the `id` of each row and, as
 * `at`, the time that the list is sorted by; ties are ordered by id.
 */
export async function pageOfIds(
  em: EntityManager,
  matching: RawBuilder<unknown>,
  direction: 'asc' | 'desc',
  page: PageArguments,
): Promise<IdPage> {
  const { rows } = await idPageStatement(matching, direction, page).execute(em.getKysely());
  return rows[0]!;
}

/** The statement of `pageOfIds`. The matches are not materialized, so that indexes serve both the page and the count. */
export function idPageStatement(
  matching: RawBuilder<unknown>,
  direction: 'asc' | 'desc',
  { first, after }: PageArguments,
): RawBuilder<IdPage> {
  const position = positionOf(after);
  const [order, following] = direction === 'asc' ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
  return sql`
    with matching as not materialized (${matching})
    select (select count(*)::int from matching) as "totalCount",
      array(select id::text from matching
        ${position ? sql`where (at, matching.id) ${following} (${position.at}, ${position.id}::uuid)` : sql``}
        order by at ${order}, matching.id ${order} limit ${(first ?? defaultPageSize) + 1}) as ids`;
}

/** Sorts rows by the order of their ids. Rows that were deleted meanwhile are left out. */
export function inOrder<Row extends { id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

import type { EntityClass } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Connection } from './connection.types.js';
import { cursorOf, defaultPageSize, type Place, placeOf, type TwoWayPage } from './paging.js';

/** A page ends early where it would grow larger, but never before its first item. */
const maxPageBytes = 512 * 1024;

/** Lists that belong to an owner each, oldest first. */
export interface OwnedList<Row extends OwnedRow> {
  entity: EntityClass<Row>;
  table: string;
  /** The column that names the owner. */
  ownerColumn: string;
  ownerOf: (row: Row) => string | null;
  /** Filter of the rows in the list; all of the owner's by default. */
  where?: RawBuilder<unknown>;
}

/** A row of such a list. */
export interface OwnedRow {
  id: string;
  createdAt: Date;
}

export type Page = z.output<typeof TwoWayPage>;

/** A page of one owner's list; how long the list is, is counted only where somebody asks. */
export interface OwnedPage<Node> extends Omit<Connection<Node>, 'totalCount'> {
  owner: string;
}

/** The same page of each owner's list, in one statement however many owners there are. */
export async function pagesOfOwners<Row extends OwnedRow, Node>(
  em: EntityManager,
  list: OwnedList<Row>,
  nodeOf: (row: Row) => Node,
  owners: readonly string[],
  asked: Page,
): Promise<OwnedPage<Node>[]> {
  const { first, before } = asked;
  // What comes before a cursor is read backwards from there, unless the beginning is asked for.
  const last = asked.last ?? (before && first == null ? defaultPageSize : null);
  const page = { ...asked, last };
  const size = last ?? first ?? defaultPageSize;
  const { rows } = await statement(list, owners, page, size + 1).execute(em.getKysely());
  const byOwner = Map.groupBy(
    rows.map((row) => em.map(list.entity, row as never) as Row),
    list.ownerOf,
  );
  return owners.map((owner) => {
    const edges = (byOwner.get(owner) ?? []).map((row) => ({
      node: nodeOf(row),
      cursor: cursorOf({ at: row.createdAt, id: row.id }),
    }));
    return { owner, ...pageOf(edges, page, size) };
  });
}

/** How long each owner's list is, in one statement. */
export async function lengthsOfOwners<Row extends OwnedRow>(
  em: EntityManager,
  { table, ownerColumn, where = sql`true` }: OwnedList<Row>,
  owners: readonly string[],
): Promise<number[]> {
  const owner = sql.ref(ownerColumn);
  const { rows } = await sql<{ owner: string; count: number }>`
    select ${owner} as owner, count(*)::int as count from ${sql.table(table)}
    where ${owner} = any(${owners}::uuid[]) and ${where} group by ${owner}`.execute(em.getKysely());
  const counts = new Map(rows.map(({ owner: id, count }) => [id, count]));
  return owners.map((id) => counts.get(id) ?? 0);
}

function statement<Row extends OwnedRow>(
  { table, ownerColumn, where = sql`true` }: OwnedList<Row>,
  owners: readonly string[],
  { last, after, before }: Page,
  limit: number,
) {
  const direction = last == null ? sql`asc` : sql`desc`;
  const beyond = (place: Place | null, sign: RawBuilder<unknown>) =>
    place ? sql`and (created_at, id) ${sign} (${place.at}, ${place.id})` : sql``;
  return sql<object>`
    select owned.* from unnest(${owners}::uuid[]) as owner (id)
    cross join lateral (
      select * from ${sql.table(table)}
      where ${sql.ref(ownerColumn)} = owner.id and ${where}
        ${beyond(placeOf(after), sql`>`)} ${beyond(placeOf(before), sql`<`)}
      order by created_at ${direction}, id ${direction} limit ${limit}) owned
    order by owned.created_at, owned.id`;
}

/** A page out of what was read, oldest first: one more than asked at the far end. */
function pageOf<Edge extends { cursor: string }>(
  read: readonly Edge[],
  { last, after, before }: Page,
  size: number,
) {
  const backwards = last != null;
  const asked = backwards ? read.slice(-size) : read.slice(0, size);
  const edges = backwards ? fitting(asked.toReversed()).toReversed() : fitting(asked);
  const isCut = edges.length < read.length;
  return {
    edges,
    pageInfo: {
      hasNextPage: backwards ? Boolean(before) : isCut,
      hasPreviousPage: backwards ? isCut : Boolean(after),
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** As many as fit into a page. */
function fitting<Edge>(edges: readonly Edge[]): Edge[] {
  let bytes = 0;
  const end = edges.findIndex((edge) => {
    bytes += Buffer.byteLength(JSON.stringify(edge));
    return bytes > maxPageBytes;
  });
  return edges.slice(0, end === -1 ? edges.length : Math.max(end, 1));
}

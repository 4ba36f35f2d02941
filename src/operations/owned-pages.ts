import type { EntityClass } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Connection } from './connection.types.js';
import { type CursorPosition, cursorOf, defaultPageSize, positionOf, type TwoWayPage } from './paging.js';

/** A page ends early when it would exceed this size, but always has at least one item. */
const maxPageBytes = 512 * 1024;

/** Describes lists that have an owner each, such as the messages of an app. */
export interface OwnedList<Row extends OwnedRow> {
  entity: EntityClass<Row>;
  table: string;
  /** Column that contains the id of the owner. */
  ownerColumn: string;
  ownerOf: (row: Row) => string | null;
  /** Restricts the list; all rows of the owner by default. */
  where?: RawBuilder<unknown>;
  /** The columns of the entity; those of the table by default. */
  columns?: RawBuilder<unknown>;
  /** Oldest first by default. */
  newestFirst?: boolean;
}

/** A row of such a list. */
export interface OwnedRow {
  id: string;
  createdAt: Date;
}

export type Page = z.output<typeof TwoWayPage>;

/** A page of one owner's list. Its loader adds the `totalCount`, which is counted only if it is selected. */
export interface OwnedPage<Node> extends Omit<Connection<Node>, 'totalCount'> {
  owner: string;
}

/** Reads the same page of each owner's list in one statement. */
export async function pagesOfOwners<Row extends OwnedRow, Node>(
  em: EntityManager,
  list: OwnedList<Row>,
  nodeOf: (row: Row) => Node,
  owners: readonly string[],
  requested: Page,
): Promise<OwnedPage<Node>[]> {
  const { first, before } = requested;
  // Without `first`, a page before a cursor is the one that ends at the cursor.
  const last = requested.last ?? (before && first == null ? defaultPageSize : null);
  const page = { ...requested, last };
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

/** Counts each owner's list in one statement. */
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
  { table, ownerColumn, where = sql`true`, columns = sql`*`, newestFirst = false }: OwnedList<Row>,
  owners: readonly string[],
  { last, after, before }: Page,
  limit: number,
) {
  const [order, reverse] = newestFirst ? [sql`desc`, sql`asc`] : [sql`asc`, sql`desc`];
  const [following, preceding] = newestFirst ? [sql`<`, sql`>`] : [sql`>`, sql`<`];
  // The end of a list is read backwards.
  const direction = last == null ? order : reverse;
  const beyond = (position: CursorPosition | null, sign: RawBuilder<unknown>) =>
    position ? sql`and (created_at, id) ${sign} (${position.at}, ${position.id})` : sql``;
  return sql<object>`
    select owned.* from unnest(${owners}::uuid[]) as owner (id)
    cross join lateral (
      select ${columns} from ${sql.table(table)}
      where ${sql.ref(ownerColumn)} = owner.id and ${where}
        ${beyond(positionOf(after), following)} ${beyond(positionOf(before), preceding)}
      order by created_at ${direction}, id ${direction} limit ${limit}) owned
    order by owned.created_at ${order}, owned.id ${order}`;
}

/** Builds a page from the rows, in the order of the list, of which one more than requested was read at the far end. */
function pageOf<Edge extends { cursor: string }>(
  read: readonly Edge[],
  { last, after, before }: Page,
  size: number,
) {
  const backwards = last != null;
  const requested = backwards ? read.slice(-size) : read.slice(0, size);
  const edges = backwards ? fitting(requested.toReversed()).toReversed() : fitting(requested);
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

/** Returns the first edges, up to the maximum size of a page. */
function fitting<Edge>(edges: readonly Edge[]): Edge[] {
  let bytes = 0;
  const end = edges.findIndex((edge) => {
    bytes += Buffer.byteLength(JSON.stringify(edge));
    return bytes > maxPageBytes;
  });
  return edges.slice(0, end === -1 ? edges.length : Math.max(end, 1));
}

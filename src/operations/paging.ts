import type { EntityClass, FilterObject, FilterQuery, QueryOrderMap } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import type { Connection } from './connection.types.js';
import { cursor } from './input.js';

export const defaultPageSize = 20;

/** A position in a list that is sorted by a time and an id. */
export interface CursorPosition {
  at: Date;
  id: string;
}

/** Years that both JavaScript and PostgreSQL write with four digits; no row has another. */
const plainYear = /^(?!0000)\d{4}-/;

export const cursorOf = ({ at, id }: CursorPosition) =>
  Buffer.from(`${at.toISOString()} ${id}`).toString('base64url');

/** Decodes a cursor; null if it is not valid. */
function readCursor(cursor: string): CursorPosition | null {
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const at = new Date(time);
  if (!plainYear.test(time) || Number.isNaN(at.getTime()) || !isUuid(id)) return null;
  return cursorOf({ at, id }) === cursor ? { at, id } : null;
}

/** Returns the position after which a page starts; null for the first page. */
export const positionOf = (after: string | null | undefined): CursorPosition | null =>
  after ? readCursor(after) : null;

const size = () =>
  z
    .int()
    .min(1)
    .overwrite((value) => Math.min(value, 100))
    .nullish();
const pageCursor = () => cursor(500, (value) => readCursor(value) !== null).nullish();

/** Arguments of a connection. A `first` above 100 means 100; an empty `after` means the first page. */
export const connectionArguments = {
  first: size().describe('Number of items to return: 20 by default, at most 100.'),
  after: pageCursor().describe('The `endCursor` of the previous page; omit it to get the first page.'),
};

/** Arguments of a connection that can be read from both ends, with `first` or with `last`. */
export const TwoWayPage = z.object({
  first: size().describe('Number of items to return from the start of the list: 20 by default, at most 100.'),
  after: connectionArguments.after,
  last: size().describe(
    'Number of items to return from the end of the list, at most 100. Cannot be combined with `first`.',
  ),
  before: pageCursor().describe(
    'Returns only items before this cursor, such as the `startCursor` of the following page.',
  ),
});

/** The requested page of a connection. */
export type PageArguments = {
  [Name in keyof typeof connectionArguments]?: z.output<(typeof connectionArguments)[Name]>;
};

/** Returns a page of the rows that match, newest first by one of their times. */
export const latestFirst = <Row extends { id: string }>(
  em: EntityManager,
  entity: EntityClass<Row>,
  where: FilterQuery<NoInfer<Row>>,
  by: keyof Row & string,
  page: PageArguments,
): Promise<Connection<Row>> => pageByTime(em, entity, where, { by, order: 'desc' }, page);

/** Returns a page of the rows that match, sorted by one of their times; ties are ordered by id. */
export async function pageByTime<Row extends { id: string }>(
  em: EntityManager,
  entity: EntityClass<Row>,
  where: FilterQuery<NoInfer<Row>>,
  { by, order }: { by: keyof Row & string; order: 'asc' | 'desc' },
  { first, after }: PageArguments,
): Promise<Connection<Row>> {
  const size = first ?? defaultPageSize;
  const position = positionOf(after);
  const page = await em.findByCursor(entity, {
    where,
    orderBy: { [by]: order, id: order } as QueryOrderMap<Row>,
    ...(position && { after: { [by]: position.at, id: position.id } as FilterObject<Row> }),
    first: size + 1,
    overfetch: false,
    includeCount: true,
  });
  return connection<Row, Row>(page.items, {
    first: size,
    after,
    totalCount: page.totalCount ?? 0,
    position: (row) => ({ at: row[by] as Date, id: row.id }),
    node: (row) => row,
  });
}

/** Builds a page from rows of which one more than requested was read. */
export function connection<Row, Node>(
  rows: Row[],
  page: {
    first: number;
    after: string | null | undefined;
    totalCount: number;
    position: (row: Row) => CursorPosition;
    node: (row: Row) => Node;
  },
): Connection<Node> {
  const edges = rows
    .slice(0, page.first)
    .map((row) => ({ node: page.node(row), cursor: cursorOf(page.position(row)) }));
  return {
    edges,
    totalCount: page.totalCount,
    pageInfo: {
      hasNextPage: rows.length > page.first,
      hasPreviousPage: Boolean(page.after),
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

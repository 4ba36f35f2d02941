import type { EntityClass, FilterObject, FilterQuery, QueryOrderMap } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import type { Connection } from './connection.types.js';
import { cursor } from './input.js';

export const defaultPageSize = 20;

/** A place in a list that is sorted by a time and an id. */
export interface Place {
  at: Date;
  id: string;
}

/** Years that both JavaScript and PostgreSQL write in four digits; no row has another. */
const plainYear = /^(?!0000)\d{4}-/;

export const cursorOf = ({ at, id }: Place) => Buffer.from(`${at.toISOString()} ${id}`).toString('base64url');

/** Reads a cursor back; null where it is not one of ours. */
function readCursor(cursor: string): Place | null {
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const at = new Date(time);
  if (!plainYear.test(time) || Number.isNaN(at.getTime()) || !isUuid(id)) return null;
  return cursorOf({ at, id }) === cursor ? { at, id } : null;
}

/** Where a page begins; null at the beginning of the list. */
export const placeOf = (after: string | null | undefined): Place | null => (after ? readCursor(after) : null);

const size = () =>
  z
    .int()
    .min(1)
    .overwrite((value) => Math.min(value, 100))
    .nullish();
const ourCursor = () => cursor(500, (value) => readCursor(value) !== null).nullish();

/** The page of a connection: `first` above 100 means 100, an empty `after` is none. */
export const connectionArguments = {
  first: size().describe('How many to return: 20 unless told, 100 at most.'),
  after: ourCursor().describe('The `endCursor` of the page before.'),
};

/** The page of a connection that can be read from either end; give `first` or `last`. */
export const TwoWayPage = z.object({
  first: size().describe('How many to return from the beginning: 20 unless told, 100 at most.'),
  after: connectionArguments.after,
  last: size().describe('How many to return from the end instead, 100 at most.'),
  before: ourCursor().describe('Only what comes before this cursor, such as a `startCursor`.'),
});

/** What a caller says of a page. */
type PageArguments = {
  [Name in keyof typeof connectionArguments]?: z.output<(typeof connectionArguments)[Name]>;
};

/**
 * Returns a page of the rows that match, newest first by one of their times; ties are ordered by id. The rows are
 * counted unless the caller knows their number.
 */
export async function latestFirst<Row extends { id: string }>(
  em: EntityManager,
  entity: EntityClass<Row>,
  where: FilterQuery<NoInfer<Row>>,
  by: keyof Row & string,
  { first, after }: PageArguments,
  known?: { totalCount: number },
): Promise<Connection<Row>> {
  const size = first ?? defaultPageSize;
  const position = placeOf(after);
  const page = await em.findByCursor(entity, {
    where,
    orderBy: { [by]: 'desc', id: 'desc' } as QueryOrderMap<Row>,
    ...(position && { after: { [by]: position.at, id: position.id } as FilterObject<Row> }),
    first: size + 1,
    overfetch: false,
    includeCount: known === undefined,
  });
  return connection<Row, Row>(page.items, {
    first: size,
    after,
    totalCount: known?.totalCount ?? page.totalCount ?? 0,
    place: (row) => ({ at: row[by] as Date, id: row.id }),
    node: (row) => row,
  });
}

/** A page out of rows of which one more than asked was read. */
export function connection<Row, Node>(
  rows: Row[],
  page: {
    first: number;
    after: string | null | undefined;
    totalCount: number;
    place: (row: Row) => Place;
    node: (row: Row) => Node;
  },
): Connection<Node> {
  const edges = rows
    .slice(0, page.first)
    .map((row) => ({ node: page.node(row), cursor: cursorOf(page.place(row)) }));
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

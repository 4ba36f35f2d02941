import { validate as isUuid } from 'uuid';
import { ServiceError } from '../errors.js';
import type { Connection } from './connection.types.js';

export const defaultPageSize = 20;

/** A place in a list that is sorted by a time and an id. */
export interface Place {
  at: Date;
  id: string;
}

/** Years that both JavaScript and PostgreSQL write in four digits; no row has another. */
const plainYear = /^\d{4}-/;

export const cursorOf = ({ at, id }: Place) => Buffer.from(`${at.toISOString()} ${id}`).toString('base64url');

/** Reads a cursor back, or says that it is not one of ours. */
export function placeOf(cursor: string): Place {
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const at = new Date(time);
  if (!plainYear.test(time) || Number.isNaN(at.getTime()) || !isUuid(id) || cursorOf({ at, id }) !== cursor) {
    throw new ServiceError('VALIDATION_FAILED', 'The cursor is not valid: see details.', [
      { field: 'after', code: 'invalid_cursor', message: 'after must be the endCursor of an earlier page.' },
    ]);
  }
  return { at, id };
}

/** A page out of rows of which one more than asked was read. */
export function connection<Row, Node>(
  rows: Row[],
  page: {
    first: number;
    after: string | null;
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
      hasPreviousPage: page.after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

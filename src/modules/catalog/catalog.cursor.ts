import { createHash } from 'node:crypto';
import { validate as isUuid } from 'uuid';
import { ServiceError } from '../../errors.js';
import { type Filter, type Key, keysOf } from './catalog.statement.js';
import { AppSort, type PublicApp } from './catalog.types.js';

/** A row as the database gives it for a page: the app, and what else the orders look at. */
export type ListedApp = PublicApp & { sortName: string; relevance?: number };

/** What a cursor belongs to: it leads on only in the same order and with the same filter. */
export interface List {
  sort: AppSort;
  filter: Filter;
}

const columnValues: Record<string, (app: ListedApp) => unknown> = {
  relevance: (app) => app.relevance,
  install_count: (app) => app.installCount,
  approved_at: (app) => app.approvedAt,
  average_rating: (app) => app.averageRating,
  review_count: (app) => app.reviewCount,
  sort_name: (app) => app.sortName,
  id: (app) => app.id,
};

/** The order that is meant: by relevance where something is searched for, else by popularity. */
export const sortOf = (sort: AppSort | null | undefined, { search }: Filter): AppSort =>
  sort ?? (search ? AppSort.relevance : AppSort.popular);

const keys = ({ sort, filter }: List) => keysOf(sort, filter.search);

/** The place of an app in a list. */
export function cursorOf(list: List, app: ListedApp): string {
  const place = keys(list).map(({ column }) => columnValues[column]?.(app));
  return Buffer.from(JSON.stringify([digest(list, place), ...place])).toString('base64url');
}

/** Returns the position that a cursor encodes; rejects a cursor of another order or filter. */
export function placeOf(list: List, cursor: string): unknown[] {
  const [seal, ...place] = decode(cursor) ?? [];
  const wanted = keys(list);
  const isPlace = place.length === wanted.length && wanted.every((key, index) => fits(key, place[index]));
  if (!isPlace || seal !== digest(list, place)) throw invalidCursor();
  return place;
}

const invalidCursor = () =>
  new ServiceError('VALIDATION_FAILED', 'The input is not valid: see details.', [
    {
      field: 'after',
      code: 'invalid_cursor',
      message: 'after must be the endCursor of an earlier page of this list, in the same order and filter.',
    },
  ]);

/** Whether a text has the form of a cursor of any list. */
export const isCursor = (cursor: string) => decode(cursor) !== null;

/** Ties a cursor to its list. It keeps no secret: a forged place would show nothing that is not public. */
function digest({ sort, filter }: List, place: readonly unknown[]): string {
  const { category, environment, featured, search } = filter;
  const facts = [sort, category ?? null, environment ?? null, featured ?? null, search || null, place];
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 12);
}

function decode(cursor: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether the database could read a value as one of this column's. */
function fits({ type }: Key, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31;
    case 'double precision':
      return typeof value === 'number';
    case 'timestamptz':
      return typeof value === 'string' && /^(?!0000)\d{4}-/.test(value) && !Number.isNaN(Date.parse(value));
    case 'uuid':
      return isUuid(value);
    case 'text':
      return typeof value === 'string' && !value.includes('\0') && value.isWellFormed();
  }
}

import { createHash } from 'node:crypto';
import { validate as isUuid } from 'uuid';
import { ServiceError } from '../../errors.js';
import { decodeCursor } from './catalog.input.js';
import { AppSort, type PublicApp } from './catalog.types.js';
import { type CatalogFilter, type SortKey, sortKeys } from './statement-builder.queries.js';

/** A row of a page: the app and the columns that it is sorted by. */
export type ListedApp = PublicApp & { sortName?: string | undefined; relevance?: number | undefined };

/** The list that a cursor belongs to. A cursor is valid only for the same sort order and filter. */
export interface CatalogList {
  sort: AppSort;
  filter: CatalogFilter;
}

/** A position in a list: null keys are its start. */
export interface ListPosition {
  readonly keys: readonly unknown[] | null;
  /** The number of apps before it; counted in searches only, whose window has an end (D320). */
  readonly before: number;
}
export const startOfList: ListPosition = { keys: null, before: 0 };

const columnValues: Record<string, (app: ListedApp) => unknown> = {
  relevance: (app) => app.relevance,
  install_count: (app) => app.installCount,
  approved_at: (app) => app.approvedAt,
  average_rating: (app) => app.averageRating,
  review_count: (app) => app.reviewCount,
  sort_name: (app) => app.sortName,
  id: (app) => app.id,
};

/** Returns the requested sort order; default: by relevance for a search, else by popularity. */
export const sortOf = (sort: AppSort | null | undefined, { search }: CatalogFilter): AppSort =>
  sort ?? (search ? AppSort.relevance : AppSort.popular);

const keys = ({ sort, filter }: CatalogList) => sortKeys(sort, filter.search);

/** Encodes the position after an app in a list: its sort keys, in a search the number of apps so far, and a digest of the list. */
export function encodeAppCursor(list: CatalogList, app: ListedApp, before = 0): string {
  const position = keys(list).map(({ column }) => columnValues[column]?.(app));
  if (list.filter.search) position.push(before);
  return Buffer.from(JSON.stringify([digest(list, position), ...position])).toString('base64url');
}

/** Decodes a cursor; rejects one of another sort order or filter. Searches of the second release did not count. */
export function decodeAppCursor(list: CatalogList, cursor: string): ListPosition {
  const [listDigest, ...position] = decodeCursor(cursor) ?? [];
  const expectedKeys = keys(list);
  const [before = 0, ...further] = position.slice(expectedKeys.length);
  const isPosition =
    position.length >= expectedKeys.length &&
    expectedKeys.every((key, index) => isValidValue(key, position[index])) &&
    Number.isSafeInteger(before) &&
    Number(before) >= 0 &&
    further.length === 0;
  if (!isPosition || listDigest !== digest(list, position)) throw invalidCursor();
  return { keys: position.slice(0, expectedKeys.length), before: Number(before) };
}

const invalidCursor = () =>
  new ServiceError('VALIDATION_FAILED', 'The input is not valid: see details.', [
    {
      field: 'after',
      code: 'invalid_cursor',
      message:
        'after must be the endCursor of an earlier page of this list, with the same sort order and filter.',
    },
  ]);

/** Binds a cursor to its list. It needs no secret, because a forged position would show only public apps. */
function digest({ sort, filter }: CatalogList, position: readonly unknown[]): string {
  const { category, environment, featured, search, developer } = filter;
  const facts = [
    ...[sort, category ?? null, environment ?? null, featured ?? null, search || null, position],
    // Only if it is given, so that cursors of the first release stay valid.
    ...(developer ? [developer] : []),
  ];
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 12);
}

/** Returns true if the database can cast a value to the type of a column. */
function isValidValue({ type }: SortKey, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31;
    case 'double precision':
      return typeof value === 'number';
    case 'timestamptz':
      return typeof value === 'string' && /^(?!0000)\d{4}-/.test(value) && isIsoTime(value);
    case 'uuid':
      return isUuid(value);
    case 'text':
      return typeof value === 'string' && !value.includes('\0') && value.isWellFormed();
  }
}

/** Returns true for a time as the database writes it. `Date.parse` alone accepts many others, and days such as February 30. */
function isIsoTime(value: string): boolean {
  const time = new Date(value);
  return !Number.isNaN(time.getTime()) && time.toISOString() === value;
}

import { GraphQLError } from 'graphql';
import { errorStatus, ServiceError } from '../errors.js';

/** The limits on a document. All but the cost are checked before validation. */
export const limits = {
  /** graphql-js counts lines again for each location in an error. */
  lines: 3_000,
  /** Lexical tokens; comments do not count. */
  tokens: 5_000,
  /** Nested brackets of any kind, and nested selection sets with fragments expanded. */
  nesting: 50,
  /** Operations and fragments: validation compares fragments in pairs. */
  definitions: 100,
  /** Spreads and inline fragments as written: validation compares those of a selection set in pairs. */
  spreads: 500,
  /** Nested fields with fragments expanded. */
  depth: 12,
  aliases: 50,
  directives: 50,
  /** Fields, inline fragments and spreads with fragments expanded. */
  nodes: 10_000,
  /** Pairs of fields with the same response name in the same place, which validation compares one by one. */
  overlaps: 25_000,
  cost: 10_000,
  /** Selections of operations that burden other servers, under any alias (D321). */
  preflights: 1,
  /** Searches of the catalog and suggestions, under any alias (D321). */
  searches: 2,
} as const;

export type Limit = keyof typeof limits;

/** The most validation errors that are reported for a document. */
export const maxValidationErrors = 20;

/** The error for a document that exceeds a limit; null for `found` where it was not counted to the end. */
export function exceeded(limit: Limit, found: number | null): ServiceError {
  const figure = found === null ? `more than ${limits[limit]}` : `${found}`;
  const message = `The limit of ${limit} is ${limits[limit]}, and this document has ${figure}. Select fewer fields, or split the document into several requests.`;
  return new ServiceError('QUERY_TOO_COMPLEX', message, [{ field: limit, code: 'limit_exceeded', message }]);
}

/** Wraps an error for Apollo so that a rejection before execution has the HTTP status that REST would give. */
export const refusal = (error: ServiceError) =>
  new GraphQLError(error.message, {
    originalError: error,
    extensions: { http: { status: errorStatus[error.code] } },
  });

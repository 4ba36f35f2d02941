import { GraphQLError } from 'graphql';
import { errorStatus, ServiceError } from '../errors.js';

/** How large a document may be. Everything but the cost is checked before GraphQL validates it. */
export const limits = {
  /** graphql-js counts them anew for each place that an error names; and each comment takes one. */
  lines: 3_000,
  /** Lexical tokens; comments do not count. */
  tokens: 5_000,
  /** Brackets of any kind inside each other, and selection sets inside each other once fragments are expanded. */
  nesting: 50,
  /** Operations and fragments: validation compares fragments in pairs. */
  definitions: 100,
  /** Spreads and inline fragments as they are written: validation compares those of one selection set in pairs. */
  spreads: 500,
  /** Nested fields, fragments expanded. */
  depth: 12,
  aliases: 50,
  directives: 50,
  /** Fields, inline fragments and spreads, fragments expanded. */
  nodes: 10_000,
  /** Pairs of fields with the same response name in the same place, which validation compares one by one. */
  overlaps: 25_000,
  cost: 10_000,
} as const;

export type Limit = keyof typeof limits;

/** How many validation errors of a document are reported at once. */
export const maxValidationErrors = 20;

/** The refusal of a document that exceeds a limit: which one, the figure and the maximum. */
export function exceeded(limit: Limit, found: number | null): ServiceError {
  const figure = found === null ? `more than ${limits[limit]}` : `${found}`;
  const message = `The limit of ${limit} is ${limits[limit]}, and this document has ${figure}. Ask for less, or in several requests.`;
  return new ServiceError('QUERY_TOO_COMPLEX', message, [{ field: limit, code: 'limit_exceeded', message }]);
}

/** A refusal as Apollo answers it before execution: with the status that REST would give. */
export const refusal = (error: ServiceError) =>
  new GraphQLError(error.message, {
    originalError: error,
    extensions: { http: { status: errorStatus[error.code] } },
  });

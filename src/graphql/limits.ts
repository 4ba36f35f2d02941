import { type MaxAliasesOptions, maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives';
import { GraphQLError, type ValidationRule } from 'graphql';
import { errorStatus, ServiceError } from '../errors.js';

/** How large a document may be; whatever is larger is refused before anything runs. */
export const limits = {
  /** Nested fields, whichever fragments they are in. */
  depth: 12,
  aliases: 50,
  directives: 50,
  tokens: 5_000,
  cost: 10_000,
  /** Fields and fragments once every fragment is written out. */
  nodes: 10_000,
} as const;

type Limit = keyof typeof limits;

/** How many mistakes of a document are told at once. */
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

/** The rules of graphql-armor throw, which Apollo takes for a failure of ours; told to report, they only say the figure in words. */
const reporting = (limit: Limit): MaxAliasesOptions => ({
  n: limits[limit],
  propagateOnRejection: false,
  onReject: [
    (context, { message }) =>
      context?.reportError(refusal(exceeded(limit, Number(/found (\d+)/.exec(message)?.[1] ?? Infinity)))),
  ],
});

/** What a document is held to beyond GraphQL's own rules; graphql-js itself bounds how deep introspection may go. */
export const limitRules: readonly ValidationRule[] = [
  maxDepthRule({ ...reporting('depth'), flattenFragments: true }),
  maxAliasesRule({ ...reporting('aliases'), allowList: [] }),
  maxDirectivesRule(reporting('directives')),
];

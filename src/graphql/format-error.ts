import {
  type DocumentNode,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  parse,
  type Source,
} from 'graphql';
import { type ErrorDetail, ServiceError, toServiceError } from '../errors.js';
import { errorFields, noteError } from '../server/error-response.js';
import { currentRequest } from '../server/request-context.js';
import { exceeded } from './limits.js';
import { clipped, problemIn, withEnumValues, withoutSuggestion } from './messages.js';
import { fieldAt, pathTo } from './value-path.js';

/** The codes of graphql-js and Apollo for a document that is rejected before any operation runs. */
const documentErrors = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_REQUEST',
]);
/** Codes of the protocol itself, which clients rely on. */
const protocolErrors = new Set(['PERSISTED_QUERY_NOT_FOUND', 'PERSISTED_QUERY_NOT_SUPPORTED']);

/** Gives every GraphQL error the code, the details and the request id that REST would give, and hides internal causes. */
export const formatError =
  (schema: GraphQLSchema, { hidesSchema }: { hidesSchema: boolean }) =>
  (formatted: GraphQLFormattedError, raw: unknown): GraphQLFormattedError => {
    const context = currentRequest();
    const apolloCode = String(formatted.extensions?.code ?? '');
    if (protocolErrors.has(apolloCode)) {
      context.code ??= apolloCode;
      return located(formatted, formatted.message, { code: apolloCode, details: [], requestId: context.id });
    }
    const cause = refusalOf(formatted.message) ?? stackExhausted(causeOf(raw));
    const isAboutDocument = documentErrors.has(apolloCode) || isRaisedByGraphQL(raw);
    const error =
      isAboutDocument && !(cause instanceof ServiceError)
        ? documentError(
            hidesSchema ? withoutSuggestion(formatted.message) : withEnumValues(formatted.message, schema),
            raw,
          )
        : toServiceError(cause);
    noteError(context, error, cause);
    const { message, ...extensions } = errorFields(error, context.id);
    return located(formatted, message, { ...extensions, ...error.extensions });
  };

function documentError(message: string, raw: unknown): ServiceError {
  const text = clipped(message);
  return new ServiceError('VALIDATION_FAILED', text, [detailOf(text, raw)]);
}

/** Returns our error for a rejection that Apollo reports by its message only. */
function refusalOf(message: string): ServiceError | null {
  if (message.startsWith('GET requests only support query operations'))
    return new ServiceError(
      'METHOD_NOT_ALLOWED',
      'GET accepts only queries. Send mutations by POST, and subscriptions to /graphql/stream.',
    );
  return null;
}

/** Nesting is bounded before; if the stack overflows all the same, the document is the reason. */
const stackExhausted = (cause: unknown) => (cause instanceof RangeError ? exceeded('nesting', null) : cause);

/** Returns the error that was thrown, without the errors that GraphQL and Apollo have wrapped around it. */
function causeOf(raw: unknown): unknown {
  let cause = raw;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  return cause;
}

/** An error of graphql-js outside of any field: none of our code ran. */
const isRaisedByGraphQL = (raw: unknown) =>
  raw instanceof GraphQLError && raw.originalError === undefined && raw.path === undefined;

const located = (
  { locations, path }: GraphQLFormattedError,
  message: string,
  extensions: { [name: string]: unknown },
): GraphQLFormattedError => ({ message, ...(locations && { locations }), ...(path && { path }), extensions });

/** The detail of an error in the document. Errors in variables are reported by `variablesProblem`. */
function detailOf(message: string, raw: unknown): ErrorDetail {
  const { code, name } = problemIn(message);
  const field = clipped(fieldOf(raw, name) ?? name ?? '');
  return { field, code: code ?? (field ? 'invalid_type' : 'invalid_document'), message };
}

/** A rejected document is parsed again for its first error only. */
const documents = new WeakMap<Source, DocumentNode>();

function parsed(source: Source): DocumentNode {
  const document = documents.get(source) ?? parse(source);
  documents.set(source, document);
  return document;
}

/** Returns the field of a wrong literal, or of the one that the literal lacks. */
function fieldOf(raw: unknown, lacking: string | null): string | null {
  const node = raw instanceof GraphQLError ? raw.nodes?.[0] : undefined;
  if (!node?.loc || !/Value$|^ObjectField$|^Argument$/.test(node.kind)) return null;
  const path = pathTo(parsed(node.loc.source), node);
  if (!path) return null;
  return fieldAt(lacking === null || path.at(-1) === lacking ? path : [...path, lacking]);
}

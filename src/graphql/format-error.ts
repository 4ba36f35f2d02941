import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Logger } from 'pino';
import { type ErrorDetail, isOurFault, ServiceError, toServiceError } from '../errors.js';
import { noteRefusal } from '../http/exchange.js';
import { requestId } from '../http/request-id.js';

/** What GraphQL and Apollo say of a document that is wrong before any operation runs. */
const documentErrors = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_REQUEST',
]);
/** Codes of the protocol itself, which clients rely on. */
const protocolErrors = new Set(['PERSISTED_QUERY_NOT_FOUND', 'PERSISTED_QUERY_NOT_SUPPORTED']);

/** Gives every GraphQL error the code, the details and the request id that REST would give; masks what is nobody's to know. */
export function formatError(log: Logger) {
  const format = formatter(log);
  return (formatted: GraphQLFormattedError, raw: unknown): GraphQLFormattedError => {
    const told = format(formatted, raw);
    noteRefusal(String(told.extensions?.code));
    return told;
  };
}

function formatter(log: Logger) {
  return (formatted: GraphQLFormattedError, raw: unknown): GraphQLFormattedError => {
    const apolloCode = String(formatted.extensions?.code ?? '');
    if (protocolErrors.has(apolloCode)) return formatted;
    const cause = unwrapResolverError(raw);
    if (!(cause instanceof ServiceError) && (documentErrors.has(apolloCode) || isAboutDocument(raw))) {
      return withExtensions(formatted, formatted.message, 'VALIDATION_FAILED', [detailOf(formatted.message)]);
    }
    const error = toServiceError(cause);
    if (isOurFault(error.code)) log.error({ err: cause, requestId: requestId() }, 'operation failed');
    return withExtensions(formatted, error.message, error.code, error.details);
  };
}

/** Said by GraphQL itself, outside of any field: nothing of ours ran, so nothing of ours failed. */
const isAboutDocument = (raw: unknown) =>
  raw instanceof GraphQLError && raw.originalError === undefined && raw.path === undefined;

const withExtensions = (
  { locations, path }: GraphQLFormattedError,
  message: string,
  code: string,
  details: readonly ErrorDetail[],
): GraphQLFormattedError => ({
  message,
  ...(locations && { locations }),
  ...(path && { path }),
  extensions: { code, details, requestId: requestId() },
});

const absent = /Field "(?:\w+\.)?(\w+)" of required type|not(?: to)? be null|was not provided/;
const unknown = /Field "(\w+)" is not defined by type/;

/** GraphQL names the place of a problem in its message only: `… at "input.screenshots[0]"; Field "url" of required type …`. */
function detailOf(message: string): ErrorDetail {
  const variable = / at "([^"]+)"/.exec(message)?.[1] ?? /^Variable "\$(\w+)"/.exec(message)?.[1];
  const missing = absent.exec(message);
  const stranger = unknown.exec(message);
  const path = [variable, missing?.[1] ?? stranger?.[1]].filter((part) => part !== undefined).join('.');
  return {
    field: path.replace(/\[(\d+)\]/g, '.$1').replace(/^(input|filter)\./, ''),
    code: missing ? 'required' : stranger ? 'unknown_field' : path ? 'invalid_type' : 'invalid_document',
    message,
  };
}

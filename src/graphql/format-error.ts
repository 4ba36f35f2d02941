import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Logger } from 'pino';
import { type ErrorDetail, isOurFault, ServiceError, toServiceError } from '../errors.js';
import { announceRetry, noteRefusal } from '../server/request-context.js';
import { requestId } from '../server/request-id.js';
import { exceeded } from './limits.js';
import { clipped, problemIn, withoutSuggestion } from './messages.js';

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
export function formatError(log: Logger, options: { hidesSchema: boolean }) {
  const format = formatter(log, options);
  return (formatted: GraphQLFormattedError, raw: unknown): GraphQLFormattedError => {
    const told = format(formatted, raw);
    noteRefusal(String(told.extensions?.code));
    return told;
  };
}

function formatter(log: Logger, { hidesSchema }: { hidesSchema: boolean }) {
  return (formatted: GraphQLFormattedError, raw: unknown): GraphQLFormattedError => {
    const apolloCode = String(formatted.extensions?.code ?? '');
    if (protocolErrors.has(apolloCode)) return withExtensions(formatted, formatted.message, apolloCode, []);
    const cause = refusalOf(formatted.message) ?? stackExhausted(causeOf(raw));
    if (!(cause instanceof ServiceError) && (documentErrors.has(apolloCode) || isAboutDocument(raw))) {
      const message = clipped(hidesSchema ? withoutSuggestion(formatted.message) : formatted.message);
      return withExtensions(formatted, message, 'VALIDATION_FAILED', [detailOf(message, raw)]);
    }
    const error = toServiceError(cause);
    announceRetry(error);
    if (isOurFault(error.code)) log.error({ err: cause, requestId: requestId() }, 'operation failed');
    return withExtensions(formatted, error.message, error.code, error.details);
  };
}

/** What graphql-js and Apollo refuse by themselves for a reason that has a code of ours, and tell of in words only. */
function refusalOf(message: string): ServiceError | null {
  if (message.startsWith('GET requests only support query operations'))
    return new ServiceError('METHOD_NOT_ALLOWED', 'A GET can only ask: send what changes something by POST.');
  return null;
}

/** The limits bound all nesting; should the stack be exhausted all the same, that is the document's doing. */
const stackExhausted = (cause: unknown) => (cause instanceof RangeError ? exceeded('nesting', null) : cause);

/** What was thrown at first, under what GraphQL and Apollo have put around it. */
function causeOf(raw: unknown): unknown {
  let cause = raw;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  return cause;
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

/** The details of an error about the document; those about variables are told by `variablesProblem`. */
function detailOf(message: string, raw: unknown): ErrorDetail {
  const { code, name } = problemIn(message);
  const field = name ?? literalOf(raw) ?? '';
  return { field, code: code ?? (field ? 'invalid_type' : 'invalid_document'), message };
}

/** The argument or field that a faulty literal is given to: what stands before it in the document. */
function literalOf(raw: unknown): string | undefined {
  const value = raw instanceof GraphQLError ? raw.nodes?.[0] : undefined;
  if (!value?.loc || !/Value$/.test(value.kind)) return undefined;
  // From the start of a word only, for the same reason.
  return /(?<!\w)(\w+)\s*:[\s[]*$/.exec(value.loc.source.body.slice(0, value.loc.start))?.[1];
}

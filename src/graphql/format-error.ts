import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Logger } from 'pino';
import { type ErrorDetail, isOurFault, ServiceError, toServiceError } from '../errors.js';
import { noteRefusal } from '../http/exchange.js';
import { requestId } from '../http/request-id.js';
import { exceeded } from './limits.js';

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
    const cause = refusalOf(formatted.message) ?? causeOf(raw);
    if (!(cause instanceof ServiceError) && (documentErrors.has(apolloCode) || isAboutDocument(raw))) {
      const message = hidesSchema ? formatted.message.replace(suggestion, '') : formatted.message;
      return withExtensions(formatted, message, 'VALIDATION_FAILED', [detailOf(message, raw)]);
    }
    const error = toServiceError(cause);
    if (isOurFault(error.code)) log.error({ err: cause, requestId: requestId() }, 'operation failed');
    return withExtensions(formatted, error.message, error.code, error.details);
  };
}

/** Up to the next one only: a text of the caller's that is full of them would be gone through again and again. */
const suggestion = / ?Did you mean (?:(?!Did you mean ).)+\?$/;

/** What graphql-js and Apollo refuse by themselves for a reason that has a code of ours, and tell of in words only. */
function refusalOf(message: string): ServiceError | null {
  if (message.startsWith('GET requests only support query operations'))
    return new ServiceError('METHOD_NOT_ALLOWED', 'A GET can only ask: send what changes something by POST.');
  if (/^Syntax Error: Document contains more tha\w \d+ tokens/.test(message)) return exceeded('tokens', null);
  // So many fields of one name, or fragments in fragments, that comparing them was given up.
  return message === 'Validation aborted.' ? exceeded('nodes', null) : null;
}

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

const absent = /Field "(?:\w+\.)?(\w+)" of required type|not(?: to)? be null|was not provided/;
const unknown = /Field "(\w+)" is not defined by type/;

/** GraphQL names the place of a problem in its message only: `… at "input.screenshots[0]"; Field "url" of required type …`. */
function detailOf(message: string, raw: unknown): ErrorDetail {
  const variable = / at "([^"]+)"/.exec(message)?.[1] ?? /^Variable "\$(\w+)"/.exec(message)?.[1];
  const missing = absent.exec(message);
  const stranger = unknown.exec(message);
  const named = missing?.[1] ?? stranger?.[1] ?? (variable === undefined ? literalOf(raw) : undefined);
  const path = [variable, named].filter((part) => part !== undefined).join('.');
  return {
    field: path.replace(/\[(\d+)\]/g, '.$1').replace(/^(input|filter)\./, ''),
    code: missing ? 'required' : stranger ? 'unknown_field' : path ? 'invalid_type' : 'invalid_document',
    message,
  };
}

/** The argument or field that a faulty literal is given to: what stands before it in the document. */
function literalOf(raw: unknown): string | undefined {
  const value = raw instanceof GraphQLError ? raw.nodes?.[0] : undefined;
  if (!value?.loc || !/Value$/.test(value.kind)) return undefined;
  // From the start of a word only, for the same reason.
  return /(?<!\w)(\w+)\s*:[\s[]*$/.exec(value.loc.source.body.slice(0, value.loc.start))?.[1];
}

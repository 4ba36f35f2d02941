import { isDatabaseUnavailable, isLockTimeout, isStatementCancelled } from './errors/database-errors.js';

/** All error codes, with the HTTP status that REST returns for each. */
export const errorStatus = {
  VALIDATION_FAILED: 400,
  MALFORMED_JSON: 400,
  QUERY_TOO_COMPLEX: 400,
  UNAUTHENTICATED: 401,
  INVALID_API_KEY: 401,
  API_KEY_EXPIRED: 401,
  API_KEY_REVOKED: 401,
  INVALID_TOKEN: 401,
  INSUFFICIENT_SCOPE: 403,
  DEVELOPER_NOT_REGISTERED: 403,
  DEVELOPER_NOT_VERIFIED: 403,
  DEVELOPER_SUSPENDED: 403,
  ACCOUNT_MISMATCH: 403,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  APP_APPROVED: 409,
  APP_SUSPENDED: 409,
  INVALID_TRANSITION: 409,
  REVISION_CONFLICT: 409,
  IDEMPOTENCY_CONFLICT: 409,
  REVIEW_CLAIMED: 409,
  FINDINGS_OPEN: 409,
  QUOTA_EXCEEDED: 409,
  DEVELOPER_EXISTS: 409,
  EMAIL_TAKEN: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** Returns true for failures of the service, which are logged. */
export const isOurFault = (code: ErrorCode) => errorStatus[code] >= 500;

/** Returns true for errors that another credential could solve. */
export const wantsCredential = (code: ErrorCode) => errorStatus[code] === 401;

/** Seconds until a request that was UNAVAILABLE may succeed, where nothing better is known (D108). */
const defaultRetrySeconds = 2;

/** A problem of the input: the field, a code, and a message that says what to do. */
export interface ErrorDetail {
  field: string;
  code: string;
  message: string;
}

/** Maximum number of problems in a response (D100). */
export const maxDetails = 50;

interface ServiceErrorOptions extends ErrorOptions {
  /** Number of all problems, if not all of them are passed as details. */
  total?: number;
  /** Seconds until the same request may succeed, if known. Every UNAVAILABLE has a value. */
  retryAfterSeconds?: number | null;
  /** Further fields of the error in GraphQL. The body of REST errors has none (D6). */
  extensions?: Readonly<Record<string, unknown>>;
}

/** An error that is shown to the caller; any other error is only logged. */
export class ServiceError extends Error {
  readonly details: readonly ErrorDetail[];
  /** Seconds until the same request may succeed, sent as `Retry-After`; null if unknown. */
  readonly retryAfterSeconds: number | null;
  /** Further fields of the error in GraphQL. */
  readonly extensions: Readonly<Record<string, unknown>>;

  constructor(
    readonly code: ErrorCode,
    message: string,
    details: readonly ErrorDetail[] = [],
    {
      total = details.length,
      retryAfterSeconds = null,
      extensions = {},
      ...options
    }: ServiceErrorOptions = {},
  ) {
    const isCut = total > maxDetails;
    super(
      isCut ? `${message} There are ${total} problems; the first ${maxDetails} are listed.` : message,
      options,
    );
    this.details = isCut ? details.slice(0, maxDetails) : details;
    this.retryAfterSeconds = retryAfterSeconds ?? (code === 'UNAVAILABLE' ? defaultRetrySeconds : null);
    this.extensions = extensions;
  }
}

/** The body of every REST error; GraphQL has the same fields in `extensions`. */
export interface ErrorBody {
  error: { code: ErrorCode; message: string; details: readonly ErrorDetail[]; requestId: string };
}

/** Returns the error for a malformed or incomplete request, by the code of Node's HTTP parser. */
export function connectionError(nodeCode: string): ServiceError {
  switch (nodeCode) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError('HEADERS_TOO_LARGE', 'The headers are larger than 16 KiB. Send less.');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ServiceError('PAYLOAD_TOO_LARGE', 'The body has too many chunk extensions. Send none.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('REQUEST_TIMEOUT', 'The request did not arrive whole in time. Send it again.');
    default:
      return new ServiceError('VALIDATION_FAILED', 'This is not a well-formed HTTP/1.1 request.');
  }
}

/** Returns the same error for a missing resource and for one of another owner, so that ids cannot be probed. */
export const notFound = (what: string) =>
  new ServiceError('NOT_FOUND', `There is no such ${what}, or you may not see it. Check its id or slug.`);

/** Returns the error for an action on an outdated revision, with the current one and what changed since, if known (D161). */
export const revisionConflict = (
  message: string,
  revision: number,
  changes: readonly object[] | null = null,
) => new ServiceError('REVISION_CONFLICT', message, [], { extensions: { revision, changes } });

/** Returns the error for a transaction whose COMMIT got no response, so that it may have been committed or not. */
export const outcomeUnknown = (cause: unknown) =>
  new ServiceError(
    'UNAVAILABLE',
    'The connection to the database was lost while the change was being saved: it may have been saved or not. Read the resource in a few seconds, and repeat the request only if the change is missing; a POST with an Idempotency-Key may be repeated in any case.',
    [],
    { cause },
  );

/** Returns the error to show to the caller: a ServiceError unchanged, any other error without its details. */
export function toServiceError(error: unknown): ServiceError {
  for (const cause of causesOf(error)) {
    if (cause instanceof ServiceError) return cause;
    if (isForeignKeyViolation(cause))
      return new ServiceError('NOT_FOUND', 'The resource was deleted in the meantime.');
    if (isLockTimeout(cause))
      return new ServiceError(
        'UNAVAILABLE',
        'Another request is changing the same data. Try again in a few seconds.',
      );
    if (isStatementCancelled(cause))
      return new ServiceError(
        'UNAVAILABLE',
        'The database needed too long for this request and has cancelled it. Try again in a few seconds, or ask for less.',
      );
    if (isDatabaseUnavailable(cause)) {
      return new ServiceError(
        'UNAVAILABLE',
        'The database cannot be reached right now. Try again in a few seconds.',
      );
    }
  }
  return new ServiceError(
    'INTERNAL',
    'Something went wrong on our side. Try again. If the error continues, contact support with the request id.',
  );
}

/** Lists an error, its causes and, for an AggregateError, the errors of all attempts. */
function causesOf(error: unknown): object[] {
  const causes: object[] = [];
  const pending = [error];
  for (let next = pending.shift(); causes.length < maxCauses; next = pending.shift()) {
    if (isObject(next)) {
      causes.push(next);
      pending.push(causeOf(next));
      if (next instanceof AggregateError) pending.push(...next.errors);
    } else if (pending.length === 0) break;
  }
  return causes;
}

/** More than any chain of causes has; bounds one that refers to itself. */
const maxCauses = 20;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Returns the cause of an error. GraphQL stores thrown values that are not Errors as `thrownValue`. */
const causeOf = (error: object): unknown =>
  'thrownValue' in error ? error.thrownValue : 'cause' in error ? error.cause : null;

/** Returns true for an insert or update that refers to a row which was deleted after it had been read. */
const isForeignKeyViolation = (error: object) =>
  'code' in error &&
  error.code === '23503' &&
  'message' in error &&
  /insert or update on table/.test(String(error.message));

/** An error that prevents the start of the service; printed without a stack trace. */
export class StartupError extends Error {}

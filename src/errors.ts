/** Every failure a caller can see, and the HTTP status REST gives it. */
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

/** A failure of ours, which the log must know. */
export const isOurFault = (code: ErrorCode) => errorStatus[code] >= 500;

/** A refusal that another credential would mend. */
export const wantsCredential = (code: ErrorCode) => errorStatus[code] === 401;

/** One problem of an input: where, what kind, and what to do about it. */
export interface ErrorDetail {
  field: string;
  code: string;
  message: string;
}

/** How many problems an answer lists (D100). */
export const maxDetails = 50;

interface ServiceErrorOptions extends ErrorOptions {
  /** How many problems there are, where not all of them are given as details. */
  total?: number;
  /** When the same request may succeed, as far as that is known. */
  retryAfterSeconds?: number | null;
}

/** A failure that is the caller's to know; anything else that is thrown stays in the log. */
export class ServiceError extends Error {
  readonly details: readonly ErrorDetail[];
  /** When the same request may succeed, as far as that is known: REST and GraphQL say it in `Retry-After`. */
  readonly retryAfterSeconds: number | null;

  constructor(
    readonly code: ErrorCode,
    message: string,
    details: readonly ErrorDetail[] = [],
    { total = details.length, retryAfterSeconds = null, ...options }: ServiceErrorOptions = {},
  ) {
    const isCut = total > maxDetails;
    super(
      isCut ? `${message} There are ${total} problems; the first ${maxDetails} are listed.` : message,
      options,
    );
    this.details = isCut ? details.slice(0, maxDetails) : details;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The body of every refusal at the REST door; GraphQL puts the same into `extensions`. */
export interface ErrorBody {
  error: { code: ErrorCode; message: string; details: readonly ErrorDetail[]; requestId: string };
}

/** What is wrong with a connection before there is a request: Node's codes for it, in ours. */
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

/** The very same answer for what is missing and for what belongs to someone else. */
export const notFound = (what: string) =>
  new ServiceError('NOT_FOUND', `There is no such ${what} for you. Check its id or slug.`);

const unreachable = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE']);

/** What a caller is told of any failure: a ServiceError as it is, all else without its cause. */
export function toServiceError(error: unknown): ServiceError {
  for (let cause: unknown = error; isObject(cause); cause = causeOf(cause)) {
    if (cause instanceof ServiceError) return cause;
    if (hasVanished(cause))
      return new ServiceError('NOT_FOUND', 'What this is about was deleted in the meantime.');
    if (databaseIsAway(cause)) {
      return new ServiceError(
        'UNAVAILABLE',
        'The database cannot be reached right now. Try again in a few seconds.',
      );
    }
  }
  return new ServiceError(
    'INTERNAL',
    'Something went wrong on our side. Try again, and give us the request id if it stays.',
  );
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** What lies behind a failure; GraphQL keeps what it does not take for an Error as `thrownValue`. */
const causeOf = (error: object): unknown =>
  'thrownValue' in error ? error.thrownValue : 'cause' in error ? error.cause : null;

/** A row that was to belong to another, which somebody deleted after it was looked up. */
const hasVanished = (error: object) =>
  'code' in error &&
  error.code === '23503' &&
  'message' in error &&
  /insert or update on table/.test(String(error.message));

/** Connection failures, PostgreSQL's class 08, its shutdown codes and "too many connections". */
function databaseIsAway(error: object): boolean {
  const code = 'code' in error ? String(error.code) : '';
  const message = 'message' in error ? String(error.message) : '';
  return (
    unreachable.has(code) ||
    /^(08...|57P0[123]|53300)$/.test(code) ||
    /Connection terminated|timeout exceeded when trying to connect|timeout expired/.test(message)
  );
}

/** A reason why the service cannot start, for the person at the terminal: printed without a stack trace. */
export class StartupError extends Error {}

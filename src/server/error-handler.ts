import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import {
  type ErrorBody,
  errorStatus,
  isOurFault,
  ServiceError,
  toServiceError,
  wantsCredential,
} from '../errors.js';
import { announceRetry, type Exchange, noteRefusal } from './request-context.js';
import { requestId } from './request-id.js';
import type { Headers } from './security-headers.js';

/** What no route answered. */
export const unknownRoute: RequestHandler = (req) => {
  throw new ServiceError(
    'NOT_FOUND',
    `There is nothing at ${req.method} ${req.path}. See /docs for what there is.`,
  );
};

/** Answers every failure in the one shape; what is not the caller's to know goes to the log alone. */
export function errorHandler(log: Logger): ErrorRequestHandler {
  return (error, req, res, next) => {
    const known = transportError(error) ?? toServiceError(error);
    note(log, error, known);
    if (res.headersSent) return next(error);
    const challenge = wantsCredential(known.code) ? challengeFor(known) : null;
    if (challenge) res.set('www-authenticate', challenge);
    res.set('cache-control', 'no-store').removeHeader('etag');
    res.status(errorStatus[known.code]).json(bodyFor(req.path.startsWith('/graphql'), known, requestId()));
  };
}

function note(log: Logger, cause: unknown, error: ServiceError): void {
  const { code } = error;
  noteRefusal(code);
  announceRetry(error);
  if (isOurFault(code)) log.error({ err: cause, requestId: requestId() }, 'request failed');
}

function bodyFor(isGraphQL: boolean, { code, message, details }: ServiceError, id: string): object {
  const body: ErrorBody = { error: { code, message, details, requestId: id } };
  return isGraphQL ? { errors: [{ message, extensions: { code, details, requestId: id } }] } : body;
}

/** The same for what is answered without Express, by those who ask for no credential. */
export const refuseWith =
  (headers: Headers, log: Logger) =>
  ({ id, door, response }: Exchange, cause: unknown): void => {
    const error = toServiceError(cause);
    note(log, cause, error);
    for (const [name, value] of headers) response.setHeader(name, value);
    response.setHeader('x-request-id', id);
    response.setHeader('cache-control', 'no-store');
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.statusCode = errorStatus[error.code];
    response.end(JSON.stringify(bodyFor(door === 'graphql', error, id)));
  };

const challengeFor = ({ code }: ServiceError) =>
  code === 'UNAUTHENTICATED'
    ? 'Bearer realm="marketplace-gateway"'
    : 'Bearer realm="marketplace-gateway", error="invalid_token"';

/** What Express and its body reader refuse, in our codes. */
function transportError(error: unknown): ServiceError | null {
  if (error instanceof URIError)
    return new ServiceError('NOT_FOUND', 'There is nothing here: the address is not well encoded.');
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : null;
  switch (type) {
    case 'entity.too.large':
      return new ServiceError('PAYLOAD_TOO_LARGE', 'The body is larger than 256 KiB. Send less.');
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new ServiceError(
        'UNSUPPORTED_MEDIA_TYPE',
        'The body must be JSON in UTF-8, plain or compressed with gzip, deflate or br.',
      );
    case 'entity.parse.failed':
    case 'entity.verify.failed':
    case 'request.aborted':
    case 'request.size.invalid':
      return new ServiceError(
        'MALFORMED_JSON',
        'The body is not valid JSON. Check quotes, commas and brackets.',
      );
    default:
      // What the body reader refuses without a type of its own: a body that is not compressed as it says.
      return isHttpError(error) && error.status === errorStatus.MALFORMED_JSON
        ? new ServiceError('MALFORMED_JSON', 'The body cannot be read: it is not encoded as its headers say.')
        : null;
  }
}

const isHttpError = (error: unknown): error is { status: unknown } =>
  typeof error === 'object' && error !== null && 'status' in error;

import {
  type ErrorBody,
  errorStatus,
  isOurFault,
  ServiceError,
  toServiceError,
  wantsCredential,
} from '../errors.js';
import { type HttpResponse, jsonResponse } from './http-response.js';
import type { RequestContext } from './request-context.js';

/** Returns the response to any error: a `ServiceError` as it is, anything else without its cause. */
export function errorResponse(context: RequestContext, cause: unknown): HttpResponse {
  const error = transportError(cause) ?? toServiceError(cause);
  noteError(context, error, cause);
  const { code } = error;
  const body =
    context.door === 'graphql' ? graphqlErrorBody(error, context.id) : restErrorBody(error, context.id);
  return jsonResponse(errorStatus[code], body, {
    'cache-control': 'no-store',
    ...(wantsCredential(code) && { 'www-authenticate': challengeFor(code) }),
  });
}

/** Records an error for the log, the metrics and `Retry-After`. The first error of a GraphQL request counts. */
export function noteError(context: RequestContext, error: ServiceError, cause: unknown): void {
  context.code ??= error.code;
  context.retryAfterSeconds ??= error.retryAfterSeconds;
  if (isOurFault(error.code)) context.log.error({ err: cause, requestId: context.id }, 'request failed');
}

export const restErrorBody = (error: ServiceError, requestId: string) =>
  JSON.stringify({ error: errorFields(error, requestId) } satisfies ErrorBody);

const graphqlErrorBody = (error: ServiceError, requestId: string) => {
  const { message, ...extensions } = errorFields(error, requestId);
  return JSON.stringify({ errors: [{ message, extensions }] });
};

/** The fields of an error, in the order in which REST writes them; GraphQL has all but the message in `extensions`. */
export const errorFields = ({ code, message, details }: ServiceError, requestId: string) => ({
  code,
  message,
  details,
  requestId,
});

const challengeFor = (code: ServiceError['code']) =>
  code === 'UNAUTHENTICATED'
    ? 'Bearer realm="marketplace-gateway"'
    : 'Bearer realm="marketplace-gateway", error="invalid_token"';

/** Translates the error of the router for a path that cannot be decoded into ours. */
const transportError = (error: unknown): ServiceError | null =>
  error instanceof URIError
    ? new ServiceError('NOT_FOUND', 'There is nothing here: the address is not well encoded.')
    : null;

import 'reflect-metadata';
import { registerEnumType } from 'type-graphql';
import { type ErrorCode, errorStatus } from '../errors.js';

/** When each error occurs and what to do, for the API's descriptions. */
export const errorMeanings: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_FAILED: 'The input is not valid. `details` lists the problems, one per field.',
  MALFORMED_JSON: 'The body is not JSON, or not an object.',
  QUERY_TOO_COMPLEX: 'The document exceeds a limit, such as the cost. Select fewer fields or smaller pages.',
  UNAUTHENTICATED: 'No credential was sent, or not the kind that the operation takes.',
  INVALID_API_KEY: 'No such API key exists, or it is mistyped.',
  API_KEY_EXPIRED: 'The API key has expired. Create a new one.',
  API_KEY_REVOKED: 'The API key was revoked. Create a new one.',
  INVALID_TOKEN: 'The account token is not valid or has expired. Sign in again.',
  INSUFFICIENT_SCOPE: 'The API key lacks a scope that the operation needs.',
  DEVELOPER_NOT_REGISTERED: 'The account has not registered as a developer. Call `registerDeveloper` first.',
  DEVELOPER_NOT_VERIFIED: 'An administrator must verify the developer first.',
  DEVELOPER_SUSPENDED: 'The developer account is suspended. Contact support.',
  ACCOUNT_MISMATCH: 'The `accountUserId` is not that of the signed-in account.',
  FORBIDDEN: 'The caller may not do this, such as an administrator in their own favour.',
  NOT_FOUND: 'It does not exist, or the caller may not see it.',
  METHOD_NOT_ALLOWED: 'The path does not accept this HTTP method.',
  REQUEST_TIMEOUT: 'The request did not arrive whole in time. Send it again.',
  APP_APPROVED: 'The app is public and cannot be changed directly. Create a version.',
  APP_SUSPENDED: 'An administrator took the app down. Contact support.',
  INVALID_TRANSITION: 'The present state does not allow this. Read the status again.',
  REVISION_CONFLICT: 'It was changed since it was read. Read it again and decide anew.',
  IDEMPOTENCY_CONFLICT:
    'The `Idempotency-Key` was used for another request, or the first request still runs. REST only.',
  REVIEW_CLAIMED: 'Another administrator has claimed the submission.',
  QUOTA_EXCEEDED: 'The maximum number is reached. The message has the maximum and what to do.',
  DEVELOPER_EXISTS: 'The account is already registered as a developer.',
  EMAIL_TAKEN: 'Another developer uses the e-mail address.',
  PAYLOAD_TOO_LARGE: 'The body is larger than 256 KiB.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not `application/json`.',
  RATE_LIMITED: 'Too many requests. Wait as long as `Retry-After` says.',
  HEADERS_TOO_LARGE: 'The headers are larger than 16 KiB.',
  INTERNAL: 'A failure of the service. Try again; report it with the request id if it continues.',
  UNAVAILABLE: 'The service or its database is not available. Try again as `Retry-After` says.',
};

/** The error codes as a GraphQL enum. */
export const errorCodes = Object.fromEntries(Object.keys(errorStatus).map((code) => [code, code])) as {
  readonly [Code in ErrorCode]: Code;
};

registerEnumType(errorCodes, {
  name: 'ErrorCode',
  description:
    'The code of an error: `extensions.code` in GraphQL, `error.code` in REST. Only the protocol of persisted queries has further codes (`PERSISTED_QUERY_NOT_FOUND`, `PERSISTED_QUERY_NOT_SUPPORTED`).',
  valuesConfig: Object.fromEntries(
    Object.entries(errorMeanings).map(([code, description]) => [code, { description }]),
  ),
});

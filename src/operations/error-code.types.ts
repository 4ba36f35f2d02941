import 'reflect-metadata';
import { registerEnumType } from 'type-graphql';
import { type ErrorCode, errorStatus } from '../errors.js';

/** The meaning of an error code. */
interface ErrorMeaning {
  /** The situation in which the error occurs. */
  when: string;
  /** The action that the client should take. */
  remedy: string;
}

/** The meanings of all error codes, for the GraphQL schema and docs/errors.md. */
export const errorMeanings: Readonly<Record<ErrorCode, ErrorMeaning>> = {
  VALIDATION_FAILED: {
    when: 'A field, a query parameter or a header is not valid, or a field is unknown. All problems are listed at once, the first 50 of them in `details`.',
    remedy: 'Correct the fields that `details` names. `field` is a path such as `screenshots.0.url`.',
  },
  MALFORMED_JSON: {
    when: 'The body is not JSON, is not an object, is nested too deeply, or was cut off.',
    remedy: 'Send a JSON object.',
  },
  QUERY_TOO_COMPLEX: {
    when: 'A GraphQL document exceeds a limit, such as its cost, depth or length. The message names the limit, the value and the maximum.',
    remedy: 'Select fewer fields, request smaller pages, or split the document.',
  },
  UNAUTHENTICATED: {
    when: 'There is no credential, or one of a kind that the operation does not accept.',
    remedy: 'Send the credential that the message names, as `Authorization: Bearer …`.',
  },
  INVALID_API_KEY: {
    when: 'The API key does not exist, or was copied incompletely.',
    remedy: 'Check the key, or create a new one.',
  },
  API_KEY_EXPIRED: {
    when: 'The API key has passed its `expiresAt`.',
    remedy:
      'Create a new key, or rotate keys before they expire: the header `X-Api-Key-Expires` announces it.',
  },
  API_KEY_REVOKED: {
    when: 'The API key was revoked, by its developer or after a leak report.',
    remedy: 'Create a new key.',
  },
  INVALID_TOKEN: {
    when: 'The account token is expired, has a wrong signature, issuer or audience, or is no token at all.',
    remedy: 'Sign in again at the identity provider to get a new token.',
  },
  INSUFFICIENT_SCOPE: {
    when: 'The API key does not have the scope that the operation needs.',
    remedy: 'Create a key with the scope that the message names.',
  },
  DEVELOPER_NOT_REGISTERED: {
    when: 'The account of the token has not registered as a developer.',
    remedy: 'Call `registerDeveloper` first.',
  },
  DEVELOPER_NOT_VERIFIED: {
    when: 'The operation needs a verified developer: creating a key, or submitting an app.',
    remedy: 'Wait until an administrator has verified the account. The developer gets an e-mail.',
  },
  DEVELOPER_SUSPENDED: {
    when: 'An administrator has suspended the developer.',
    remedy: 'Contact the support of the marketplace.',
  },
  ACCOUNT_MISMATCH: {
    when: 'The `accountUserId` of a registration is not the account of the token.',
    remedy: 'Register the account that is signed in.',
  },
  FORBIDDEN: {
    when: 'The caller may not do this: only administrators may, or nobody may do it for themselves, or another site sent the request through a browser.',
    remedy: 'Use an account that may do it. The message names the rule.',
  },
  NOT_FOUND: {
    when: 'The resource does not exist, or the caller may not see it: both get the same response. Also for unknown paths.',
    remedy: 'Check the id, the slug or the path.',
  },
  METHOD_NOT_ALLOWED: {
    when: 'The path exists, but not with this HTTP method.',
    remedy: 'Use a method that the header `Allow` lists.',
  },
  REQUEST_TIMEOUT: {
    when: 'The headers took more than 10 seconds, or the whole request more than 30 seconds.',
    remedy: 'Send the request again. Nothing was done.',
  },
  APP_APPROVED: {
    when: 'An approved app is changed or deleted.',
    remedy: 'Create a new version with `createAppVersion` and submit it.',
  },
  APP_SUSPENDED: {
    when: 'An app that an administrator has taken down is changed or deleted.',
    remedy: 'Contact the support of the marketplace.',
  },
  INVALID_TRANSITION: {
    when: 'The state of the resource does not allow the operation, such as submitting an app that is already in review.',
    remedy: 'Read the resource again. `allowedActions` in GraphQL lists what is possible now.',
  },
  REVISION_CONFLICT: {
    when: 'The resource has changed since the client read the revision that it sent (`If-Match`, `revision`, `updatedAt`).',
    remedy: 'Read the resource again, and repeat the request with the new revision if it still applies.',
  },
  IDEMPOTENCY_CONFLICT: {
    when: 'The `Idempotency-Key` was used with another body, the first request with it is still running, or it created an API key, whose value is not shown twice.',
    remedy: 'Use a new `Idempotency-Key` for a new request.',
  },
  REVIEW_CLAIMED: {
    when: 'Another administrator has claimed the submission.',
    remedy: 'Wait until the claim expires, or take it over with `claimReview(takeOver: true)`.',
  },
  FINDINGS_OPEN: {
    when: 'An approval does not acknowledge, with a reason, a finding that needs one, such as a name that looks like that of a public app of another developer.',
    remedy:
      'Look at the findings with `needsReason`, and at what they are `about`. Then repeat the approval with their codes in `acknowledge` and a `reason`, or reject the submission.',
  },
  QUOTA_EXCEEDED: {
    when: 'A developer or account has reached a quota, such as the number of apps or of live keys.',
    remedy: 'Delete or revoke what is no longer needed. The message names the quota.',
  },
  DEVELOPER_EXISTS: {
    when: 'The account has already registered as a developer.',
    remedy: 'Read the profile with `me`.',
  },
  EMAIL_TAKEN: {
    when: 'Another developer uses the e-mail address.',
    remedy: 'Use a different address.',
  },
  PAYLOAD_TOO_LARGE: {
    when: 'The body is larger than 256 KiB, or than 8 KiB in a request for an event stream.',
    remedy: 'Send a smaller body. Images are not uploaded here: send their URLs.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    when: 'The body has another content type than JSON in UTF-8.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  RATE_LIMITED: {
    when: 'A rate limit of the key, account or address is used up: requests, or the time that the database has worked for them (`database`). The headers `RateLimit` and `RateLimit-Policy` announce it.',
    remedy: 'Wait as many seconds as `Retry-After` says.',
  },
  HEADERS_TOO_LARGE: {
    when: 'The headers of the request are larger than 16 KiB.',
    remedy: 'Send fewer or shorter headers; often a cookie is too large.',
  },
  INTERNAL: {
    when: 'The service has failed unexpectedly. The cause is only in its log.',
    remedy: 'Try again. If the error continues, contact the operator with the `requestId`.',
  },
  UNAVAILABLE: {
    when: 'The database cannot be reached, another request is changing the same data, or the service is overloaded or stopping.',
    remedy: 'Try again after the seconds in `Retry-After`.',
  },
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
    Object.entries(errorMeanings).map(([code, { when, remedy }]) => [
      code,
      { description: `${when} ${remedy}` },
    ]),
  ),
});

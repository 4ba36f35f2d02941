import { type ErrorBody, type ErrorCode, type ErrorDetail, errorStatus } from '../../errors.js';

/** The documentation of an error code. A test causes each error and compares the response with the example. */
interface ErrorDescription {
  /** When the error occurs. */
  when: string;
  /** The action that the client should take. */
  remedy: string;
  message: string;
  details?: readonly ErrorDetail[];
}

const exampleTime = '2026-05-31T12:00:00.000Z';

/** All error codes, for docs/errors.md and the examples of the OpenAPI document. */
export const errorReference: Record<ErrorCode, ErrorDescription> = {
  VALIDATION_FAILED: {
    when: 'A field, a query parameter or a header is not valid, or a field is unknown. All problems are listed at once, the first 50 of them in `details`.',
    remedy: 'Correct the fields that `details` names. `field` is a path such as `screenshots.0.url`.',
    message: 'The input is not valid: see details.',
    details: [
      { field: 'name', code: 'too_short', message: 'name must not be empty.' },
      {
        field: 'screenshots.0.url',
        code: 'invalid_url',
        message: 'url must be an address that starts with http:// or https://.',
      },
    ],
  },
  MALFORMED_JSON: {
    when: 'The body is not JSON, is not an object, is nested too deeply, or was cut off.',
    remedy: 'Send a JSON object.',
    message: 'The body is not valid JSON. Check quotes, commas and brackets.',
  },
  QUERY_TOO_COMPLEX: {
    when: 'A GraphQL document exceeds a limit, such as its cost, depth or length. The message names the limit, the value and the maximum.',
    remedy: 'Select fewer fields, request smaller pages, or split the document.',
    message:
      'The limit of cost is 10000, and this document has 13261. Select fewer fields, or split the document into several requests.',
    details: [
      {
        field: 'cost',
        code: 'limit_exceeded',
        message:
          'The limit of cost is 10000, and this document has 13261. Select fewer fields, or split the document into several requests.',
      },
    ],
  },
  UNAUTHENTICATED: {
    when: 'There is no credential, or one of a kind that the operation does not accept.',
    remedy: 'Send the credential that the message names, as `Authorization: Bearer …`.',
    message: 'This needs an API key, sent as "Authorization: Bearer …".',
  },
  INVALID_API_KEY: {
    when: 'The API key does not exist, or was copied incompletely.',
    remedy: 'Check the key, or create a new one.',
    message: 'There is no such API key. Check that it was copied whole, or create a new one.',
  },
  API_KEY_EXPIRED: {
    when: 'The API key has passed its `expiresAt`.',
    remedy:
      'Create a new key, or rotate keys before they expire: the header `X-Api-Key-Expires` announces it.',
    message: `This API key expired on ${exampleTime}. Create a new one.`,
  },
  API_KEY_REVOKED: {
    when: 'The API key was revoked, by its developer or after a leak report.',
    remedy: 'Create a new key.',
    message: `This API key was revoked on ${exampleTime}. Create a new one.`,
  },
  INVALID_TOKEN: {
    when: 'The account token is expired, has a wrong signature, issuer or audience, or is no token at all.',
    remedy: 'Sign in again at the identity provider to get a new token.',
    message:
      'The credential is neither an API key nor a valid account token of https://id.example.com. Sign in again to get a new one.',
  },
  INSUFFICIENT_SCOPE: {
    when: 'The API key does not have the scope that the operation needs.',
    remedy: 'Create a key with the scope that the message names.',
    message: 'This needs a key with the scope APP_CREATE; your key has APP_READ. Create a key that has it.',
  },
  DEVELOPER_NOT_REGISTERED: {
    when: 'The account of the token has not registered as a developer.',
    remedy: 'Call `registerDeveloper` first.',
    message:
      'This account has not registered as a developer. Call registerDeveloper (POST /api/dev/register) first.',
  },
  DEVELOPER_NOT_VERIFIED: {
    when: 'The operation needs a verified developer: creating a key, or submitting an app.',
    remedy: 'Wait until an administrator has verified the account. The developer gets an e-mail.',
    message:
      'An administrator must verify this developer account first, usually within 24 hours. You will get an e-mail.',
  },
  DEVELOPER_SUSPENDED: {
    when: 'An administrator has suspended the developer.',
    remedy: 'Contact the support of the marketplace.',
    message: 'This developer account is suspended, and its keys do not work. Contact support.',
  },
  ACCOUNT_MISMATCH: {
    when: 'The `accountUserId` of a registration is not the account of the token.',
    remedy: 'Register the account that is signed in.',
    message: 'The token belongs to the account "newcomer": register that one, or sign in with the other.',
  },
  FORBIDDEN: {
    when: 'The caller may not do this: only administrators may, or nobody may do it for themselves, or another site sent the request through a browser.',
    remedy: 'Use an account that may do it. The message names the rule.',
    message: 'Only administrators may do this. Sign in with an account that has the administrator role.',
  },
  NOT_FOUND: {
    when: 'The resource does not exist, or the caller may not see it: both get the same response. Also for unknown paths.',
    remedy: 'Check the id, the slug or the path.',
    message: 'There is no such app, or you may not see it. Check its id or slug.',
  },
  METHOD_NOT_ALLOWED: {
    when: 'The path exists, but not with this HTTP method.',
    remedy: 'Use a method that the header `Allow` lists.',
    message: 'PATCH is not possible here. Use one of: GET, HEAD, OPTIONS.',
  },
  REQUEST_TIMEOUT: {
    when: 'The headers took more than 10 seconds, or the whole request more than 30 seconds.',
    remedy: 'Send the request again. Nothing was done.',
    message: 'The request did not arrive whole in time. Send it again.',
  },
  APP_APPROVED: {
    when: 'An approved app is changed or deleted.',
    remedy: 'Create a new version with `createAppVersion` and submit it.',
    message:
      'The app is approved, so it can be neither changed nor deleted. Create a new version and submit it for review (createAppVersion in GraphQL), or ask support for a small edit.',
  },
  APP_SUSPENDED: {
    when: 'An app that an administrator has taken down is changed or deleted.',
    remedy: 'Contact the support of the marketplace.',
    message:
      'The app was taken down by an administrator, so it can be neither changed nor deleted. Contact support; once it is restored, submit a new version.',
  },
  INVALID_TRANSITION: {
    when: 'The state of the resource does not allow the operation, such as submitting an app that is already in review.',
    remedy: 'Read the resource again. `allowedActions` in GraphQL lists what is possible now.',
    message:
      'The app is PENDING: "submit" is possible only when it is DRAFT or REJECTED. Read its status again.',
  },
  REVISION_CONFLICT: {
    when: 'The resource has changed since the client read the revision that it sent (`If-Match`, `revision`).',
    remedy: 'Read the resource again, and repeat the request with the new revision if it still applies.',
    message:
      'It has changed since you read it: it is at revision 1. Read it again, and repeat the request if it still applies.',
  },
  IDEMPOTENCY_CONFLICT: {
    when: 'The `Idempotency-Key` was used with another body, the first request with it is still running, or it created an API key, whose value is not shown twice.',
    remedy: 'Use a new `Idempotency-Key` for a new request.',
    message:
      'This Idempotency-Key was used here with another body within the last 24 hours. Use a new key for a new request.',
    details: [
      {
        field: 'Idempotency-Key',
        code: 'other_body',
        message:
          'This Idempotency-Key was used here with another body within the last 24 hours. Use a new key for a new request.',
      },
    ],
  },
  REVIEW_CLAIMED: {
    when: 'Another administrator has claimed the submission.',
    remedy: 'Wait until the claim expires, or take it over with `claimReview(takeOver: true)`.',
    message: `Another administrator has claimed this submission until ${exampleTime}. Wait, or take it over with claimReview(takeOver: true).`,
  },
  QUOTA_EXCEEDED: {
    when: 'A developer has reached a quota, such as the number of apps or of live keys.',
    remedy: 'Delete or revoke what is no longer needed. The message names the quota.',
    message:
      'A developer can have at most 2 apps, in any state, and you have 2. Delete a draft that you no longer need.',
  },
  DEVELOPER_EXISTS: {
    when: 'The account has already registered as a developer.',
    remedy: 'Read the profile with `me`.',
    message:
      'This account is already registered. Query `me` in GraphQL with the same token, or GET /api/dev/me with an API key.',
  },
  EMAIL_TAKEN: {
    when: 'Another developer uses the e-mail address.',
    remedy: 'Use a different address.',
    message: 'Another developer uses this e-mail address. Use a different one.',
    details: [{ field: 'email', code: 'taken', message: 'email is used by another developer.' }],
  },
  PAYLOAD_TOO_LARGE: {
    when: 'The body is larger than 256 KiB, or than 8 KiB in a request for an event stream.',
    remedy: 'Send a smaller body. Images are not uploaded here: send their URLs.',
    message: 'The body is larger than 256 KiB. Send less.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    when: 'The body has another content type than JSON in UTF-8.',
    remedy: 'Send `Content-Type: application/json`.',
    message: 'The body must be JSON in UTF-8, sent with "Content-Type: application/json".',
  },
  RATE_LIMITED: {
    when: 'A rate limit of the key, account or address is used up. The headers `RateLimit` and `RateLimit-Policy` announce it.',
    remedy: 'Wait as many seconds as `Retry-After` says.',
    message: 'The limit "public" of 60000 per minute for this address is used up. Try again in 12 seconds.',
  },
  HEADERS_TOO_LARGE: {
    when: 'The headers of the request are larger than 16 KiB.',
    remedy: 'Send fewer or shorter headers; often a cookie is too large.',
    message: 'The headers are larger than 16 KiB. Send less.',
  },
  INTERNAL: {
    when: 'The service has failed unexpectedly. The cause is only in its log.',
    remedy: 'Try again. If the error continues, contact the operator with the `requestId`.',
    message:
      'Something went wrong on our side. Try again. If the error continues, contact support with the request id.',
  },
  UNAVAILABLE: {
    when: 'The database cannot be reached, or the service is overloaded or stopping.',
    remedy: 'Try again after the seconds in `Retry-After`.',
    message: 'The database cannot be reached right now. Try again in a few seconds.',
  },
};

/** Returns an example of an error body. */
export function exampleError(code: ErrorCode): ErrorBody {
  const { message, details = [] } = errorReference[code];
  return { error: { code, message, details, requestId: '0198c5b4-3c1e-4f5e-9d49-1f8f6a1f0b3a' } };
}

/** Returns docs/errors.md. */
export function errorsText(): string {
  const entries = Object.entries(errorReference).map(([code, { when, remedy }]) =>
    [
      `## ${code}`,
      '',
      `HTTP ${errorStatus[code as ErrorCode]}. ${when}`,
      '',
      `**What to do:** ${remedy}`,
      '',
      '```json',
      JSON.stringify(exampleError(code as ErrorCode), null, 2),
      '```',
      '',
    ].join('\n'),
  );
  return `${[introduction, ...entries].join('\n').trimEnd()}\n`;
}

const introduction = `# Errors

Every error has a code from this list. Decide by \`code\`: messages are for people and may change. REST sends the body below
with the given HTTP status. GraphQL sends the message in \`errors[]\` and \`code\`, \`details\` and \`requestId\` in its
\`extensions\`, with HTTP 200 if the document could be run. Give the \`requestId\` to the operator, who finds it in the log.

This page is generated by \`npm run schema\`. A test causes every error over HTTP and compares it with the example.
`;

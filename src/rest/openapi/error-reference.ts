import { type ErrorBody, type ErrorCode, type ErrorDetail, errorStatus } from '../../errors.js';
import { errorMeanings } from '../../operations/error-code.types.js';

/** An example of an error: its message, with details if it has some. A test causes each error and compares the response with it. */
type ErrorExample = string | { message: string; details: readonly ErrorDetail[] };

/** An error with one detail, which has the same message. */
const withDetail = (field: string, code: string, message: string): ErrorExample => ({
  message,
  details: [{ field, code, message }],
});

const exampleTime = '2026-05-31T12:00:00.000Z';

/** An example of each error, for docs/errors.md and the OpenAPI document. */
const examples: Record<ErrorCode, ErrorExample> = {
  VALIDATION_FAILED: {
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
  MALFORMED_JSON: 'The body is not valid JSON. Check quotes, commas and brackets.',
  QUERY_TOO_COMPLEX: withDetail(
    'cost',
    'limit_exceeded',
    'The limit of cost is 10000, and this document has 13261. Select fewer fields, or split the document into several requests.',
  ),
  UNAUTHENTICATED: 'This needs an API key, sent as "Authorization: Bearer …".',
  INVALID_API_KEY: 'There is no such API key. Check that it was copied whole, or create a new one.',
  API_KEY_EXPIRED: `This API key expired on ${exampleTime}. Create a new one.`,
  API_KEY_REVOKED: `This API key was revoked on ${exampleTime}. Create a new one.`,
  INVALID_TOKEN:
    'The credential is neither an API key nor a valid account token of https://id.example.com. Sign in again for a new token, or check the key.',
  INSUFFICIENT_SCOPE:
    'This needs a key with the scope APP_CREATE; your key has APP_READ. Create a key that has it.',
  DEVELOPER_NOT_REGISTERED:
    'This account has not registered as a developer. Call registerDeveloper (POST /api/dev/register) first.',
  DEVELOPER_NOT_VERIFIED:
    'An administrator must verify this developer account first, usually within 24 hours. You will get an e-mail.',
  DEVELOPER_SUSPENDED: 'This developer account is suspended, and its keys do not work. Contact support.',
  ACCOUNT_MISMATCH:
    'The token belongs to the account "newcomer": register that one, or sign in with the other.',
  FORBIDDEN: 'Only administrators may do this. Sign in with an account that has the administrator role.',
  NOT_FOUND: 'There is no such app, or you may not see it. Check its id or slug.',
  METHOD_NOT_ALLOWED: 'PATCH is not possible here. Use one of: GET, HEAD, OPTIONS.',
  REQUEST_TIMEOUT: 'The request did not arrive whole in time. Send it again.',
  APP_APPROVED:
    'The app is approved, so it can be neither changed nor deleted. Create a new version and submit it for review (createAppVersion in GraphQL), or ask support for a small edit.',
  APP_SUSPENDED:
    'The app was taken down by an administrator, so it can be neither changed nor deleted. Contact support; once it is restored, submit a new version.',
  INVALID_TRANSITION:
    'The app is PENDING: "submit" is possible only when it is DRAFT or REJECTED. Read its status again.',
  REVISION_CONFLICT:
    'It has changed since you read it: it is at revision 1. Read it again, and repeat the request if it still applies.',
  IDEMPOTENCY_CONFLICT: withDetail(
    'Idempotency-Key',
    'other_body',
    'This Idempotency-Key was used here with another body within the last 24 hours. Use a new key for a new request.',
  ),
  REVIEW_CLAIMED: `Another administrator has claimed this submission until ${exampleTime}. Wait, or take it over with claimReview(takeOver: true).`,
  FINDINGS_OPEN: {
    message:
      'Its name could deceive users. To approve it nevertheless, acknowledge the findings (duplicate) and give a reason.',
    details: [
      {
        field: 'name',
        code: 'duplicate',
        message: 'Another developer has a public app whose name looks the same: "Time Tracker".',
      },
    ],
  },
  QUOTA_EXCEEDED:
    'A developer can have at most 2 apps, in any state, and you have 2. Delete a draft that you no longer need.',
  DEVELOPER_EXISTS:
    'This account is already registered. Query `me` in GraphQL with the same token, or GET /api/dev/me with an API key.',
  EMAIL_TAKEN: {
    message: 'Another developer uses this e-mail address. Use a different one.',
    details: [{ field: 'email', code: 'taken', message: 'email is used by another developer.' }],
  },
  PAYLOAD_TOO_LARGE: 'The body is larger than 256 KiB. Send less.',
  UNSUPPORTED_MEDIA_TYPE: 'The body must be JSON in UTF-8, sent with "Content-Type: application/json".',
  RATE_LIMITED:
    'The limit "public" of 60000 per minute for this address is used up. Try again in 12 seconds.',
  HEADERS_TOO_LARGE: 'The headers are larger than 16 KiB. Send less.',
  INTERNAL:
    'Something went wrong on our side. Try again. If the error continues, contact support with the request id.',
  UNAVAILABLE: 'The database cannot be reached right now. Try again in a few seconds.',
};

/** Returns an example of an error body. */
export function exampleError(code: ErrorCode): ErrorBody {
  const example = examples[code];
  const { message, details } = typeof example === 'string' ? { message: example, details: [] } : example;
  return { error: { code, message, details, requestId: '0198c5b4-3c1e-4f5e-9d49-1f8f6a1f0b3a' } };
}

/** Returns docs/errors.md. */
export function errorsText(): string {
  const entries = Object.entries(errorMeanings).map(([code, { when, remedy }]) => {
    const { message, details } = exampleError(code as ErrorCode).error;
    const fields = details.map((detail) => `\`${detail.field}\` (\`${detail.code}\`)`).join(', ');
    return [
      `## ${code}`,
      '',
      `HTTP ${errorStatus[code as ErrorCode]}. ${when}`,
      '',
      `**What to do:** ${remedy}`,
      '',
      `> ${message}${fields && ` In \`details\`: ${fields}.`}`,
      '',
    ].join('\n');
  });
  return `${[introduction, ...entries].join('\n').trimEnd()}\n`;
}

const introduction = `# Errors

Every error has a code from this list. Decide by \`code\`: messages are for people and may change. REST sends this body
with the HTTP status of the code:

\`\`\`json
${JSON.stringify(exampleError('VALIDATION_FAILED'), null, 2)}
\`\`\`

GraphQL sends the message in \`errors[]\` and \`code\`, \`details\` and \`requestId\` in its \`extensions\`, with HTTP 200 if the
document could be run. Give the \`requestId\` to the operator, who finds it in the log.

This page is generated by \`npm run schema\`. A test causes every error over HTTP and compares it with the message here.
`;

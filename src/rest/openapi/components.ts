import { errorStatus } from '../../errors.js';
import type { JsonSchema } from './json-schema.js';

/** The two kinds of credential of REST. */
export const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key (`mkt_…`). `POST /api/dev/api-keys` returns its value once.',
  },
  accountToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'An account token: a JWT of the host platform\'s identity provider. In development, `POST /dev/token` with `{ "accountUserId": "ada" }` returns one. Signature, algorithm, issuer, audience and expiry are always checked, as RFC8725 requires.',
  },
};

const textHeader = (description: string, example: string) => ({
  description,
  schema: { type: 'string' },
  example,
});

/** Response headers. */
export const headers = {
  'X-Request-Id': textHeader(
    'The id of this request: the value of its own `X-Request-Id`, or a new UUID. Mention it when you report a problem.',
    '0198c5b4-3c1e-4f5e-9d49-1f8f6a1f0b3a',
  ),
  'X-Ignored-Fields': textHeader(
    'Fields of the body that this operation does not accept and that had no effect, separated by commas.',
    'status, featured',
  ),
  ETag: textHeader(
    'Version of the response. Send it as `If-None-Match` to revalidate a public response, or as `If-Match` to change one of your apps only if it has not changed.',
    '"3"',
  ),
  Link: textHeader(
    'URLs of the first, previous, next and last page (RFC 8288).',
    '<https://marketplace.example/api/apps?page=2&limit=20>; rel="next"',
  ),
  RateLimit: textHeader(
    'Each rate limit that this request was counted against: the number left (`r`) and the seconds until it is reset (`t`).',
    '"public";r=59999;t=60',
  ),
  'RateLimit-Policy': textHeader(
    'The same rate limits: the quota (`q`) and the window in seconds (`w`).',
    '"public";q=60000;w=60',
  ),
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 3600 },
    example: 12,
  },
  'Idempotent-Replayed': {
    description:
      '`true` if this is the stored response to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  'X-Api-Key-Expires': {
    description: 'When the API key of this request expires; present if less than 14 days are left.',
    schema: { type: 'string', format: 'date-time' },
    example: '2026-05-31T12:00:00.000Z',
  },
  Deprecation: textHeader('Since when this operation is deprecated (RFC 9745).', '@1767225600'),
  Sunset: textHeader('When this operation will be removed (RFC 8594).', 'Wed, 01 Jul 2026 00:00:00 GMT'),
  'WWW-Authenticate': textHeader(
    'The kind of credential that is required.',
    'Bearer realm="marketplace-gateway"',
  ),
};

/** Request headers. */
export const headerParameters = {
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The ETag of the app as you read it. If the app has changed since, the response is REVISION_CONFLICT.',
    schema: { type: 'string', maxLength: 8192 },
    example: '"3"',
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes retries safe: within 24 hours, the same request with the same key is executed once and returns the first response again.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7E]+$' },
    example: '7d0f6a52-6c1c-4e0e-9a51-6a0c8f3f7c11',
  },
};

const text = (description: string) => ({ type: 'string', description });

/** The body of every error. */
export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'The body of every error.',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'details', 'requestId'],
      properties: {
        code: {
          type: 'string',
          enum: Object.keys(errorStatus),
          description: 'The kind of error. Clients should decide by this code.',
        },
        message: text('What is wrong and what to do next, for people.'),
        details: {
          type: 'array',
          description: 'The problems of the input, at most 50; empty for other errors.',
          items: {
            type: 'object',
            required: ['field', 'code', 'message'],
            properties: {
              field: text('Path of the field, such as `screenshots.0.url`.'),
              code: text('The kind of problem, such as `too_long`.'),
              message: text('What is wrong with the field and what to do, for people.'),
            },
          },
        },
        requestId: text('The id of the request: mention it when you report a problem.'),
      },
    },
  },
};

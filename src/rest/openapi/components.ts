import { errorStatus } from '../../errors.js';
import type { JsonSchema } from './json-schema.js';

/** How callers say who they are. */
export const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key (`mkt_…`), as `POST /api/dev/api-keys` answers it once.',
  },
  accountToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'An account token: a JWT of the host platform\'s identity provider. In development, `POST /dev/token` with `{ "accountUserId": "ada" }` gives one. Checked as RFC8725 asks: signature, algorithm, issuer, audience and expiry, always.',
  },
};

/** The headers of answers. */
export const headers = {
  'X-Request-Id': {
    description: 'The id of this request: the one it came with, or a new one.',
    schema: { type: 'string' },
    example: '0198c5b4-3c1e-4f5e-9d49-1f8f6a1f0b3a',
  },
  'X-Ignored-Fields': {
    description: 'Fields of the body that had no effect here.',
    schema: { type: 'string' },
    example: 'status, featured',
  },
  ETag: {
    description: 'What to send as `If-None-Match`, or for an app of your own as `If-Match`.',
    schema: { type: 'string' },
    example: '"3"',
  },
  Link: {
    description: 'The first, previous, next and last page.',
    schema: { type: 'string' },
    example: '<https://marketplace.example/api/apps?page=2&limit=20>; rel="next"',
  },
  RateLimit: {
    description:
      'What is left of each limit that this request was counted against, and in how many seconds it is whole again.',
    schema: { type: 'string' },
    example: '"public";r=11999;t=60',
  },
  'RateLimit-Policy': {
    description: 'Those limits: how much (`q`) in how many seconds (`w`).',
    schema: { type: 'string' },
    example: '"public";q=12000;w=60',
  },
  'Retry-After': {
    description: 'In how many seconds to try again.',
    schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 3600 },
    example: 12,
  },
  'Idempotent-Replayed': {
    description: '`true` where this is the answer to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  'X-Api-Key-Expires': {
    description: 'When the API key of this request stops working; sent when less than 14 days are left.',
    schema: { type: 'string', format: 'date-time' },
    example: '2026-05-31T12:00:00.000Z',
  },
  Deprecation: {
    description: 'Since when this is not to be used any more (RFC 9745).',
    schema: { type: 'string' },
    example: '@1767225600',
  },
  Sunset: {
    description: 'When this will be gone (RFC 8594).',
    schema: { type: 'string' },
    example: 'Wed, 01 Jul 2026 00:00:00 GMT',
  },
  'WWW-Authenticate': {
    description: 'Which credential is wanted.',
    schema: { type: 'string' },
    example: 'Bearer realm="marketplace-gateway"',
  },
};

/** What a caller may send with a request besides its input. */
export const headerParameters = {
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'Refuse with REVISION_CONFLICT unless the app is still at this revision.',
    schema: { type: 'string', maxLength: 8192 },
    example: '"3"',
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes it safe to ask again: within 24 hours the same request with the same key is answered as the first time, and done once.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7E]+$' },
    example: '7d0f6a52-6c1c-4e0e-9a51-6a0c8f3f7c11',
  },
};

/** The body of every refusal. */
export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'The body of every refusal.',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'details', 'requestId'],
      properties: {
        code: { type: 'string', enum: Object.keys(errorStatus), description: 'Which refusal it is.' },
        message: { type: 'string', description: 'What is wrong and what to do next.' },
        details: {
          type: 'array',
          description: 'Every problem of the input at once; empty when there is nothing to list.',
          items: {
            type: 'object',
            required: ['field', 'code', 'message'],
            properties: {
              field: { type: 'string', description: 'Where, such as `screenshots.0.url`.' },
              code: { type: 'string', description: 'Which kind of problem.' },
              message: { type: 'string', description: 'What to do about it.' },
            },
          },
        },
        requestId: { type: 'string', description: 'The id of the request, for support.' },
      },
    },
  },
};

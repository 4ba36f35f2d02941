import { errorStatus } from '../errors.js';
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
  'WWW-Authenticate': {
    description: 'Which credential is wanted.',
    schema: { type: 'string' },
    example: 'Bearer realm="marketplace-gateway"',
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

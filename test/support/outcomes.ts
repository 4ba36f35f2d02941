import { expect } from '@jest/globals';
import type { Outcome } from './api-client.js';

/** The documented status of each error code, independent of the source. */
export const statusOfCode = {
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
  APP_APPROVED: 409,
  APP_SUSPENDED: 409,
  INVALID_TRANSITION: 409,
  REVISION_CONFLICT: 409,
  DEVELOPER_EXISTS: 409,
  EMAIL_TAKEN: 409,
  IDEMPOTENCY_CONFLICT: 409,
  QUOTA_EXCEEDED: 409,
  REVIEW_CLAIMED: 409,
  FINDINGS_OPEN: 409,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const;

/** Expects an error with this code, its status (200 in GraphQL), and exactly these problems: `field: code`. */
export function expectError(
  outcome: Outcome<unknown>,
  code: keyof typeof statusOfCode,
  problems: string[] = [],
): void {
  const { api, status, details, message } = outcome;
  expect({
    code: outcome.code,
    status,
    problems: details.map((detail) => `${detail.field}: ${detail.code}`).sort(),
  }).toEqual({ code, status: api === 'rest' ? statusOfCode[code] : 200, problems: [...problems].sort() });
  for (const sentence of [message, ...details.map((detail) => detail.message)]) {
    expect(sentence).toMatch(/^\S.*[.!?}]$/s);
  }
}

/** Expects a successful call, and returns its data. */
export function expectSuccess<T>(outcome: Outcome<T>, restStatus: 200 | 201 = 200): T {
  const { api, code, message, details, status } = outcome;
  expect({ code, message, details, status }).toEqual({
    code: null,
    message: '',
    details: [],
    status: api === 'rest' ? restStatus : 200,
  });
  return outcome.data;
}

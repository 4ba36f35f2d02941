import { expect } from '@jest/globals';
import type { Outcome } from './doors.js';

/** The table of error codes as the contract states it, whatever the code believes. */
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
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const;

/** The operation refused, with this code, its status (200 in GraphQL), and exactly these problems: `field: code`. */
export function expectRefusal(
  outcome: Outcome<unknown>,
  code: keyof typeof statusOfCode,
  problems: string[] = [],
): void {
  const { door, status, details, message } = outcome;
  expect({
    code: outcome.code,
    status,
    problems: details.map((detail) => `${detail.field}: ${detail.code}`).sort(),
  }).toEqual({ code, status: door === 'rest' ? statusOfCode[code] : 200, problems: [...problems].sort() });
  for (const sentence of [message, ...details.map((detail) => detail.message)]) {
    expect(sentence).toMatch(/^\S.*[.!?}]$/s);
  }
}

/** The operation did what it was asked. */
export function expectSuccess(outcome: Outcome<unknown>, restStatus: 200 | 201 = 200): void {
  const { door, code, message, details, status } = outcome;
  expect({ code, message, details, status }).toEqual({
    code: null,
    message: '',
    details: [],
    status: door === 'rest' ? restStatus : 200,
  });
}

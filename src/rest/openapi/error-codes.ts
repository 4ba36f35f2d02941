import type { ErrorCode } from '../../errors.js';
import type { Route } from '../route.js';

const deadCredentials: ErrorCode[] = [
  'UNAUTHENTICATED',
  'INVALID_API_KEY',
  'API_KEY_EXPIRED',
  'API_KEY_REVOKED',
  'INVALID_TOKEN',
];

/** Returns every error code of a route, in the order of the checks. */
export function errorCodesOf({ operation, method, bodyFields, queryFields }: Route): ErrorCode[] {
  const { policy } = operation;
  const takesBody = method === 'POST' || bodyFields.length > 0;
  return [
    ...new Set<ErrorCode>([
      // For a request from a page of another site without a JSON content type (D102).
      ...(method === 'GET' ? [] : (['FORBIDDEN'] as const)),
      ...(takesBody ? (['MALFORMED_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
      ...(policy.kind === 'anyone' ? [] : deadCredentials),
      ...(policy.kind === 'developer' ? (['DEVELOPER_SUSPENDED'] as const) : []),
      ...(policy.kind === 'developer' && policy.accountTokenOverRest
        ? (['DEVELOPER_NOT_REGISTERED'] as const)
        : []),
      ...(policy.scope ? (['INSUFFICIENT_SCOPE'] as const) : []),
      ...(policy.mustBeVerified ? (['DEVELOPER_NOT_VERIFIED'] as const) : []),
      ...(takesBody || queryFields.length > 0 ? (['VALIDATION_FAILED'] as const) : []),
      ...(operation.errors ?? []),
      ...(method === 'POST' ? (['IDEMPOTENCY_CONFLICT'] as const) : []),
      ...(method === 'POST' && policy.kind === 'developer' ? (['QUOTA_EXCEEDED'] as const) : []),
      'RATE_LIMITED',
      'INTERNAL',
      'UNAVAILABLE',
    ]),
  ];
}

import { anyone, developer } from '../../auth/policy.js';
import { Nothing } from '../../operations/input.js';
import { inInput, mutation, query } from '../../operations/operation.js';
import { ApiKey } from './api-key.entity.js';
import { CreateApiKey, LeakedKey, RevokeApiKey, RotateApiKey } from './api-key.input.js';
import { IssuedApiKey, LeakReport } from './api-key.types.js';

const issuedKey = ({ maskedKey, id }: IssuedApiKey) => `the API key ${maskedKey} (id ${id})`;

export const createApiKey = mutation({
  summary: 'Creates an API key. Its full value is in this response and is never shown again.',
  rest: 'POST /api/dev/api-keys',
  status: 201,
  limit: 'credentials',
  catalog: 'none',
  policy: developer(null, { mustBeVerified: true, accountTokenOverRest: true }),
  input: CreateApiKey,
  grouped: inInput('CreateApiKeyInput', 'The API key to create.', CreateApiKey),
  output: IssuedApiKey,
  shownOnce: issuedKey,
  errors: ['INSUFFICIENT_SCOPE', 'QUOTA_EXCEEDED'],
  problems: ({ apiKeys }, caller, { expiresInDays }) => apiKeys.problemsOfLifetime(caller, expiresInDays),
  run: ({ apiKeys }, caller, input) => apiKeys.create(caller, input),
});

export const myApiKeys = query({
  summary:
    "Lists the caller's API keys, masked, newest first: all active keys, and the 100 that expired or were revoked last.",
  rest: 'GET /api/dev/api-keys',
  collection: 'apiKeys',
  policy: developer(null),
  input: Nothing,
  output: [ApiKey],
  run: ({ apiKeys }, caller) => apiKeys.list(caller),
});

export const revokeApiKey = mutation({
  summary: 'Revokes an API key permanently.',
  rest: 'DELETE /api/dev/api-keys/:id',
  catalog: 'none',
  policy: developer(null),
  input: RevokeApiKey,
  // REST clients rotate a key by creating one with it and then revoking it, which must not revoke the new one.
  graphqlFields: ['descendants'],
  output: ApiKey,
  errors: ['NOT_FOUND'],
  run: ({ apiKeyRevocation }, caller, input) => apiKeyRevocation.revoke(caller, input),
});

export const rotateApiKey = mutation({
  summary:
    'Replaces an API key by a new one of the same name, scopes and lifetime. The old key keeps working for a grace period.',
  limit: 'credentials',
  catalog: 'none',
  policy: developer(null, { mustBeVerified: true }),
  input: RotateApiKey,
  output: IssuedApiKey,
  shownOnce: issuedKey,
  errors: ['NOT_FOUND', 'INSUFFICIENT_SCOPE', 'INVALID_TRANSITION', 'QUOTA_EXCEEDED'],
  run: ({ apiKeys }, caller, input) => apiKeys.rotate(caller, input),
});

export const reportLeakedKey = mutation({
  summary:
    'Revokes an API key that was found in public, with all its descendants, and notifies its owner. The key itself is the only proof needed.',
  limit: 'credentials',
  catalog: 'none',
  policy: anyone,
  input: LeakedKey,
  output: LeakReport,
  errors: ['NOT_FOUND'],
  run: ({ apiKeyRevocation }, _caller, { key }) => apiKeyRevocation.reportLeak(key),
});

import { anyone, developer } from '../../auth/policy.js';
import { Nothing } from '../../operations/input.js';
import { mutation, query } from '../../operations/operation.js';
import { ApiKey } from './api-key.entity.js';
import { CreateApiKey, LeakedKey, RevokeApiKey, RotateApiKey } from './api-key.input.js';
import { IssuedApiKey, LeakReport } from './api-key.types.js';

export const createApiKey = mutation({
  summary: 'Creates an API key; its full value is in this answer and never again.',
  rest: 'POST /api/dev/api-keys',
  status: 201,
  limit: 'credentials',
  catalog: 'none',
  policy: developer(null, { mustBeVerified: true, accountTokenOverRest: true }),
  input: CreateApiKey,
  output: IssuedApiKey,
  shownOnce: ({ maskedKey, id }: IssuedApiKey) => `the API key ${maskedKey} (id ${id})`,
  errors: ['INSUFFICIENT_SCOPE', 'QUOTA_EXCEEDED'],
  problems: ({ apiKeys }, caller, { expiresInDays }) => apiKeys.problemsOfLife(caller, expiresInDays),
  run: ({ apiKeys }, caller, input) => apiKeys.create(caller, input),
});

export const myApiKeys = query({
  summary: "Lists the caller's API keys, masked, newest first: all that work, and the 100 that ended last.",
  rest: 'GET /api/dev/api-keys',
  collection: 'apiKeys',
  policy: developer(null),
  input: Nothing,
  output: [ApiKey],
  run: ({ apiKeys }, caller) => apiKeys.list(caller),
});

export const revokeApiKey = mutation({
  summary: 'Revokes an API key, for good.',
  rest: 'DELETE /api/dev/api-keys/:id',
  catalog: 'none',
  policy: developer(null),
  input: RevokeApiKey,
  // Making a key with the old one and then revoking the old one is how REST clients rotate.
  graphqlFields: ['descendants'],
  output: ApiKey,
  errors: ['NOT_FOUND'],
  run: ({ apiKeyRevocation }, caller, input) => apiKeyRevocation.revoke(caller, input),
});

export const rotateApiKey = mutation({
  summary:
    'Gives an API key a new value, as a new key of the same name, scopes and lifetime; the old one goes on for a while.',
  limit: 'credentials',
  catalog: 'none',
  policy: developer(null, { mustBeVerified: true }),
  input: RotateApiKey,
  output: IssuedApiKey,
  errors: ['NOT_FOUND', 'INSUFFICIENT_SCOPE', 'INVALID_TRANSITION', 'QUOTA_EXCEEDED'],
  run: ({ apiKeys }, caller, input) => apiKeys.rotate(caller, input),
});

export const reportLeakedKey = mutation({
  summary:
    'Revokes an API key that was found where it should not be, with all its descendants, and tells its owner. To hold it is proof enough.',
  limit: 'credentials',
  catalog: 'none',
  policy: anyone,
  input: LeakedKey,
  output: LeakReport,
  errors: ['NOT_FOUND'],
  run: ({ apiKeyRevocation }, _caller, { key }) => apiKeyRevocation.reportLeak(key),
});

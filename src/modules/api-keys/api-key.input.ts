import { z } from 'zod';
import { isWellFormedApiKey } from '../../auth/api-key-token.js';
import { Scope } from '../../auth/scope.js';
import { formatted, id, text } from '../../operations/input.js';

export const CreateApiKey = z.object({
  name: text({ max: 100 }).describe('A label to recognise the key by.'),
  scopes: z
    .array(z.enum(Scope))
    .min(1)
    .max(50)
    .describe('What the key may do; at least one. Duplicates are dropped.'),
  // Clamped to the integers that zod accepts, so that the service reports its own, lower maximum.
  expiresInDays: z
    .number()
    .overwrite((days) => Math.min(days, Number.MAX_SAFE_INTEGER))
    .int()
    .min(1)
    .nullish()
    .describe('How long it works, in days: 90 unless told, 365 at most.'),
});

export const ApiKeyId = z.object({ id: id('key') });

export const RevokeApiKey = ApiKeyId.extend({
  descendants: z
    .boolean()
    .nullish()
    .default(false)
    .describe('Whether to revoke also the keys that were made with it, directly or through other keys.'),
});

export const defaultGraceHours = 24;

export const RotateApiKey = ApiKeyId.extend({
  graceHours: z
    .int()
    .min(0)
    .max(168)
    .nullish()
    .describe(
      `For how many hours the old key goes on working beside the new one, unless it ends before: ${defaultGraceHours} unless told, 0 to 168.`,
    ),
});

export const LeakedKey = z.object({
  key: formatted(
    200,
    (value) => isWellFormedApiKey(value.trim()),
    'invalid_key',
    'must be a whole API key: mkt_ and 38 characters',
  )
    .overwrite((value) => value.trim())
    .describe('The key that was found, whole.'),
});

import { z } from 'zod';
import { isWellFormedApiKey } from '../../auth/api-key-token.js';
import { Scope } from '../../auth/scope.js';
import { formatted, id, text } from '../../operations/input.js';

export const CreateApiKey = z
  .object({
    name: text({ max: 100 }).describe('Label to recognise the key by, such as "CI pipeline".'),
    scopes: z
      .array(z.enum(Scope))
      .min(1)
      .max(50)
      .describe('The permissions of the key, at least one. Duplicates are ignored.'),
    // Clamped to the integers that zod accepts, so that the service reports its own, lower maximum.
    expiresInDays: z
      .number()
      .overwrite((days) => Math.min(days, Number.MAX_SAFE_INTEGER))
      .int()
      .min(1)
      .nullish()
      .describe('Lifetime of the key in days, at most 365. Default: 90.'),
  })
  .describe('The fields of a new API key.');

export const ApiKeyId = z.object({ id: id('key') });

export const RevokeApiKey = ApiKeyId.extend({
  descendants: z
    .boolean()
    .nullish()
    .default(false)
    .describe(
      'True to also revoke the keys that were created with this key, directly or through other keys.',
    ),
});

export const defaultGraceHours = 24;

export const RotateApiKey = ApiKeyId.extend({
  graceHours: z
    .int()
    .min(0)
    .max(168)
    .nullish()
    .describe(
      `Number of hours that the old key still works, from 0 to 168, unless it expires earlier. Default: ${defaultGraceHours}.`,
    ),
});

export const LeakedKey = z.object({
  key: formatted(
    200,
    (value) => isWellFormedApiKey(value.trim()),
    'invalid_key',
    'must be a complete API key: mkt_ and 38 characters',
  )
    .overwrite((value) => value.trim())
    .describe('The complete value of the leaked key.'),
});

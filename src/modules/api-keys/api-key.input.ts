import { z } from 'zod';
import { id, text } from '../../input.js';
import { Scope } from './api-key.entity.js';

export const CreateApiKey = z.object({
  name: text({ max: 100 }).describe('A label to recognise the key by.'),
  scopes: z
    .array(z.enum(Scope))
    .min(1)
    .max(50)
    .describe('What the key may do; at least one. Duplicates are dropped.'),
  expiresInDays: z
    .int()
    .min(1)
    .nullish()
    .describe('How long it works, in days: 90 unless told, 365 at most.'),
});

export const ApiKeyId = z.object({ id: id('key') });

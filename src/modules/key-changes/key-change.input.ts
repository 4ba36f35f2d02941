import { z } from 'zod';
import { formatted, id } from '../../operations/input.js';
import { isUndoToken } from '../developers/undo-token.rules.js';

export const KeyId = z.object({ keyId: id('key').describe('The id of a revoked API key.') });

export const UndoToken = z.object({
  token: formatted(
    200,
    (value) => isUndoToken(value),
    'invalid_token',
    'must be the token of the link in the mail',
  ).describe('The token of the link in the mail about the change.'),
});

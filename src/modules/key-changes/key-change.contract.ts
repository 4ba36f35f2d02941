import { anyone, developer } from '../../auth/policy.js';
import { mutation, query } from '../../operations/operation.js';
import { KeyId, UndoToken } from './key-change.input.js';
import { KeyChanges, UndoneProfileChange } from './key-change.types.js';

export const keyChanges = query({
  summary:
    'Lists what was done in the last 7 days with an API key and with the keys that were created with it.',
  policy: developer(null, { accountOnly: true }),
  input: KeyId,
  output: KeyChanges,
  nullable: true,
  // Up to 300 changes, each with the values of its fields.
  cost: 3_000,
  errors: ['NOT_FOUND'],
  run: ({ keyChanges: changes }, caller, { keyId }) => changes.list(caller, keyId),
});

export const undoKeyChanges = mutation({
  summary:
    'Undoes what a revoked API key, and the keys that were created with it, did to the profile and to webhooks in the last 7 days: revokes those of these keys that still work, restores the fields of the profile, and disables the endpoints. Everything else that they did is listed.',
  policy: developer(null, { accountOnly: true }),
  input: KeyId,
  output: KeyChanges,
  cost: 3_000,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  run: ({ keyChanges: changes }, caller, { keyId }) => changes.undo(caller, keyId),
});

export const undoProfileChange = mutation({
  summary:
    'Undoes a change of a developer profile by an API key, with the token of the link in the mail about it, and revokes the key with all its descendants. The token works once, for 7 days.',
  limit: 'credentials',
  // The database announces the changed profile; an invalid token must not empty everybody's cache.
  catalog: 'counts',
  policy: anyone,
  input: UndoToken,
  output: UndoneProfileChange,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  run: ({ profileUndo }, _caller, { token }) => profileUndo.undoByLink(token),
});

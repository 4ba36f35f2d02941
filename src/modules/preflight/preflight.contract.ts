import { developer } from '../../auth/policy.js';
import { Scope } from '../../auth/scope.js';
import { query } from '../../operations/operation.js';
import { ListingId } from './preflight.input.js';
import { Preflight } from './preflight.types.js';

export const preflight = query({
  summary:
    'Checks a listing as a submission would, pictures and links included, and tells all findings at once.',
  policy: developer(Scope.APP_READ),
  input: ListingId,
  output: Preflight,
  // It fetches every picture and link.
  cost: 1_000,
  errors: ['NOT_FOUND'],
  run: ({ preflight }, caller, { id }) => preflight.preflight(caller, id),
});

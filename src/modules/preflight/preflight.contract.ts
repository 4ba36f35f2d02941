import { developer } from '../../auth/policy.js';
import { Scope } from '../../auth/scope.js';
import { query } from '../../operations/operation.js';
import { ListingId } from './preflight.input.js';
import { Preflight } from './preflight.types.js';

export const preflight = query({
  summary:
    'Runs the checks of a submission on a listing, images and links included, and returns all findings.',
  policy: developer(Scope.APP_READ),
  input: ListingId,
  output: Preflight,
  // Every image and link is fetched.
  cost: 1_000,
  errors: ['NOT_FOUND'],
  run: ({ preflight }, caller, { id }) => preflight.preflight(caller, id),
});

import { z } from 'zod';
import { developer } from '../../auth/policy.js';
import { Scope } from '../../auth/scope.js';
import { id } from '../../operations/input.js';
import { query } from '../../operations/operation.js';
import { Preflight } from './preflight.types.js';

export const preflight = query({
  summary:
    'Runs the checks of a submission on a listing, images and links included, and returns all findings. What was fetched is used again: a file that was good for 5 minutes, one with a problem for a minute.',
  policy: developer(Scope.APP_READ),
  input: z.object({ id: id('app or version') }),
  output: Preflight,
  nullable: true,
  // Every image and link is fetched.
  cost: 1_000,
  oncePerDocument: true,
  errors: ['NOT_FOUND', 'QUOTA_EXCEEDED'],
  run: ({ preflight }, caller, { id }) => preflight.preflight(caller, id),
});

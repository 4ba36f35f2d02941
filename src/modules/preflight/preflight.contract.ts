import { z } from 'zod';
import { developer } from '../../auth/policy.js';
import { Scope } from '../../auth/scope.js';
import { id } from '../../operations/input.js';
import { query } from '../../operations/operation.js';
import { Preflight } from './preflight.types.js';

export const preflight = query({
  summary:
    'Runs the checks of a submission on a listing, images and links included, and returns all findings.',
  policy: developer(Scope.APP_READ),
  input: z.object({ id: id('app or version') }),
  output: Preflight,
  nullable: true,
  // Every image and link is fetched.
  cost: 1_000,
  errors: ['NOT_FOUND'],
  run: ({ preflight }, caller, { id }) => preflight.preflight(caller, id),
});

import { z } from 'zod';
import { developer } from '../../auth/policy.js';
import { Scope } from '../../auth/scope.js';
import { id } from '../../operations/input.js';
import { inInput, query } from '../../operations/operation.js';
import { CreateApp } from '../listings/listing.input.js';
import { Preflight } from './preflight.types.js';

export const preflight = query({
  summary:
    'Runs the checks of a submission on a listing, images and links included, and returns all findings. A fetched file is used again: a good one for 5 minutes, one with a problem for a minute.',
  policy: developer(Scope.APP_READ),
  input: z.object({ id: id('app or version') }),
  output: Preflight,
  nullable: true,
  // Every image and link is fetched.
  cost: 1_000,
  oncePerDocument: true,
  errors: ['NOT_FOUND', 'QUOTA_EXCEEDED'],
  pipelineApp: async ({ versions }, { id }) => (await versions.appIdOf(id)) ?? id,
  run: ({ preflight }, caller, { id }) => preflight.preflight(caller, id),
});

export const preflightListing = query({
  summary:
    'Runs the checks of a submission on a listing that is not stored, such as one in a file, and returns all findings. Nothing is created or changed.',
  policy: developer(Scope.APP_READ),
  input: CreateApp,
  grouped: inInput('PreflightListingInput', 'The listing to check: the fields of `createApp`.', CreateApp),
  output: Preflight,
  nullable: true,
  // Every image and link is fetched.
  cost: 1_000,
  oncePerDocument: true,
  errors: ['QUOTA_EXCEEDED'],
  problems: ({ publicLinks }, _caller, valid) => publicLinks.problemsOf(valid),
  // It reads nothing of any app.
  pipelineApp: () => 'any',
  run: ({ preflight }, caller, input) => preflight.preflightListing(caller, input),
});

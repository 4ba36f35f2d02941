import { developer } from '../../auth/policy.js';
import { Scope } from '../../auth/scope.js';
import { query } from '../../operations/operation.js';
import { AppId } from '../listings/listing.input.js';
import { AppAnalytics } from './analytics.types.js';

export const appAnalytics = query({
  summary: "Returns the usage figures of one of the caller's apps, whatever its status.",
  rest: 'GET /api/dev/apps/:id/analytics',
  replica: true,
  policy: developer(Scope.ANALYTICS_READ),
  input: AppId,
  output: AppAnalytics,
  nullable: true,
  errors: ['NOT_FOUND'],
  run: ({ analytics }, caller, { id }) => analytics.figures(caller, id),
});

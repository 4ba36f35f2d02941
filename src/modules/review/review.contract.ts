import { admin } from '../../auth/policy.js';
import { mutation, query } from '../../operation.js';
import { App } from '../apps/app.entity.js';
import { AppId } from '../apps/app.input.js';
import { AppIdAndReason, ApproveApp, EditApp, FeatureApp, RejectApp, ReviewQueue } from './review.input.js';
import { ReviewQueueConnection } from './review.types.js';

export const reviewQueue = query({
  summary: 'Lists the submissions that wait for a decision, oldest first.',
  policy: admin,
  input: ReviewQueue,
  output: ReviewQueueConnection,
  run: ({ review }, _caller, input) => review.queue(input),
});

export const approveApp = mutation({
  summary: 'Approves a submission: the app is public at once.',
  policy: admin,
  input: ApproveApp,
  output: App,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'REVISION_CONFLICT'],
  run: ({ review }, caller, input) => review.approve(caller, input),
});

export const rejectApp = mutation({
  summary: 'Rejects a submission, with reasons and guidance.',
  policy: admin,
  input: RejectApp,
  output: App,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'REVISION_CONFLICT'],
  run: ({ review }, caller, input) => review.reject(caller, input),
});

export const suspendApp = mutation({
  summary: 'Takes a public app down.',
  policy: admin,
  input: AppIdAndReason,
  output: App,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  run: ({ review }, caller, { id, reason }) => review.suspend(caller, id, reason),
});

export const restoreApp = mutation({
  summary: 'Makes an app that was taken down public again.',
  policy: admin,
  input: AppId,
  output: App,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  run: ({ review }, caller, { id }) => review.restore(caller, id),
});

export const featureApp = mutation({
  summary: 'Puts a public app on the featured list, or takes it off.',
  policy: admin,
  input: FeatureApp,
  output: App,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  run: ({ review }, caller, { id, featured }) => review.feature(caller, id, featured),
});

export const editApp = mutation({
  summary: "Corrects a public app's listing on the developer's behalf, with a reason.",
  policy: admin,
  input: EditApp,
  output: App,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  run: ({ review }, caller, input) => review.edit(caller, input),
});

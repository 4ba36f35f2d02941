import { admin, anyone, developer } from '../../auth/policy.js';
import { Scope } from '../../auth/scope.js';
import { Nothing } from '../../operations/input.js';
import { mutation, query } from '../../operations/operation.js';
import { App } from '../apps/app.entity.js';
import { AppId } from '../apps/app.input.js';
import { RejectionCatalogueEntry, rejectionCatalogue } from '../apps/rejection.types.js';
import {
  AddressReason,
  AppIdAndReason,
  ApproveApp,
  ClaimReview,
  EditApp,
  FeatureApp,
  RejectApp,
  ReleaseReview,
  ReviewQueue,
  SendMessage,
} from './review.input.js';
import { ReviewCounts, ReviewQueueConnection, ReviewQueueItem } from './review.types.js';
import { ReviewMessage } from './review-message.entity.js';

export const reviewQueue = query({
  summary: 'Lists the submissions that wait for a decision, oldest first.',
  policy: admin({ ownAllowed: 'It only reads.' }),
  input: ReviewQueue,
  output: ReviewQueueConnection,
  run: ({ queue }, caller, input) => queue.list(caller, input),
});

export const reviewCounts = query({
  summary: 'Counts what waits for a decision.',
  policy: admin({ ownAllowed: 'It only reads.' }),
  input: Nothing,
  output: ReviewCounts,
  run: ({ queue }) => queue.counts(),
});

export const claimReview = mutation({
  summary: 'Takes a submission for half an hour, so that nobody else decides on it; repeat it to go on.',
  catalog: 'none',
  policy: admin({ notForOneself: 'submission' }),
  input: ClaimReview,
  output: ReviewQueueItem,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'REVIEW_CLAIMED'],
  run: ({ queue }, caller, { id, takeOver }) => queue.claim(caller, id, takeOver ?? false),
});

export const releaseReview = mutation({
  summary: 'Gives a claimed submission back to the others.',
  catalog: 'none',
  policy: admin({ ownAllowed: 'Nobody can claim their own, so there is nothing of theirs to release.' }),
  input: ReleaseReview,
  output: ReviewQueueItem,
  errors: ['NOT_FOUND', 'REVIEW_CLAIMED'],
  run: ({ queue }, caller, { id }) => queue.release(caller, id),
});

export const messageDeveloper = mutation({
  summary: "Writes to an app's developer, who is told by e-mail.",
  catalog: 'none',
  policy: admin({ notForOneself: 'app' }),
  input: SendMessage,
  output: ReviewMessage,
  errors: ['NOT_FOUND'],
  run: ({ messages }, caller, { id, text }) => messages.fromAdministrator(caller, id, text),
});

export const messageReviewers = mutation({
  summary: 'Writes to the administrators about an app; those who deal with it are told by e-mail.',
  catalog: 'none',
  limit: 'messages',
  policy: developer(Scope.APP_UPDATE),
  input: SendMessage,
  output: ReviewMessage,
  errors: ['NOT_FOUND', 'QUOTA_EXCEEDED'],
  run: ({ messages }, caller, { id, text }) => messages.fromDeveloper(caller, id, text),
});

export const addressReason = mutation({
  summary:
    "Marks one reason of the app's last rejection, or of its open version's, as dealt with, for the next reviewer to see.",
  catalog: 'none',
  policy: developer(Scope.APP_UPDATE),
  input: AddressReason,
  output: App,
  errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'INVALID_TRANSITION'],
  run: ({ messages }, caller, { id, reason, addressed }) =>
    messages.addressReason(caller, id, reason, addressed ?? true),
});

export const approveApp = mutation({
  summary: 'Approves a submission: the app is public at once.',
  policy: admin({ notForOneself: 'app' }),
  input: ApproveApp,
  output: App,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'REVISION_CONFLICT', 'REVIEW_CLAIMED'],
  run: ({ review }, caller, input) => review.approve(caller, input),
});

export const rejectApp = mutation({
  summary: 'Rejects a submission, with reasons and guidance.',
  policy: admin({ notForOneself: 'app' }),
  input: RejectApp,
  output: App,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'REVISION_CONFLICT', 'REVIEW_CLAIMED'],
  run: ({ review }, caller, input) => review.reject(caller, input),
});

export const rejectionReasons = query({
  summary:
    'Lists the kinds of reasons for a rejection, each with the text that it has unless a reviewer says more.',
  policy: anyone,
  input: Nothing,
  output: [RejectionCatalogueEntry],
  run: async () => rejectionCatalogue,
});

export const suspendApp = mutation({
  summary: 'Takes a public app down.',
  policy: admin({ ownAllowed: 'Off the air is no favour.' }),
  input: AppIdAndReason,
  output: App,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  run: ({ review }, caller, { id, reason }) => review.suspend(caller, id, reason),
});

export const restoreApp = mutation({
  summary: 'Makes an app that was taken down public again.',
  policy: admin({ notForOneself: 'app' }),
  input: AppId,
  output: App,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  run: ({ review }, caller, { id }) => review.restore(caller, id),
});

export const featureApp = mutation({
  summary: 'Puts a public app on the featured list, or takes it off.',
  policy: admin({ notForOneself: 'app' }),
  input: FeatureApp,
  output: App,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  run: ({ review }, caller, { id, featured }) => review.feature(caller, id, featured),
});

export const editApp = mutation({
  summary: "Corrects a public app's listing on the developer's behalf, with a reason.",
  policy: admin({ notForOneself: 'app' }),
  input: EditApp,
  output: App,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  run: ({ review }, caller, input) => review.edit(caller, input),
});

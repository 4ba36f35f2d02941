import { admin, anyone, developer } from '../../auth/policy.js';
import { Scope } from '../../auth/scope.js';
import { Nothing } from '../../operations/input.js';
import { inInput, mutation, query, subscription } from '../../operations/operation.js';
import { App } from '../listings/app.entity.js';
import { AppId } from '../listings/listing.input.js';
import { RejectionCatalogueEntry, rejectionCatalogue } from '../listings/rejection.types.js';
import { changesQueue } from './queue.rules.js';
import {
  AddressReason,
  AppIdAndReason,
  ApproveApp,
  ClaimNext,
  ClaimReview,
  DecisionFilter,
  Edit,
  EditApp,
  FeatureApp,
  ListDecisions,
  Reject,
  RejectApp,
  ReleaseReview,
  ReviewQueue,
  ReviewStatsPeriod,
  SendMessage,
} from './review.input.js';
import {
  ReviewCounts,
  ReviewQueueChange,
  ReviewQueueConnection,
  ReviewQueueItem,
  SubmissionConnection,
} from './review.types.js';
import { ReviewMessage } from './review-message.entity.js';
import { ReviewStats } from './review-stats.types.js';

export const reviewQueue = query({
  summary: 'Lists the submissions that wait for a review, oldest first.',
  policy: admin({ ownAllowed: 'It only reads.' }),
  input: ReviewQueue,
  output: ReviewQueueConnection,
  run: ({ queue }, caller, input) => queue.list(caller, input),
});

export const reviewItem = query({
  summary:
    'Returns a submission that waits for a review, by its own id or the id of its app or version. It claims nothing.',
  policy: admin({ ownAllowed: 'It only reads.' }),
  input: ReleaseReview,
  output: ReviewQueueItem,
  nullable: true,
  // It computes the place in the queue, the findings and the differences of each.
  cost: 300,
  errors: ['NOT_FOUND'],
  run: ({ queue }, _caller, { id }) => queue.get(id),
});

export const reviewCounts = query({
  summary: 'Counts the submissions that wait for a review.',
  policy: admin({ ownAllowed: 'It only reads.' }),
  input: Nothing,
  output: ReviewCounts,
  run: ({ queue }) => queue.counts(),
});

export const decisions = query({
  summary: 'Lists the approvals and rejections of apps and versions, latest first.',
  policy: admin({ ownAllowed: 'It only reads.' }),
  input: ListDecisions,
  grouped: {
    argument: 'filter',
    type: 'DecisionFilter',
    description: 'Restricts the list to decisions that match all given fields.',
    fields: DecisionFilter,
    optional: true,
  },
  output: SubmissionConnection,
  run: ({ reviewHistory }, _caller, input) => reviewHistory.decisions(input),
});

export const reviewStats = query({
  summary: 'Returns figures of the review queue now, and of the decisions in the last days.',
  policy: admin({ ownAllowed: 'It only reads.' }),
  input: ReviewStatsPeriod,
  output: ReviewStats,
  run: ({ reviewHistory }, _caller, { days }) => reviewHistory.stats(days ?? 30),
});

export const reviewQueueChanged = subscription({
  summary:
    'Reports each change of the review queue: submissions, withdrawals, decisions, claims, edits and messages.',
  policy: admin({ ownAllowed: 'It only reads.' }),
  input: Nothing,
  output: ReviewQueueChange,
  errors: ['QUOTA_EXCEEDED'],
  follows: async () => changesQueue,
  run: async ({ apps, queue }, caller, _input, change) => {
    const appId = change.about === 'event' ? change.appId : null;
    return {
      app: appId === null ? null : await apps.findVisible(caller, appId),
      counts: await queue.counts(),
    };
  },
});

export const claimReview = mutation({
  summary:
    'Claims a submission for 30 minutes, so that no other administrator decides on it. Call it again to extend the claim.',
  catalog: 'none',
  policy: admin({ notForOneself: 'submission' }),
  input: ClaimReview,
  output: ReviewQueueItem,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'REVIEW_CLAIMED'],
  run: ({ queue }, caller, { id, takeOver }) => queue.claim(caller, id, takeOver ?? false),
});

export const claimNext = mutation({
  summary:
    'Claims the submission that has waited longest of those that match the filter and that you may decide on: no administrator, not even you, has claimed it, and it is not your own. Returns null if there is none. In one document after a decision, it claims the next submission if the decision succeeds.',
  nullable: true,
  catalog: 'none',
  policy: admin({ ownAllowed: "It skips the administrator's own submissions." }),
  input: ClaimNext,
  output: ReviewQueueItem,
  run: ({ queue }, caller, input) => queue.claimNext(caller, input),
});

export const releaseReview = mutation({
  summary: 'Releases a claimed submission, so that other administrators can review it.',
  catalog: 'none',
  policy: admin({
    ownAllowed: 'Administrators cannot claim their own submission, so there is none to release.',
  }),
  input: ReleaseReview,
  output: ReviewQueueItem,
  errors: ['NOT_FOUND', 'REVIEW_CLAIMED'],
  run: ({ queue }, caller, { id }) => queue.release(caller, id),
});

export const messageDeveloper = mutation({
  summary: 'Sends a message to the developer of an app, who is notified by e-mail.',
  catalog: 'none',
  policy: admin({ notForOneself: 'app' }),
  input: SendMessage,
  output: ReviewMessage,
  readAgain: true,
  errors: ['NOT_FOUND'],
  run: ({ messages }, caller, { id, text }) => messages.fromAdministrator(caller, id, text),
});

export const messageReviewers = mutation({
  summary:
    'Sends a message about an app to the administrators. Those who handle the app are notified by e-mail.',
  catalog: 'none',
  limit: 'messages',
  policy: developer(Scope.APP_UPDATE),
  input: SendMessage,
  output: ReviewMessage,
  readAgain: true,
  errors: ['NOT_FOUND', 'QUOTA_EXCEEDED'],
  run: ({ messages }, caller, { id, text }) => messages.fromDeveloper(caller, id, text),
});

export const addressReason = mutation({
  summary:
    'Marks one reason of the last rejection of an app, or of its open version, as addressed. The next reviewer sees the mark.',
  catalog: 'none',
  policy: developer(Scope.APP_UPDATE),
  input: AddressReason,
  output: App,
  errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'INVALID_TRANSITION'],
  run: ({ messages }, caller, { id, reason, addressed }) =>
    messages.addressReason(caller, id, reason, addressed ?? true),
});

export const approveApp = mutation({
  summary: 'Approves the submission of an app, which is public immediately.',
  policy: admin({ notForOneself: 'app' }),
  input: ApproveApp,
  output: App,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'REVISION_CONFLICT', 'REVIEW_CLAIMED', 'FINDINGS_OPEN'],
  run: ({ review }, caller, input) => review.approve(caller, input),
});

export const rejectApp = mutation({
  summary: 'Rejects the submission of an app, with reasons and guidance.',
  policy: admin({ notForOneself: 'app' }),
  input: RejectApp,
  grouped: inInput(
    'RejectAppInput',
    'The reviewed revision, the reasons and the guidance for the developer.',
    Reject,
  ),
  output: App,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'REVISION_CONFLICT', 'REVIEW_CLAIMED'],
  run: ({ review }, caller, input) => review.reject(caller, input),
});

export const rejectionReasons = query({
  summary: 'Lists the codes of rejection reasons, each with its default text.',
  policy: anyone,
  input: Nothing,
  output: [RejectionCatalogueEntry],
  run: async () => rejectionCatalogue,
});

export const suspendApp = mutation({
  summary: 'Suspends a public app: it is no longer public.',
  policy: admin({ ownAllowed: 'A suspension gives them no advantage.' }),
  input: AppIdAndReason,
  output: App,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  run: ({ review }, caller, { id, reason }) => review.suspend(caller, id, reason),
});

export const restoreApp = mutation({
  summary: 'Makes a suspended app public again.',
  policy: admin({ notForOneself: 'app' }),
  input: AppId,
  output: App,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  run: ({ review }, caller, { id }) => review.restore(caller, id),
});

export const featureApp = mutation({
  summary: 'Adds a public app to the featured list, or removes it.',
  policy: admin({ notForOneself: 'app' }),
  input: FeatureApp,
  output: App,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  run: ({ review }, caller, { id, featured }) => review.feature(caller, id, featured),
});

export const editApp = mutation({
  summary: 'Edits the listing of a public app on behalf of its developer, with a reason.',
  policy: admin({ notForOneself: 'app' }),
  input: EditApp,
  grouped: inInput(
    'EditAppInput',
    'Fields of the listing to change, and the reason. Omitted fields stay as they are; `null` clears an optional field.',
    Edit,
  ),
  output: App,
  problems: ({ publicLinks }, _caller, valid) => publicLinks.problemsOf(valid),
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  run: ({ review }, caller, input) => review.edit(caller, input),
});

import { z } from 'zod';
import { id, reason, text, time } from '../../operations/input.js';
import { connectionArguments } from '../../operations/paging.js';
import { Environment } from '../listings/app.entity.js';
import { findingCodes } from '../listings/finding.types.js';
import { Category } from '../listings/listing.entity.js';
import { AppChanges, AppId } from '../listings/listing.input.js';
import { hasDefaultMessage, RejectionCode } from '../listings/rejection.types.js';
import { SubmissionOutcome } from './submission.entity.js';

const revision = {
  revision: z
    .int()
    .min(1)
    .describe(
      'The revision that you reviewed. If there is a newer one, the call fails with REVISION_CONFLICT.',
    ),
};

export const ReviewQueueFilter = z
  .object({
    category: z.enum(Category).nullish().describe('Only submissions of this category.'),
    environment: z.enum(Environment).nullish().describe('Only apps for this environment.'),
    overdue: z.boolean().nullish().describe('true: only submissions whose `dueAt` has passed.'),
    mine: z.boolean().nullish().describe('true: only submissions that you have claimed.'),
    unclaimed: z.boolean().nullish().describe('true: only submissions that no administrator has claimed.'),
    versions: z.boolean().nullish().describe('true: only versions of approved apps. false: only new apps.'),
  })
  .meta({
    id: 'ReviewQueueFilter',
    description: 'Restricts the queue to submissions that match all given fields.',
  });

export const ReviewQueue = z.object({
  ...connectionArguments,
  filter: ReviewQueueFilter.nullish(),
});

export const DecisionFilter = z
  .object({
    reviewer: text({ max: 200, soughtOnly: true })
      .nullish()
      .describe('Only decisions of the administrator with this account id.'),
    outcome: z
      .enum(SubmissionOutcome)
      .nullish()
      .describe(
        'Only approvals, or only rejections. WITHDRAWN matches nothing, because a withdrawal is not a decision.',
      ),
    from: time().nullish().describe('Only decisions at or after this time, such as `2026-03-02T09:30:00Z`.'),
    to: time().nullish().describe('Only decisions before this time, such as `2026-03-03T09:30:00Z`.'),
  })
  .describe('Filter of decisions. A decision has to match all given fields.');

export const ListDecisions = DecisionFilter.extend(connectionArguments);

const maxStatsDays = 366;
export const ReviewStatsPeriod = z.object({
  days: z
    .int()
    .min(1)
    .max(maxStatsDays)
    .nullish()
    .describe(`Length of the period in days (UTC), today included: 30 by default, at most ${maxStatsDays}.`),
});

export const ClaimNext = ReviewQueue.pick({ filter: true });

export const ClaimReview = z.object({
  id: id('submission, or of the app or version that was submitted'),
  takeOver: z
    .boolean()
    .nullish()
    .describe('true: take over a submission that another administrator has claimed. Default: false.'),
});
export const ReleaseReview = ClaimReview.pick({ id: true });

const message = text({ max: 4000, multiline: true }).describe(
  'Text of the message. May contain line breaks.',
);
export const SendMessage = AppId.extend({ text: message });

export const AddressReason = AppId.extend({
  reason: z.int().min(0).max(49).describe('Index of the reason in `rejection.reasons`; the first one is 0.'),
  addressed: z.boolean().nullish().describe('true (default): addressed. false: not addressed yet.'),
});

export const Approve = z.object({
  ...revision,
  note: text({ min: 0, max: 2000, multiline: true })
    .nullish()
    .describe('Note to the developer, which is part of the e-mail about the approval.'),
  acknowledge: z
    .array(z.enum(findingCodes))
    .max(Object.keys(findingCodes).length)
    .nullish()
    .describe(
      'Codes of the findings that you have seen and accept. An approval needs those with `needsReason`, together with a `reason`; without them it fails with FINDINGS_OPEN.',
    ),
  reason: text({ min: 0, max: 2000, multiline: true })
    .nullish()
    .describe(
      'Why you approve it in spite of the acknowledged findings. Only administrators read it, in the audit log.',
    ),
});
export const ApproveApp = AppId.extend(Approve.shape);

const RejectionReasonInput = z
  .strictObject({
    code: z.enum(RejectionCode).describe('Kind of problem. `rejectionReasons` lists all kinds.'),
    field: text({ min: 0, max: 100 })
      .nullish()
      .describe(
        'The field with the problem, such as `description` or `screenshots.0.url`. Null: the app as a whole.',
      ),
    message: text({ max: 2000, multiline: true })
      .nullish()
      .describe(
        'What is wrong and what to do. Default: the text of the code in `rejectionReasons`. Required with the code OTHER.',
      ),
  })
  .superRefine(({ code, message }, context) => {
    if (message != null || hasDefaultMessage(code)) return;
    context.addIssue({
      code: 'custom',
      path: ['message'],
      params: { code: 'required' },
      message: `is required with the code ${code}: say what is wrong and what to do`,
    });
  })
  .meta({ id: 'RejectionReasonInput', description: 'One reason for the rejection of an app or a version.' });

export const Reject = z.object({
  ...revision,
  reasons: z
    .array(RejectionReasonInput)
    .min(1)
    .max(50)
    .describe('The reasons for the rejection; at least one.'),
  guidance: text({ max: 2000, multiline: true }).describe('Advice to the developer on what to do next.'),
});
export const RejectApp = AppId.extend(Reject.shape);

export const AppIdAndReason = AppId.extend({ reason: reason() });
export const FeatureApp = AppId.extend({
  featured: z.boolean().describe('true: on the list of featured apps. false: not on the list.'),
});

export const Edit = AppChanges.extend({ reason: reason() });
export const EditApp = AppId.extend(Edit.shape);

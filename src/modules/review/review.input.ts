import { z } from 'zod';
import { id, reason, text } from '../../operations/input.js';
import { connectionArguments } from '../../operations/paging.js';
import { Environment } from '../apps/app.entity.js';
import { AppChanges, AppId } from '../apps/app.input.js';
import { Category } from '../apps/listing.entity.js';
import { hasDefaultMessage, RejectionCode } from '../apps/rejection.types.js';

const revision = { revision: z.int().min(1).describe('The revision that you looked at.') };

const ReviewQueueFilter = z
  .object({
    category: z.enum(Category).nullish().describe('Only what was submitted for this category.'),
    environment: z.enum(Environment).nullish().describe('Only apps for this environment.'),
    overdue: z.boolean().nullish().describe('Only what is past its due time.'),
    mine: z.boolean().nullish().describe('Only what you have claimed.'),
    unclaimed: z.boolean().nullish().describe('Only what nobody is looking at.'),
    versions: z.boolean().nullish().describe('Only versions of approved apps, or only new apps.'),
  })
  .meta({
    id: 'ReviewQueueFilter',
    description: 'Restricts the queue to submissions that match all given fields.',
  });

export const ReviewQueue = z.object({
  ...connectionArguments,
  filter: ReviewQueueFilter.nullish(),
});

export const ClaimReview = z.object({
  id: id('submission, or of the app or version that was submitted'),
  takeOver: z.boolean().nullish().describe("Take it even if it is another administrator's."),
});
export const ReleaseReview = ClaimReview.pick({ id: true });

const message = text({ max: 4000, multiline: true }).describe('What to say.');
export const SendMessage = AppId.extend({ text: message });

export const AddressReason = AppId.extend({
  reason: z.int().min(0).max(49).describe('Which reason, from zero.'),
  addressed: z.boolean().nullish().describe('Whether it is addressed: yes, unless told.'),
});

export const ApproveApp = AppId.extend({
  ...revision,
  note: text({ min: 0, max: 2000, multiline: true }).nullish().describe('A word to the developer.'),
});

const RejectionReasonInput = z
  .strictObject({
    code: z.enum(RejectionCode).describe('Its kind.'),
    field: text({ min: 0, max: 100 }).nullish().describe('The field it is about.'),
    message: text({ max: 2000, multiline: true })
      .nullish()
      .describe("What is wrong, in words: the code's default text unless told. OTHER needs one."),
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
  .meta({ id: 'RejectionReasonInput', description: 'One reason why an app is rejected.' });

export const Reject = z.object({
  ...revision,
  reasons: z.array(RejectionReasonInput).min(1).max(50).describe('Why; at least one.'),
  guidance: text({ max: 2000, multiline: true }).describe('What to do next.'),
});
export const RejectApp = AppId.extend(Reject.shape);

export const AppIdAndReason = AppId.extend({ reason: reason() });
export const FeatureApp = AppId.extend({ featured: z.boolean().describe('Whether it is featured.') });

export const Edit = AppChanges.extend({ reason: reason() });
export const EditApp = AppId.extend(Edit.shape);

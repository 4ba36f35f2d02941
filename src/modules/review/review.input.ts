import { z } from 'zod';
import { connectionArguments } from '../../db/keyset.js';
import { reason, text } from '../../input.js';
import { AppChanges, AppId } from '../apps/app.input.js';
import { RejectionCode } from '../apps/app.types.js';

const revision = { revision: z.int().min(1).describe('The revision that you looked at.') };

export const ReviewQueue = z.object(connectionArguments);

export const ApproveApp = AppId.extend({
  ...revision,
  note: text({ min: 0, max: 2000, multiline: true }).nullish().describe('A word to the developer.'),
});

const RejectionReasonInput = z
  .strictObject({
    code: z.enum(RejectionCode).describe('Its kind.'),
    field: text({ min: 0, max: 100 }).nullish().describe('The field it is about.'),
    message: text({ max: 2000, multiline: true }).describe('What is wrong, in words.'),
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

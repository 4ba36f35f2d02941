import { z } from 'zod';
import { id } from '../../operations/input.js';
import { AppChanges } from '../listings/listing.input.js';
import { Approve, Reject } from '../review/review.input.js';

export const CreateAppVersion = AppChanges.extend({ appId: id('app') });
export const VersionId = z.object({ id: id('version') });
export const UpdateAppVersion = VersionId.extend({
  ...AppChanges.shape,
  revision: z
    .int()
    .min(1)
    .nullish()
    .describe(
      'The revision that you read. If the version has a newer one, the call fails with REVISION_CONFLICT. Null: no check.',
    ),
});
export const ApproveAppVersion = VersionId.extend(Approve.shape);
export const RejectAppVersion = VersionId.extend(Reject.shape);

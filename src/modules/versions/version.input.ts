import { z } from 'zod';
import { id } from '../../operations/input.js';
import { AppChanges } from '../listings/listing.input.js';
import { Approve, Reject } from '../review/review.input.js';

const revisionOf = (what: string) =>
  z
    .int()
    .min(1)
    .nullish()
    .describe(
      `The revision of the ${what} that you read. If it has a newer one, the call fails with REVISION_CONFLICT. Null: no check.`,
    );

export const CreateAppVersion = AppChanges.extend({ appId: id('app'), revision: revisionOf('app') });
export const VersionId = z.object({ id: id('version') });
export const SubmitAppVersion = VersionId.extend({ revision: revisionOf('version') });
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

import { admin, developer, developerOrAdmin } from '../../auth/policy.js';
import { Scope } from '../../auth/scope.js';
import { inInput, mutation } from '../../operations/operation.js';
import { AppVersion } from '../listings/app-version.entity.js';
import { AppChanges } from '../listings/listing.input.js';
import { Reject } from '../review/review.input.js';
import {
  ApproveAppVersion,
  CreateAppVersion,
  RejectAppVersion,
  SubmitAppVersion,
  UpdateAppVersion,
  VersionId,
} from './version.input.js';

/** The app that a version belongs to, for keys of pipelines. */
const byId = (
  { versions }: { versions: { appIdOf(id: string): Promise<string | null> } },
  { id }: { id: string },
) => versions.appIdOf(id);

export const createAppVersion = mutation({
  summary: 'Creates a new version of an approved app: a draft that starts as a copy of the live listing.',
  catalog: 'none',
  // A version changes an app that a pipeline may change.
  policy: developer(Scope.APP_CREATE, { pipelineScope: Scope.APP_UPDATE }),
  pipelineApp: async (_services, { appId }) => appId,
  input: CreateAppVersion,
  grouped: inInput(
    'CreateAppVersionInput',
    'Fields in which the version differs from the live listing; `null` clears an optional field.',
    AppChanges,
  ),
  output: AppVersion,
  problems: ({ publicLinks }, _caller, valid) => publicLinks.problemsOf(valid),
  errors: ['NOT_FOUND', 'APP_SUSPENDED', 'INVALID_TRANSITION', 'REVISION_CONFLICT', 'QUOTA_EXCEEDED'],
  run: ({ versions }, caller, { appId, revision, ...changes }) =>
    versions.create(caller, appId, changes, revision ?? null),
});

export const updateAppVersion = mutation({
  summary: 'Changes the given fields of an open version.',
  catalog: 'none',
  policy: developer(Scope.APP_UPDATE),
  input: UpdateAppVersion,
  grouped: inInput(
    'UpdateAppVersionInput',
    'Fields of the version to change. Omitted fields stay as they are; `null` clears an optional field.',
    AppChanges,
  ),
  output: AppVersion,
  problems: ({ publicLinks }, _caller, valid) => publicLinks.problemsOf(valid),
  errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'REVISION_CONFLICT', 'QUOTA_EXCEEDED'],
  pipelineApp: byId,
  prepare: ({ versions }, caller, { id, revision: _, ...changes }) =>
    versions.checkBeforeUpdate(caller, id, changes),
  run: ({ versions }, caller, { id, revision, ...changes }, checked) =>
    versions.update(caller, id, changes, revision ?? null, checked),
});

export const submitAppVersion = mutation({
  summary: 'Submits a version for review. The live listing does not change.',
  catalog: 'none',
  policy: developer(Scope.APP_UPDATE, { mustBeVerified: true }),
  input: SubmitAppVersion,
  output: AppVersion,
  errors: [
    'VALIDATION_FAILED',
    'NOT_FOUND',
    'APP_SUSPENDED',
    'INVALID_TRANSITION',
    'REVISION_CONFLICT',
    'QUOTA_EXCEEDED',
  ],
  pipelineApp: byId,
  prepare: ({ versions }, caller, { id }) => versions.checkBeforeSubmit(caller, id),
  run: ({ versions }, caller, { id, revision }, checked) =>
    versions.submit(caller, id, checked, revision ?? null),
});

export const withdrawAppVersion = mutation({
  summary: 'Withdraws the submission of a version, which becomes a draft again.',
  catalog: 'none',
  policy: developer(Scope.APP_UPDATE),
  input: VersionId,
  output: AppVersion,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  pipelineApp: byId,
  run: ({ versions }, caller, { id }) => versions.withdraw(caller, id),
});

export const discardAppVersion = mutation({
  summary: 'Discards an open version permanently.',
  catalog: 'none',
  policy: developer(Scope.APP_DELETE),
  input: VersionId,
  output: AppVersion,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  run: ({ versions }, caller, { id }) => versions.discard(caller, id),
});

export const approveAppVersion = mutation({
  summary: 'Approves a version, which becomes the live listing immediately.',
  policy: admin({ notForOneself: 'version' }),
  input: ApproveAppVersion,
  output: AppVersion,
  errors: [
    'NOT_FOUND',
    'APP_SUSPENDED',
    'INVALID_TRANSITION',
    'REVISION_CONFLICT',
    'REVIEW_CLAIMED',
    'FINDINGS_OPEN',
  ],
  run: ({ versionReview }, caller, input) => versionReview.approve(caller, input),
});

export const rejectAppVersion = mutation({
  summary: 'Rejects a version, with reasons and guidance. The live listing does not change.',
  policy: admin({ notForOneself: 'version' }),
  input: RejectAppVersion,
  grouped: inInput(
    'RejectAppVersionInput',
    'The reviewed revision, the reasons and the guidance for the developer.',
    Reject,
  ),
  output: AppVersion,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'REVISION_CONFLICT', 'REVIEW_CLAIMED'],
  run: ({ versionReview }, caller, input) => versionReview.reject(caller, input),
});

export const rebaseAppVersion = mutation({
  summary:
    "Updates an open version with an administrator's edits of the live listing. Fields that only the edits changed are copied to the version; a field that both changed keeps the version's value and is listed in its `conflicts`.",
  catalog: 'none',
  policy: developerOrAdmin(Scope.APP_UPDATE, {
    ownAllowed: 'They may rebase their own version as its developer.',
  }),
  input: VersionId,
  output: AppVersion,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'REVIEW_CLAIMED'],
  pipelineApp: byId,
  run: ({ versionReview }, caller, { id }) => versionReview.rebase(caller, id),
});

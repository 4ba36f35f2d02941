import { admin, developer, developerOrAdmin } from '../../auth/policy.js';
import { Scope } from '../../auth/scope.js';
import { mutation } from '../../operations/operation.js';
import { AppVersion } from './app-version.entity.js';
import {
  ApproveAppVersion,
  CreateAppVersion,
  RejectAppVersion,
  UpdateAppVersion,
  VersionId,
} from './version.input.js';

export const createAppVersion = mutation({
  summary: 'Begins a new version of an approved app: a draft that starts from the live listing.',
  catalog: 'none',
  policy: developer(Scope.APP_CREATE),
  input: CreateAppVersion,
  output: AppVersion,
  errors: ['NOT_FOUND', 'APP_SUSPENDED', 'INVALID_TRANSITION', 'QUOTA_EXCEEDED'],
  run: ({ versions }, caller, { appId, ...changes }) => versions.create(caller, appId, changes),
});

export const updateAppVersion = mutation({
  summary: 'Changes the fields that are sent of an open version.',
  catalog: 'none',
  policy: developer(Scope.APP_UPDATE),
  input: UpdateAppVersion,
  output: AppVersion,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'REVISION_CONFLICT'],
  prepare: ({ versions }, caller, { id, revision: _, ...changes }) =>
    versions.checkBeforeUpdate(caller, id, changes),
  run: ({ versions }, caller, { id, revision, ...changes }, checked) =>
    versions.update(caller, id, changes, revision ?? null, checked),
});

export const submitAppVersion = mutation({
  summary: 'Submits a version for review. The live listing stays as it is.',
  catalog: 'none',
  policy: developer(Scope.APP_UPDATE, { mustBeVerified: true }),
  input: VersionId,
  output: AppVersion,
  errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'APP_SUSPENDED', 'INVALID_TRANSITION', 'REVISION_CONFLICT'],
  prepare: ({ versions }, caller, { id }) => versions.checkBeforeSubmit(caller, id),
  run: ({ versions }, caller, { id }, checked) => versions.submit(caller, id, checked),
});

export const withdrawAppVersion = mutation({
  summary: 'Takes the submission of a version back: it is a draft again.',
  catalog: 'none',
  policy: developer(Scope.APP_UPDATE),
  input: VersionId,
  output: AppVersion,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  run: ({ versions }, caller, { id }) => versions.withdraw(caller, id),
});

export const discardAppVersion = mutation({
  summary: 'Gives an open version up, for good.',
  catalog: 'none',
  policy: developer(Scope.APP_DELETE),
  input: VersionId,
  output: AppVersion,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  run: ({ versions }, caller, { id }) => versions.discard(caller, id),
});

export const approveAppVersion = mutation({
  summary: 'Approves a version: it is the live listing at once.',
  policy: admin({ notForOneself: 'version' }),
  input: ApproveAppVersion,
  output: AppVersion,
  errors: ['NOT_FOUND', 'APP_SUSPENDED', 'INVALID_TRANSITION', 'REVISION_CONFLICT', 'REVIEW_CLAIMED'],
  run: ({ versionReview }, caller, { id, revision }) => versionReview.approve(caller, id, revision),
});

export const rejectAppVersion = mutation({
  summary: 'Rejects a version, with reasons and guidance. The live listing stays as it is.',
  policy: admin({ notForOneself: 'version' }),
  input: RejectAppVersion,
  output: AppVersion,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'REVISION_CONFLICT', 'REVIEW_CLAIMED'],
  run: ({ versionReview }, caller, input) => versionReview.reject(caller, input),
});

export const rebaseAppVersion = mutation({
  summary:
    "Brings an open version up to date with an administrator's edits of the live listing. Fields that only the edits changed are taken over; where both changed one, the version's value stays and is listed in its `conflicts`.",
  catalog: 'none',
  policy: developerOrAdmin(Scope.APP_UPDATE, {
    ownAllowed: 'Their own version they rebase as its developer.',
  }),
  input: VersionId,
  output: AppVersion,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'REVIEW_CLAIMED'],
  run: ({ versionReview }, caller, { id }) => versionReview.rebase(caller, id),
});

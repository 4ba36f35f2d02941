import type { AccountCaller, Caller, DeveloperCaller } from '../../auth/caller.js';
import { DeveloperStatus } from '../../auth/developer-status.js';
import { requireNotSuspended } from '../../auth/policy.js';
import { notFound, ServiceError } from '../../errors.js';
import type { App } from '../apps/app.entity.js';
import { requireTransition } from '../apps/app.lifecycle.js';
import type { Developer } from '../developers/developer.entity.js';
import type { AppVersion } from '../versions/app-version.entity.js';
import { isOutdated } from '../versions/version.difference.js';
import {
  openVersions,
  requireLive,
  requireVersionStatus,
  requireVersionTransition,
} from '../versions/version.lifecycle.js';
import type { Submission } from './submission.entity.js';

type Decision = 'approve' | 'reject';

/** What a decision about an app needs, but for the revision that the reviewer saw. */
export function requireDecidableApp(
  caller: AccountCaller,
  decision: Decision,
  { app, developer }: { app: App; developer: Developer },
  submission: Submission | null,
): void {
  requireTransition(app, decision);
  requireReviewable(developer, decision);
  if (submission) requireUnclaimed(caller, submission);
}

/** The same for a version. Only a live app gets a new listing, and only one that undoes no edit; rejecting is always possible. */
export function requireDecidableVersion(
  caller: AccountCaller,
  decision: Decision,
  { app, version, developer }: { app: App; version: AppVersion; developer: Developer },
  submission: Submission | null,
): void {
  requireVersionTransition(version, decision);
  if (decision === 'approve') requireLive(app);
  requireReviewable(developer, decision);
  if (submission) requireUnclaimed(caller, submission);
  if (decision === 'approve') requireCurrent(app, version);
}

/** What a claim needs; an administrator who takes over does not ask whose it is. */
export function requireClaimable(
  caller: AccountCaller,
  developer: Developer,
  submission: Submission | null,
  takeOver = false,
): void {
  if (!submission) throw noOpenSubmission();
  requireReviewable(developer, 'claim');
  if (!takeOver) requireUnclaimed(caller, submission);
}

/** What a rebase needs: a version that is still open, and for a reviewer one that no other reviewer holds. */
export function requireRebasable(
  caller: Caller,
  { app, version }: { app: App; version: AppVersion },
  submission: Submission | null,
): void {
  if (isOwner(caller, app)) requireNotSuspended(caller.developer);
  requireVersionStatus(version, 'rebase', openVersions);
  if (!isOwner(caller, app) && submission) requireUnclaimed(caller, submission);
}

/** Whether a caller acts as the app's developer, which administrators do with their own. */
export const isOwner = (caller: Caller, app: App): caller is DeveloperCaller =>
  caller.developer?.id === app.developer.id;

export function requireReleasable(caller: AccountCaller, submission: Submission | null): void {
  if (!submission) throw noOpenSubmission();
  requireUnclaimed(caller, submission);
}

/** Whose rejection is the last one: the app's own, or once that is public, its open version's. */
export function requireRejected(app: App, openVersion: AppVersion | null): App | AppVersion {
  if (app.rejection) return app;
  if (openVersion?.rejection) return openVersion;
  throw new ServiceError(
    'INVALID_TRANSITION',
    'Neither the app nor a version of it was rejected: there are no reasons to address.',
  );
}

export const noOpenSubmission = () => notFound('open submission');

/** Refuses to review what a suspended developer submitted, and to approve what an unverified one did (D118, D119). */
function requireReviewable({ status }: Developer, act: Decision | 'claim'): void {
  if (status === DeveloperStatus.SUSPENDED)
    throw new ServiceError(
      'INVALID_TRANSITION',
      `The developer is suspended, so the submission is out of the queue. Reinstate the account (reinstateDeveloper) before you ${act} it: it then has its old place.`,
    );
  if (act === 'approve' && status !== DeveloperStatus.VERIFIED)
    throw new ServiceError(
      'INVALID_TRANSITION',
      'The developer is not verified any more. Verify the account (verifyDeveloper) before you approve what it submitted, or reject it.',
    );
}

/** Refuses to approve a version that would undo an edit of the app (D105). */
function requireCurrent(app: App, version: AppVersion): void {
  if (!isOutdated(app, version)) return;
  throw new ServiceError(
    'REVISION_CONFLICT',
    'An administrator has edited the app since this version was begun, and approving it could undo that. Rebase it with rebaseAppVersion, look at its conflicts, and decide on the revision that it then has.',
  );
}

/** Refuses what another administrator holds. */
function requireUnclaimed(caller: Caller, submission: Submission): void {
  const { holder } = submission;
  if (!holder || (caller.kind === 'account' && holder === caller.accountUserId)) return;
  throw new ServiceError(
    'REVIEW_CLAIMED',
    `Another administrator is at this submission until ${submission.claimedUntil?.toISOString()}. Wait, or take it over with claimReview(takeOver: true).`,
  );
}

import type { z } from 'zod';
import type { AccountCaller, Caller, DeveloperCaller } from '../../auth/caller.js';
import { DeveloperStatus } from '../../auth/developer-status.js';
import { requireNotSuspended } from '../../auth/policy.js';
import { notFound, revisionConflict, ServiceError } from '../../errors.js';
import type { Developer } from '../developers/developer.entity.js';
import type { Acknowledging } from '../events/event.types.js';
import type { App } from '../listings/app.entity.js';
import { requireTransition } from '../listings/app-state.rules.js';
import type { AppVersion } from '../listings/app-version.entity.js';
import type { Finding } from '../listings/finding.types.js';
import { listingOf, shortChangesBetween } from '../listings/listing-change.rules.js';
import { isOutdated } from '../listings/rebase.rules.js';
import {
  openVersions,
  requireLive,
  requireVersionStatus,
  requireVersionTransition,
} from '../listings/version-state.rules.js';
import type { Approve } from './review.input.js';
import type { Submission } from './submission.entity.js';

type Decision = 'approve' | 'reject';

/** Checks everything that a decision on an app requires, except the revision. */
export function requireDecidableApp(
  caller: AccountCaller,
  decision: Decision,
  { app, developer }: { app: App; developer: Developer },
  submission: Submission | null,
): void {
  requireTransition(app, decision);
  requireReviewable(developer, decision);
  requireUnclaimed(caller, submission);
}

/** Checks the same for a version. An approval also needs a live app and a rebased version; a rejection does not. */
export function requireDecidableVersion(
  caller: AccountCaller,
  decision: Decision,
  { app, version, developer }: { app: App; version: AppVersion; developer: Developer },
  submission: Submission | null,
): void {
  requireVersionTransition(version, decision);
  if (decision === 'approve') requireLive(app);
  requireReviewable(developer, decision);
  requireUnclaimed(caller, submission);
  if (decision === 'approve') requireCurrent(app, version);
}

/**
 * Rejects an approval that does not acknowledge, with a reason, every finding about a name that could deceive users (D326).
 * Returns what was acknowledged, for the event.
 */
export function requireAcknowledged(
  findings: readonly Finding[],
  { acknowledge, reason }: Pick<z.output<typeof Approve>, 'acknowledge' | 'reason'>,
): Acknowledging {
  const open = findings.filter(({ reasonNeeded }) => reasonNeeded);
  if (open.length === 0) return {};
  const codes = open.map(({ code }) => code);
  if (reason && codes.every((code) => acknowledge?.includes(code)))
    return { acknowledged: codes, acknowledgementReason: reason };
  throw new ServiceError(
    'FINDINGS_OPEN',
    `Its name could deceive users. To approve it nevertheless, acknowledge the findings (${codes.join(', ')}) and give a reason.`,
    open.map(({ field, code, message }) => ({ field, code, message })),
  );
}

/** Checks everything that a claim requires. With `takeOver`, the claim of another administrator is ignored. */
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

/** Checks everything that a rebase requires: an open version and, for a reviewer, no claim of another reviewer. */
export function requireRebasable(
  caller: Caller,
  { app, version }: { app: App; version: AppVersion },
  submission: Submission | null,
): void {
  if (isOwner(caller, app)) requireNotSuspended(caller.developer);
  requireVersionStatus(version, 'rebase', openVersions);
  if (!isOwner(caller, app)) requireUnclaimed(caller, submission);
}

/** True if the caller acts as the app's developer. An administrator does so with their own apps. */
export const isOwner = (caller: Caller, app: App): caller is DeveloperCaller =>
  caller.developer?.id === app.developer.id;

export function requireReleasable(caller: AccountCaller, submission: Submission | null): void {
  if (!submission) throw noOpenSubmission();
  requireUnclaimed(caller, submission);
}

/** Returns the app or its open version, depending on which one was rejected last. Approval clears an app's rejection. */
export function requireRejected(app: App, openVersion: AppVersion | null): App | AppVersion {
  if (app.rejection) return app;
  if (openVersion?.rejection) return openVersion;
  throw new ServiceError(
    'INVALID_TRANSITION',
    'Neither the app nor its open version is rejected, so there are no reasons to address.',
  );
}

export const noOpenSubmission = () => notFound('open submission');

/** Rejects any review for a suspended developer, and an approval for an unverified one (D118, D119). */
function requireReviewable({ status }: Developer, act: Decision | 'claim'): void {
  if (status === DeveloperStatus.SUSPENDED)
    throw new ServiceError(
      'INVALID_TRANSITION',
      `The developer is suspended, so the submission is out of the queue. Reinstate the account (reinstateDeveloper) before you ${act} it; the submission then returns to its old position.`,
    );
  if (act === 'approve' && status !== DeveloperStatus.VERIFIED)
    throw new ServiceError(
      'INVALID_TRANSITION',
      'The developer is not verified any more. Verify the account (verifyDeveloper) before you approve the submission, or reject the submission.',
    );
}

/** Rejects the approval of a version that could undo an administrator's edit of the app (D105). */
function requireCurrent(app: App, version: AppVersion): void {
  if (!isOutdated(app, version)) return;
  throw revisionConflict(
    'An administrator has edited the app since this version was created or last rebased, and approving it could undo that edit. Rebase it with rebaseAppVersion, check its conflicts, and decide on its new revision.',
    version.revision,
    version.base && shortChangesBetween(version.base, listingOf(app)),
  );
}

/** Rejects if another administrator has claimed the submission. */
function requireUnclaimed(caller: Caller, submission: Submission | null): void {
  const holder = submission?.holder;
  if (!holder || (caller.kind === 'account' && holder === caller.accountUserId)) return;
  throw new ServiceError(
    'REVIEW_CLAIMED',
    `Another administrator has claimed this submission until ${submission?.claimedUntil?.toISOString()}. Wait, or take it over with claimReview(takeOver: true).`,
  );
}

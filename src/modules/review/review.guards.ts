import type { AccountCaller } from '../../auth/caller.js';
import { notFound, ServiceError } from '../../errors.js';
import type { App } from '../apps/app.entity.js';
import {
  requireEditableByAdministrator,
  requireFeaturable,
  requireTransition,
  requireTransitionOrDone,
} from '../apps/app.lifecycle.js';
import type { AppVersion } from '../versions/app-version.entity.js';
import { requireLive, requireVersionTransition } from '../versions/version.lifecycle.js';
import type { Submission } from './submission.entity.js';

type Decision = 'approve' | 'reject';

/** What a decision about an app needs, but for the revision that the reviewer saw. */
export function requireDecidableApp(
  caller: AccountCaller,
  decision: Decision,
  app: App,
  submission: Submission | null,
): void {
  requireForeign(caller, app);
  requireTransition(app, decision);
  if (submission) requireUnclaimed(caller, submission);
}

/** The same for a version. Only a live app gets a new listing; a version can be rejected at any time. */
export function requireDecidableVersion(
  caller: AccountCaller,
  decision: Decision,
  { app, version }: { app: App; version: AppVersion },
  submission: Submission | null,
): void {
  requireForeign(caller, app);
  requireVersionTransition(version, decision);
  if (decision === 'approve') requireLive(app);
  if (submission) requireUnclaimed(caller, submission);
}

/** What a claim needs; one who takes over does not ask whose it is. */
export function requireClaimable(
  caller: AccountCaller,
  app: App,
  submission: Submission | null,
  takeOver = false,
): void {
  if (!submission) throw noOpenSubmission();
  requireForeign(caller, app);
  if (!takeOver) requireUnclaimed(caller, submission);
}

/** What an administrator's edit of a public app needs. */
export function requireEditableApp(caller: AccountCaller, app: App): void {
  requireForeign(caller, app);
  requireEditableByAdministrator(app);
}

/** What it needs to put an app on the featured list, or, which is possible in every state, to take it off. */
export function requireFeaturableApp(caller: AccountCaller, app: App, featured = true): void {
  requireForeign(caller, app);
  if (featured) requireFeaturable(app);
}

/** What it needs to undo a takedown. One may take one's own app down, but not bring it back. */
export function requireRestorableApp(caller: AccountCaller, app: App): void {
  requireForeign(caller, app);
  requireTransitionOrDone(app, 'restore');
}

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

/** Nobody reviews their own app, nor favours it. */
function requireForeign(caller: AccountCaller, app: App): void {
  if (caller.developer?.id !== app.developer.id) return;
  throw new ServiceError('FORBIDDEN', 'This app is your own: another administrator must do this.');
}

/** Nobody else is at it. */
function requireUnclaimed(caller: AccountCaller, submission: Submission): void {
  const { holder } = submission;
  if (!holder || holder === caller.accountUserId) return;
  throw new ServiceError(
    'REVIEW_CLAIMED',
    `Another administrator is at this submission until ${submission.claimedUntil?.toISOString()}. Wait, or take it over with claimReview(takeOver: true).`,
  );
}

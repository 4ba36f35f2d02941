import { attempt } from '../../allowed-actions.js';
import type { App } from '../apps/app.entity.js';
import { claimReview, releaseReview } from '../review/review.contract.js';
import { requireClaimable, requireDecidableVersion, requireReleasable } from '../review/review.guards.js';
import type { Submission } from '../review/submission.entity.js';
import type { AppVersion } from './app-version.entity.js';
import * as contract from './version.contract.js';
import {
  requireEditableVersion,
  requireSubmittableVersion,
  requireVersionTransition,
} from './version.lifecycle.js';

/** What its owner could do with a version. */
export const developerAttempts = (app: App, version: AppVersion) => ({
  updateAppVersion: attempt(contract.updateAppVersion, () => requireEditableVersion(version)),
  submitAppVersion: attempt(contract.submitAppVersion, () => requireSubmittableVersion(app, version)),
  withdrawAppVersion: attempt(contract.withdrawAppVersion, () =>
    requireVersionTransition(version, 'withdraw'),
  ),
  discardAppVersion: attempt(contract.discardAppVersion, () => requireVersionTransition(version, 'discard')),
});

/** What an administrator could do with a version. */
export const administratorAttempts = (app: App, version: AppVersion, submission: Submission | null) => ({
  claimReview: attempt(claimReview, (caller) => requireClaimable(caller, app, submission)),
  releaseReview: attempt(releaseReview, (caller) => requireReleasable(caller, submission)),
  approveAppVersion: attempt(contract.approveAppVersion, (caller) =>
    requireDecidableVersion(caller, 'approve', { app, version }, submission),
  ),
  rejectAppVersion: attempt(contract.rejectAppVersion, (caller) =>
    requireDecidableVersion(caller, 'reject', { app, version }, submission),
  ),
});

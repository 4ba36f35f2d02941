import { attempt } from '../../operations/allowed-actions.js';
import type { Developer } from '../developers/developer.entity.js';
import { requireSubmitter } from '../developers/developer.rules.js';
import type { App } from '../listings/app.entity.js';
import type { AppVersion } from '../listings/app-version.entity.js';
import type { Finding } from '../listings/finding.types.js';
import {
  requireEditableVersion,
  requireSubmittableVersion,
  requireVersionTransition,
} from '../listings/version-state.rules.js';
import { claimReview, releaseReview } from '../review/review.contract.js';
import {
  requireClaimable,
  requireDecidableVersion,
  requireRebasable,
  requireReleasable,
} from '../review/review.rules.js';
import type { Submission } from '../review/submission.entity.js';
import * as contract from '../versions/version.contract.js';

/** The actions of a version's owner, each with the check whether it is allowed now. */
export const developerAttempts = (
  { app, developer }: { app: App; developer: Developer },
  version: AppVersion,
  submission: Submission | null,
  further: readonly Finding[],
) => ({
  updateAppVersion: attempt(contract.updateAppVersion, () => requireEditableVersion(version)),
  submitAppVersion: attempt(contract.submitAppVersion, () => {
    requireSubmitter(developer);
    requireSubmittableVersion(app, version, () => further);
  }),
  withdrawAppVersion: attempt(contract.withdrawAppVersion, () =>
    requireVersionTransition(version, 'withdraw'),
  ),
  discardAppVersion: attempt(contract.discardAppVersion, () => requireVersionTransition(version, 'discard')),
  ...rebaseAttempt(app, version, submission),
});

/** The action that both the owner and an administrator can do. */
const rebaseAttempt = (app: App, version: AppVersion, submission: Submission | null) => ({
  rebaseAppVersion: attempt(contract.rebaseAppVersion, (caller) =>
    requireRebasable(caller, { app, version }, submission),
  ),
});

/** The actions of an administrator on a version. */
export const administratorAttempts = (
  { app, developer }: { app: App; developer: Developer },
  version: AppVersion,
  submission: Submission | null,
) => ({
  claimReview: attempt(claimReview, (caller) => requireClaimable(caller, developer, submission)),
  releaseReview: attempt(releaseReview, (caller) => requireReleasable(caller, submission)),
  approveAppVersion: attempt(contract.approveAppVersion, (caller) =>
    requireDecidableVersion(caller, 'approve', { app, version, developer }, submission),
  ),
  rejectAppVersion: attempt(contract.rejectAppVersion, (caller) =>
    requireDecidableVersion(caller, 'reject', { app, version, developer }, submission),
  ),
  ...rebaseAttempt(app, version, submission),
});

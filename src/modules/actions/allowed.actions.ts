import { attempt } from '../../operations/allowed-actions.js';
import { createApiKey } from '../api-keys/api-key.contract.js';
import * as apps from '../apps/app.contract.js';
import * as developers from '../developers/developer.contract.js';
import type { Developer } from '../developers/developer.entity.js';
import { requireReinstated, requireSubmitter } from '../developers/developer.rules.js';
import type { App } from '../listings/app.entity.js';
import {
  requireEditableByAdministrator,
  requireEditableByDeveloper,
  requireFeaturable,
  requireTransition,
  requireTransitionOrDone,
} from '../listings/app-state.rules.js';
import type { AppVersion } from '../listings/app-version.entity.js';
import type { Finding } from '../listings/finding.types.js';
import { requireReadyForReview } from '../listings/listing.rules.js';
import {
  requireEditableVersion,
  requireNoOpenVersion,
  requireVersionable,
  requireVersionTransition,
} from '../listings/version-state.rules.js';
import * as review from '../review/review.contract.js';
import {
  requireClaimable,
  requireDecidableApp,
  requireDecidableVersion,
  requireRebasable,
  requireRejected,
  requireReleasable,
} from '../review/review.rules.js';
import type { Submission } from '../review/submission.entity.js';
import * as versions from '../versions/version.contract.js';

/** An app and its developer. */
export interface OwnedApp {
  app: App;
  developer: Developer;
}

/** The actions of an app's owner; `further` are findings about its images that would block a submission. */
export const appOwnerAttempts = (
  { app, developer }: OwnedApp,
  openVersion: AppVersion | null,
  further: readonly Finding[],
) => ({
  updateApp: attempt(apps.updateApp, () => requireEditableByDeveloper(app)),
  deleteApp: attempt(apps.deleteApp, () => requireEditableByDeveloper(app)),
  submitApp: attempt(apps.submitApp, () => {
    requireSubmitter(developer);
    requireTransition(app, 'submit');
    requireReadyForReview(app, further);
  }),
  withdrawApp: attempt(apps.withdrawApp, () => requireTransition(app, 'withdraw')),
  addressReason: attempt(review.addressReason, () => void requireRejected(app, openVersion)),
  messageReviewers: attempt(review.messageReviewers),
  createAppVersion: attempt(versions.createAppVersion, () => {
    requireVersionable(app);
    requireNoOpenVersion(openVersion);
  }),
});

/** The actions of an administrator on an app. */
export const appReviewAttempts = (owned: OwnedApp, submission: Submission | null) => ({
  ...claimAttempts(owned, submission),
  approveApp: attempt(review.approveApp, (caller) =>
    requireDecidableApp(caller, 'approve', owned, submission),
  ),
  rejectApp: attempt(review.rejectApp, (caller) => requireDecidableApp(caller, 'reject', owned, submission)),
  suspendApp: attempt(review.suspendApp, () => requireTransitionOrDone(owned.app, 'suspend')),
  restoreApp: attempt(review.restoreApp, () => requireTransitionOrDone(owned.app, 'restore')),
  featureApp: attempt(review.featureApp, () => requireFeaturable(owned.app)),
  editApp: attempt(review.editApp, () => requireEditableByAdministrator(owned.app)),
  messageDeveloper: attempt(review.messageDeveloper),
});

/** The actions of a version's owner. */
export const versionOwnerAttempts = (
  { app, developer }: OwnedApp,
  version: AppVersion,
  submission: Submission | null,
  further: readonly Finding[],
) => ({
  updateAppVersion: attempt(versions.updateAppVersion, () => requireEditableVersion(version)),
  submitAppVersion: attempt(versions.submitAppVersion, () => {
    requireSubmitter(developer);
    requireVersionable(app);
    requireVersionTransition(version, 'submit');
    requireReadyForReview(version, further);
  }),
  withdrawAppVersion: attempt(versions.withdrawAppVersion, () =>
    requireVersionTransition(version, 'withdraw'),
  ),
  discardAppVersion: attempt(versions.discardAppVersion, () => requireVersionTransition(version, 'discard')),
  ...rebaseAttempt(app, version, submission),
});

/** The actions of an administrator on a version. */
export const versionReviewAttempts = (
  owned: OwnedApp,
  version: AppVersion,
  submission: Submission | null,
) => ({
  ...claimAttempts(owned, submission),
  approveAppVersion: attempt(versions.approveAppVersion, (caller) =>
    requireDecidableVersion(caller, 'approve', { ...owned, version }, submission),
  ),
  rejectAppVersion: attempt(versions.rejectAppVersion, (caller) =>
    requireDecidableVersion(caller, 'reject', { ...owned, version }, submission),
  ),
  ...rebaseAttempt(owned.app, version, submission),
});

const claimAttempts = ({ developer }: OwnedApp, submission: Submission | null) => ({
  claimReview: attempt(review.claimReview, (caller) => requireClaimable(caller, developer, submission)),
  releaseReview: attempt(review.releaseReview, (caller) => requireReleasable(caller, submission)),
});

/** The action that both the owner and an administrator can do. */
const rebaseAttempt = (app: App, version: AppVersion, submission: Submission | null) => ({
  rebaseAppVersion: attempt(versions.rebaseAppVersion, (caller) =>
    requireRebasable(caller, { app, version }, submission),
  ),
});

/** The actions of a developer on their own account. */
export const ownAccountAttempts = {
  updateMe: attempt(developers.updateMe),
  createApiKey: attempt(createApiKey),
  createApp: attempt(apps.createApp),
};

/** The actions of an administrator on a developer. */
export const developerAttempts = (developer: Developer) => ({
  verifyDeveloper: attempt(developers.verifyDeveloper, () => requireReinstated(developer, 'verify')),
  unverifyDeveloper: attempt(developers.unverifyDeveloper, () => requireReinstated(developer, 'unverify')),
  editDeveloper: attempt(developers.editDeveloper),
  suspendDeveloper: attempt(developers.suspendDeveloper),
  reinstateDeveloper: attempt(developers.reinstateDeveloper),
});

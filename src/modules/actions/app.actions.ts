import { attempt } from '../../operations/allowed-actions.js';
import * as apps from '../apps/app.contract.js';
import type { Developer } from '../developers/developer.entity.js';
import { requireSubmitter } from '../developers/developer.rules.js';
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
import { requireNoOpenVersion, requireVersionable } from '../listings/version-state.rules.js';
import * as review from '../review/review.contract.js';
import {
  requireClaimable,
  requireDecidableApp,
  requireRejected,
  requireReleasable,
} from '../review/review.rules.js';
import type { Submission } from '../review/submission.entity.js';
import { createAppVersion } from '../versions/version.contract.js';

/** The actions of an app's owner; `further` are findings about its images that would block a submission. */
export const developerAttempts = (
  { app, developer }: { app: App; developer: Developer },
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
  createAppVersion: attempt(createAppVersion, () => {
    requireVersionable(app);
    requireNoOpenVersion(openVersion);
  }),
});

/** The actions of an administrator on an app. */
export const administratorAttempts = (
  { app, developer }: { app: App; developer: Developer },
  submission: Submission | null,
) => ({
  claimReview: attempt(review.claimReview, (caller) => requireClaimable(caller, developer, submission)),
  releaseReview: attempt(review.releaseReview, (caller) => requireReleasable(caller, submission)),
  approveApp: attempt(review.approveApp, (caller) =>
    requireDecidableApp(caller, 'approve', { app, developer }, submission),
  ),
  rejectApp: attempt(review.rejectApp, (caller) =>
    requireDecidableApp(caller, 'reject', { app, developer }, submission),
  ),
  suspendApp: attempt(review.suspendApp, () => requireTransitionOrDone(app, 'suspend')),
  restoreApp: attempt(review.restoreApp, () => requireTransitionOrDone(app, 'restore')),
  featureApp: attempt(review.featureApp, () => requireFeaturable(app)),
  editApp: attempt(review.editApp, () => requireEditableByAdministrator(app)),
  messageDeveloper: attempt(review.messageDeveloper),
});

import { attempt } from '../../allowed-actions.js';
import * as review from '../review/review.contract.js';
import {
  requireClaimable,
  requireDecidableApp,
  requireEditableApp,
  requireFeaturableApp,
  requireRejected,
  requireReleasable,
  requireRestorableApp,
} from '../review/review.guards.js';
import type { Submission } from '../review/submission.entity.js';
import type { AppVersion } from '../versions/app-version.entity.js';
import { createAppVersion } from '../versions/version.contract.js';
import { requireNoOpenVersion, requireVersionable } from '../versions/version.lifecycle.js';
import * as apps from './app.contract.js';
import type { App } from './app.entity.js';
import { requireEditableByDeveloper, requireTransition, requireTransitionOrDone } from './app.lifecycle.js';
import { requireReadyForReview } from './app.submission.js';

/** What its owner could do with an app. */
export const developerAttempts = (app: App, openVersion: AppVersion | null) => ({
  updateApp: attempt(apps.updateApp, () => requireEditableByDeveloper(app)),
  deleteApp: attempt(apps.deleteApp, () => requireEditableByDeveloper(app)),
  submitApp: attempt(apps.submitApp, () => {
    requireTransition(app, 'submit');
    requireReadyForReview(app);
  }),
  withdrawApp: attempt(apps.withdrawApp, () => requireTransition(app, 'withdraw')),
  addressReason: attempt(review.addressReason, () => void requireRejected(app, openVersion)),
  messageReviewers: attempt(review.messageReviewers),
  createAppVersion: attempt(createAppVersion, () => {
    requireVersionable(app);
    requireNoOpenVersion(openVersion);
  }),
});

/** What an administrator could do with an app. */
export const administratorAttempts = (app: App, submission: Submission | null) => ({
  claimReview: attempt(review.claimReview, (caller) => requireClaimable(caller, app, submission)),
  releaseReview: attempt(review.releaseReview, (caller) => requireReleasable(caller, submission)),
  approveApp: attempt(review.approveApp, (caller) => requireDecidableApp(caller, 'approve', app, submission)),
  rejectApp: attempt(review.rejectApp, (caller) => requireDecidableApp(caller, 'reject', app, submission)),
  suspendApp: attempt(review.suspendApp, () => requireTransitionOrDone(app, 'suspend')),
  restoreApp: attempt(review.restoreApp, (caller) => requireRestorableApp(caller, app)),
  featureApp: attempt(review.featureApp, (caller) => requireFeaturableApp(caller, app)),
  editApp: attempt(review.editApp, (caller) => requireEditableApp(caller, app)),
  messageDeveloper: attempt(review.messageDeveloper),
});

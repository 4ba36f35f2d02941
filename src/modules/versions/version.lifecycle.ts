import { ServiceError } from '../../errors.js';
import { type App, AppStatus } from '../apps/app.entity.js';
import type { StatusChange } from '../apps/app.lifecycle.js';
import type { Finding } from '../apps/finding.types.js';
import { requireReadyForReview } from '../apps/listing.rules.js';
import { type AppVersion, VersionStatus } from './app-version.entity.js';

const { DRAFT, PENDING, APPROVED, REJECTED, DISCARDED } = VersionStatus;

/** Every way a version's state may change. */
export const versionTransitions = {
  submit: { from: [DRAFT, REJECTED], to: PENDING },
  withdraw: { from: [PENDING], to: DRAFT },
  approve: { from: [PENDING], to: APPROVED },
  reject: { from: [PENDING], to: REJECTED },
  discard: { from: [DRAFT, PENDING, REJECTED], to: DISCARDED },
} satisfies Record<string, { from: VersionStatus[]; to: VersionStatus }>;

type VersionTransition = keyof typeof versionTransitions;

/** The states in which a version is unfinished business: one at a time. */
export const openVersions: readonly VersionStatus[] = [DRAFT, PENDING, REJECTED];

export function requireVersionTransition(version: AppVersion, transition: VersionTransition): void {
  requireVersionStatus(version, transition, versionTransitions[transition].from);
}

export const requireEditableVersion = (version: AppVersion) =>
  requireVersionStatus(version, 'update', openVersions);

/** Moves a version along, or says why it cannot go there; answers what changed. The caller holds the row's lock. */
export function moveVersion(version: AppVersion, transition: VersionTransition): StatusChange<VersionStatus> {
  requireVersionTransition(version, transition);
  const before = version.status;
  const { to } = versionTransitions[transition];
  version.status = to;
  return { before: { status: before }, after: { status: to } };
}

export function requireVersionStatus(version: AppVersion, act: string, from: readonly VersionStatus[]): void {
  if (from.includes(version.status)) return;
  throw new ServiceError(
    'INVALID_TRANSITION',
    `The version is ${version.status}: "${act}" is possible only when it is ${from.join(' or ')}. Read its status again.`,
  );
}

/** Refuses a version of what is not live: there the app itself can be changed, or nothing can. */
export function requireVersionable(app: App): void {
  requireLive(app);
  if (app.status === AppStatus.APPROVED) return;
  throw new ServiceError(
    'INVALID_TRANSITION',
    `The app is ${app.status}: it has no live listing yet, so change the app itself.`,
  );
}

/** Refuses to bring anything of an app on its way that was taken down. */
export function requireLive(app: App): void {
  if (app.status !== AppStatus.SUSPENDED) return;
  throw new ServiceError(
    'APP_SUSPENDED',
    'The app was taken down by an administrator. Its versions can go on once it is restored; contact support.',
  );
}

/** Everything that a submission of a version needs; `further` is what else was found, and is asked for last. */
export function requireSubmittableVersion(
  app: App,
  version: AppVersion,
  further: () => readonly Finding[] = () => [],
): void {
  requireVersionable(app);
  requireVersionTransition(version, 'submit');
  requireReadyForReview(version, further());
}

export const openVersionExists = () =>
  new ServiceError(
    'INVALID_TRANSITION',
    'The app has an open version already. Edit, submit or discard that one first.',
  );

export function requireNoOpenVersion(open: AppVersion | null): void {
  if (open) throw openVersionExists();
}

import { ServiceError } from '../../errors.js';
import { type App, AppStatus } from './app.entity.js';
import type { StatusChange } from './app-state.rules.js';
import { type AppVersion, VersionStatus } from './app-version.entity.js';

const { DRAFT, PENDING, APPROVED, REJECTED, DISCARDED } = VersionStatus;

/** All allowed transitions of a version's status. */
export const versionTransitions = {
  submit: { from: [DRAFT, REJECTED], to: PENDING },
  withdraw: { from: [PENDING], to: DRAFT },
  approve: { from: [PENDING], to: APPROVED },
  reject: { from: [PENDING], to: REJECTED },
  discard: { from: [DRAFT, PENDING, REJECTED], to: DISCARDED },
} satisfies Record<string, { from: VersionStatus[]; to: VersionStatus }>;

type VersionTransition = keyof typeof versionTransitions;

/** The statuses of an open version. An app has at most one open version. */
export const openVersions: readonly VersionStatus[] = [DRAFT, PENDING, REJECTED];

export function requireVersionTransition(version: AppVersion, transition: VersionTransition): void {
  requireVersionStatus(version, transition, versionTransitions[transition].from);
}

export const requireEditableVersion = (version: AppVersion) =>
  requireVersionStatus(version, 'update', openVersions);

/** Changes a version's status and returns the change, or rejects if the transition is not allowed. The row must be locked. */
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
    `The version is ${version.status}, but "${act}" is possible only when it is ${from.join(' or ')}. Read its status again.`,
  );
}

/** Rejects if the app is not live: a version is a change of a live listing. */
export function requireVersionable(app: App): void {
  requireLive(app);
  if (app.status === AppStatus.APPROVED) return;
  throw new ServiceError(
    'INVALID_TRANSITION',
    `The app is ${app.status} and has no live listing yet. Change the app itself instead of creating a version.`,
  );
}

/** Rejects if the app was taken down. */
export function requireLive(app: App): void {
  if (app.status !== AppStatus.SUSPENDED) return;
  throw new ServiceError(
    'APP_SUSPENDED',
    'The app was taken down by an administrator. Its versions can be used again when it is restored. Contact support.',
  );
}

export function requireNoOpenVersion(open: AppVersion | null): void {
  if (!open) return;
  throw new ServiceError(
    'INVALID_TRANSITION',
    'The app already has an open version. Edit, submit or discard that one first.',
  );
}

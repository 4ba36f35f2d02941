import { revisionConflict, ServiceError } from '../../errors.js';
import { type App, AppStatus } from './app.entity.js';

/** All transitions that the status of an app can make. */
export const transitions = {
  submit: { from: [AppStatus.DRAFT, AppStatus.REJECTED], to: AppStatus.PENDING },
  withdraw: { from: [AppStatus.PENDING], to: AppStatus.DRAFT },
  approve: { from: [AppStatus.PENDING], to: AppStatus.APPROVED },
  reject: { from: [AppStatus.PENDING], to: AppStatus.REJECTED },
  suspend: { from: [AppStatus.APPROVED], to: AppStatus.SUSPENDED },
  restore: { from: [AppStatus.SUSPENDED], to: AppStatus.APPROVED },
} satisfies Record<string, { from: AppStatus[]; to: AppStatus }>;

type Transition = keyof typeof transitions;

/** The states in which each role may change an app; a developer may also delete it in these states. */
const editableBy: Record<'developer' | 'administrator', readonly AppStatus[]> = {
  developer: [AppStatus.DRAFT, AppStatus.PENDING, AppStatus.REJECTED],
  administrator: [AppStatus.APPROVED, AppStatus.SUSPENDED],
};

/** Changes the status of an app whose row the caller has locked; returns the old and new status. */
export function applyTransition(app: App, transition: Transition): StatusChange {
  requireTransition(app, transition);
  const before = app.status;
  const { to } = transitions[transition];
  app.status = to;
  return { before: { status: before }, after: { status: to } };
}

export function requireTransition(app: App, transition: Transition): void {
  const { from }: { from: readonly AppStatus[] } = transitions[transition];
  if (!from.includes(app.status)) throw invalidTransition(app, transition, from);
}

/** Returns true if the app already has the target status: a repeated call then changes nothing. */
export const isTransitionDone = (app: App, transition: Transition) =>
  app.status === transitions[transition].to;

/** Allows a transition, and its repetition. */
export function requireTransitionOrDone(app: App, transition: Transition): void {
  if (!isTransitionDone(app, transition)) requireTransition(app, transition);
}

/** A change of status, as the audit log records it. */
export interface StatusChange<Status = AppStatus> {
  before: { status: Status };
  after: { status: Status };
}

const invalidTransition = (app: App, action: string, from: readonly AppStatus[]) =>
  new ServiceError(
    'INVALID_TRANSITION',
    `The app is ${app.status}: "${action}" is possible only when it is ${from.join(' or ')}. Read its status again.`,
  );

/** Rejects changes by the developer once the app has been approved. */
export function requireEditableByDeveloper(app: App): void {
  if (editableBy.developer.includes(app.status)) return;
  throw app.status === AppStatus.APPROVED
    ? new ServiceError(
        'APP_APPROVED',
        'The app is approved, so it can be neither changed nor deleted. Create a new version and submit it for review (createAppVersion in GraphQL), or ask support for a small edit.',
      )
    : new ServiceError(
        'APP_SUSPENDED',
        'The app was taken down by an administrator, so it can be neither changed nor deleted. Contact support; once it is restored, submit a new version.',
      );
}

/** Rejects edits by an administrator while the developer can still change the app. */
export function requireEditableByAdministrator(app: App): void {
  if (!editableBy.administrator.includes(app.status))
    throw invalidTransition(app, 'edit', editableBy.administrator);
}

/** Rejects featuring an app that is not approved. */
export function requireFeaturable(app: App): void {
  if (app.status !== AppStatus.APPROVED) throw invalidTransition(app, 'feature', [AppStatus.APPROVED]);
}

export const isExpectedRevision = (revision: number, expected: ReadonlySet<number> | undefined) =>
  !expected || expected.has(revision);

/** Rejects an action that is based on an outdated revision. `changes` are those since that revision, if known. */
export function requireRevision(
  { revision }: { revision: number },
  expected: ReadonlySet<number> | undefined,
  changes: readonly object[] | null = null,
): void {
  if (isExpectedRevision(revision, expected)) return;
  throw revisionConflict(
    `It has changed since you read it: it is at revision ${revision}. Read it again, and repeat the request if it still applies.`,
    revision,
    changes,
  );
}

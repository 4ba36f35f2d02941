import { ServiceError } from '../../errors.js';
import { type App, AppStatus } from './app.entity.js';

/** Every way an app's state may change. What is not here does not happen. */
export const transitions = {
  submit: { from: [AppStatus.DRAFT, AppStatus.REJECTED], to: AppStatus.PENDING },
  withdraw: { from: [AppStatus.PENDING], to: AppStatus.DRAFT },
  approve: { from: [AppStatus.PENDING], to: AppStatus.APPROVED },
  reject: { from: [AppStatus.PENDING], to: AppStatus.REJECTED },
  suspend: { from: [AppStatus.APPROVED], to: AppStatus.SUSPENDED },
  restore: { from: [AppStatus.SUSPENDED], to: AppStatus.APPROVED },
} satisfies Record<string, { from: AppStatus[]; to: AppStatus }>;

type Transition = keyof typeof transitions;

/** The states in which the developer may change or delete an app. */
const editableBy: Record<'developer' | 'administrator', readonly AppStatus[]> = {
  developer: [AppStatus.DRAFT, AppStatus.PENDING, AppStatus.REJECTED],
  administrator: [AppStatus.APPROVED, AppStatus.SUSPENDED],
};

/** Moves an app along, or says why it cannot go there; answers what changed. The caller holds the row's lock. */
export function move(app: App, transition: Transition): StatusChange {
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

/** Whether the act has nothing left to do: repeating it then answers the same record. */
export const isAlready = (app: App, transition: Transition) => app.status === transitions[transition].to;

/** Lets a transition pass, and its repetition. */
export function requireTransitionOrDone(app: App, transition: Transition): void {
  if (!isAlready(app, transition)) requireTransition(app, transition);
}

/** A change of state, as the audit log records it. */
export interface StatusChange<Status = AppStatus> {
  before: { status: Status };
  after: { status: Status };
}

const invalidTransition = (app: App, act: string, from: readonly AppStatus[]) =>
  new ServiceError(
    'INVALID_TRANSITION',
    `The app is ${app.status}: "${act}" is possible only when it is ${from.join(' or ')}. Read its status again.`,
  );

/** Refuses a developer's change to what is public, or was. */
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

/** Refuses an administrator's correction of what is the developer's own to change. */
export function requireEditableByAdministrator(app: App): void {
  if (!editableBy.administrator.includes(app.status))
    throw invalidTransition(app, 'edit', editableBy.administrator);
}

/** Refuses to feature what is not public. */
export function requireFeaturable(app: App): void {
  if (app.status !== AppStatus.APPROVED) throw invalidTransition(app, 'feature', [AppStatus.APPROVED]);
}

/** Refuses to act on what the caller did not see. */
export function requireRevision(
  { revision }: { revision: number },
  expected: ReadonlySet<number> | undefined,
): void {
  if (!expected || expected.has(revision)) return;
  throw new ServiceError(
    'REVISION_CONFLICT',
    `It has changed: it is at revision ${revision}. Read it again, then decide on or change what you see.`,
  );
}

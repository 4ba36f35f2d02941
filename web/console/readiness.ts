import { inPlainWords } from '../client/words.ts';
import { counted } from '../components/counted.ts';
import type { AllowedAction } from './action-button.tsx';
import type { ListingFinding } from './listing-checks.ts';
import type { ListingEditing } from './listing-editing.ts';

/** An app or a version, as far as its submission is concerned. */
export interface SubmissionSubject {
  readonly status: string;
  readonly allowedActions: readonly AllowedAction[];
  readonly rejection: {
    readonly reasons: readonly {
      readonly field: string | null;
      readonly message: string;
      readonly addressed: boolean;
    }[];
  } | null;
  /** Differences of a version to the live listing; an app has none. */
  readonly changes?: readonly object[];
}

/** Says whether a listing can be submitted, and why not. The save bar and the panel beside the editor show it. */
export interface Readiness {
  readonly isWaiting: boolean;
  readonly canSubmit: boolean;
  /** Why it cannot be submitted, or how ready it is. */
  readonly text: string;
  readonly errors: readonly ListingFinding[];
  readonly warnings: readonly ListingFinding[];
  /** Number of reasons of the last rejection that are not ticked off. */
  readonly openReasons: number;
}

/** Returns what a listing needs before it is submitted by this operation. */
export function readinessOf(
  editing: ListingEditing,
  subject: SubmissionSubject,
  operation: string,
): Readiness {
  const errors = editing.findings.filter(({ severity }) => severity === 'ERROR');
  const warnings = editing.findings.filter(({ severity }) => severity === 'WARNING');
  const openReasons = openReasonsOf(subject).length;
  const obstacle = obstacleOf(editing, errors.length, subject, operation);
  return {
    isWaiting: isWaiting(subject),
    canSubmit: obstacle === null,
    text: obstacle ?? invitationOf(openReasons, warnings.length),
    errors,
    warnings,
    openReasons,
  };
}

/** Returns the reasons of the last rejection that are not ticked off. */
export const openReasonsOf = ({ rejection }: SubmissionSubject) =>
  rejection?.reasons.filter(({ addressed }) => !addressed) ?? [];

const isWaiting = ({ status }: SubmissionSubject) => status === 'PENDING';

function obstacleOf(
  { draft, isChecking }: ListingEditing,
  errors: number,
  subject: SubmissionSubject,
  operation: string,
): string | null {
  const isSaved = draft.changed.length === 0;
  if (isWaiting(subject)) return 'This is what the reviewer sees.';
  if (isSaved && isChecking) return 'Checking pictures and links…';
  if (errors > 0) return `${counted(errors, 'thing')} to fix before you submit.`;
  if (!isSaved) return 'Save your changes first.';
  const submit = subject.allowedActions.find(({ action }) => action === operation);
  if (submit?.code === 'DEVELOPER_NOT_VERIFIED') return 'You can submit it when your account is verified.';
  if (!submit?.allowed) return inPlainWords(submit?.message ?? '');
  return subject.changes?.length === 0
    ? 'Change something first: nothing differs from the live listing yet.'
    : null;
}

function invitationOf(openReasons: number, warnings: number): string {
  if (openReasons > 0) return openReasonsText(openReasons);
  return warnings > 0 ? `Ready, with ${counted(warnings, 'warning')}.` : 'Ready to submit.';
}

export const openReasonsText = (count: number): string =>
  count === 1 ? '1 reason is still open.' : `${count} reasons are still open.`;

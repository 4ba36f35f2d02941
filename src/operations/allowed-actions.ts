import type { Caller } from '../auth/caller.js';
import { type Policy, requireForPipelines, requireNotOwn } from '../auth/policy.js';
import { ServiceError } from '../errors.js';
import type { AllowedAction } from './allowed-action.types.js';
import type { Context } from './context.js';

/** Throws the error that a call would fail with; `owners` are the accounts that the subject belongs to. */
type Attempt = (caller: Caller | null, owners: readonly string[]) => void;

/** The parts of an operation that decide whom it admits. */
interface Admitting<C> {
  readonly policy: Policy<C>;
  readonly pipelineApp?: unknown;
}

/** Checks the policy of an operation, the rule about one's own subjects (D104), and then the guard that its service uses. */
export const attempt =
  <C>(operation: Admitting<C>, guard: (caller: C) => void = () => undefined): Attempt =>
  (caller, owners) => {
    const { policy } = operation;
    const admitted = policy.admit(caller, 'graphql');
    requireForPipelines(operation, caller);
    requireNotOwn(policy, caller, owners);
    guard(admitted);
  };

/** Rejects keys of pipelines at a field that shows more than the app that they work for (D409). */
export const requireWholeAccount = (caller: Caller | null): void => requireForPipelines({}, caller);

/** Returns the caller as an operation would see it; null if the operation would refuse them. */
export function admittedTo<C>(operation: Admitting<C>, caller: Caller | null): C | null {
  try {
    requireForPipelines(operation, caller);
    return operation.policy.admit(caller, 'graphql');
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

/** Returns for each operation whether the caller could call it now. Looking up the caller may fail: a credential may just have been revoked. */
export async function allowedActions(
  context: Pick<Context, 'caller'>,
  attempts: Record<string, Attempt>,
  owners: readonly string[] = [],
): Promise<AllowedAction[]> {
  const actions = Object.entries(attempts).map(async ([action, tryIt]) => {
    try {
      tryIt(await context.caller(), owners);
      return { action, allowed: true, code: null, message: null };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { action, allowed: false, code: error.code, message: error.message };
    }
  });
  return Promise.all(actions);
}

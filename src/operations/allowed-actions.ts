import type { Caller } from '../auth/caller.js';
import { type Policy, requireNotOwn } from '../auth/policy.js';
import { ServiceError } from '../errors.js';
import type { AllowedAction } from './allowed-action.types.js';
import type { Context } from './context.js';

/** Throws the error that a call would fail with; `owners` are the accounts that the subject belongs to. */
type Attempt = (caller: Caller | null, owners: readonly string[]) => void;

/** Checks the policy of an operation, the rule about one's own subjects (D104), and then the guard that its service uses. */
export const attempt =
  <C>({ policy }: { policy: Policy<C> }, guard: (caller: C) => void = () => undefined): Attempt =>
  (caller, owners) => {
    const admitted = policy.admit(caller, 'graphql');
    requireNotOwn(policy, caller, owners);
    guard(admitted);
  };

/** Returns the caller as an operation would see it; null if the operation would refuse them. */
export function admittedTo<C>({ policy }: { policy: Policy<C> }, caller: Caller | null): C | null {
  try {
    return policy.admit(caller, 'graphql');
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

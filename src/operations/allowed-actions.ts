import type { Caller } from '../auth/caller.js';
import { type Policy, requireForeign } from '../auth/policy.js';
import { ServiceError } from '../errors.js';
import type { AllowedAction } from './allowed-action.types.js';
import type { Context } from './context.js';

/** Throws the refusal that a call would get for something that belongs to these accounts. */
type Attempt = (caller: Caller | null, owners: readonly string[]) => void;

/** The operation's policy, whether it is one's own (D104), then the guard that the service itself uses. */
export const attempt =
  <C>({ policy }: { policy: Policy<C> }, guard: (caller: C) => void = () => undefined): Attempt =>
  (caller, owners) => {
    const admitted = policy.admit(caller, 'graphql');
    requireForeign(policy, caller, owners);
    guard(admitted);
  };

/** What each operation would answer to this caller now, whose credential may have just been revoked. */
export async function allowedActions(
  context: Pick<Context, 'caller'>,
  attempts: Record<string, Attempt>,
  owners: readonly string[] = [],
): Promise<AllowedAction[]> {
  const answers = Object.entries(attempts).map(async ([action, tryIt]) => {
    try {
      tryIt(await context.caller(), owners);
      return { action, allowed: true, code: null, message: null };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { action, allowed: false, code: error.code, message: error.message };
    }
  });
  return Promise.all(answers);
}

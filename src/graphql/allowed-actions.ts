import type { Caller } from '../auth/caller.js';
import { ServiceError } from '../errors.js';
import type { AllowedAction } from '../modules/apps/action.types.js';
import type { AnyOperation } from '../operation.js';

/** What each operation would answer to this caller now: its policy, then the guard that the service itself uses. */
export function allowedActions(
  caller: Caller | null,
  guards: Record<string, { operation: AnyOperation; guard: () => void }>,
): AllowedAction[] {
  return Object.entries(guards).map(([action, { operation, guard }]) => {
    try {
      operation.policy.admit(caller, 'graphql');
      guard();
      return { action, allowed: true, code: null, message: null };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { action, allowed: false, code: error.code, message: error.message };
    }
  });
}

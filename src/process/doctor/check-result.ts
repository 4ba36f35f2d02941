import { types } from 'node:util';

/** The result of one check. */
export interface CheckResult {
  /** The part of the service, such as `database`. */
  readonly area: string;
  readonly status: 'OK' | 'WARN' | 'FAIL';
  readonly message: string;
  /** The remedy; null if nothing is wrong. */
  readonly cure: string | null;
}

/** Creates the results of an area. */
export const resultsOf = (area: string) => ({
  ok: (message: string): CheckResult => ({ area, status: 'OK', message, cure: null }),
  warn: (message: string, cure: string): CheckResult => ({ area, status: 'WARN', message, cure }),
  fail: (message: string, cure: string): CheckResult => ({ area, status: 'FAIL', message, cure }),
});

/** Returns the reason of an error in one line, with its causes. */
export function reasonOf(error: unknown): string {
  if (!types.isNativeError(error)) return String(error);
  const reasons = 'errors' in error && Array.isArray(error.errors) ? error.errors : [error.cause];
  const known = reasons.filter(types.isNativeError).map(reasonOf);
  return [error.message, ...known].filter(Boolean).join(': ');
}

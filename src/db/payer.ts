import { AsyncLocalStorage } from 'node:async_hooks';
import { inTime } from './in-time.js';

/** Pays for the time that the database works on statements: the request that has caused them (D321). */
export interface Payer {
  chargeDatabaseTime(ms: number): void;
}

/** A request, as far as the database needs to know of it. */
export interface ScopedRequest {
  /** Time at which its response is due, by `performance.now()` (D329). */
  readonly deadlineAt: number;
}

/** The payer and the deadline of the running code, in one storage: Node copies every storage for each call of `run`. */
export interface RequestScope {
  readonly request: ScopedRequest | null;
  readonly payer: Payer | null;
}
const storage = new AsyncLocalStorage<RequestScope>();
const nobody: RequestScope = { request: null, payer: null };

/** Returns the scope of the running code. */
export const currentScope = (): RequestScope => storage.getStore() ?? nobody;

/** Returns the payer of the statements that are sent now; null for jobs, credentials and whatever else is free. */
export const currentPayer = (): Payer | null => storage.getStore()?.payer ?? null;

/** Returns the request that the running code belongs to; null outside of one. */
export const requestInScope = (): ScopedRequest | null => storage.getStore()?.request ?? null;

/** Returns the milliseconds that are left until the response of the request in scope is due; Infinity outside of a request. */
export const remainingMs = (): number => (requestInScope()?.deadlineAt ?? Infinity) - performance.now();

/** Runs a function whose statements, and those of all that it starts, are charged to a payer, or to nobody. */
export const chargedTo = <T>(payer: Payer | null, run: () => T): T =>
  storage.run({ request: requestInScope(), payer }, run);

/** Runs a function, and everything that it starts, for a request. */
export const runFor = <T>(request: ScopedRequest, payer: Payer, run: () => T): T =>
  storage.run({ request, payer }, run);

/** Returns a function that runs in the scope of this moment, wherever it is called. */
export function keepScope<Parameters extends unknown[], T>(run: (...parameters: Parameters) => T) {
  const scope = storage.getStore();
  return scope ? (...parameters: Parameters): T => storage.run(scope, run, ...parameters) : run;
}

/**
 * Runs a statement for several requests. It ends when the last of their responses is due, so that none of them fails for
 * the deadline of another one. Each pays the same part.
 */
export function runForAll<T>(scopes: readonly RequestScope[], run: () => T): T {
  if (scopes.length === 1) return storage.run(scopes[0]!, run);
  const payer: Payer = {
    chargeDatabaseTime(ms) {
      for (const scope of scopes) scope.payer?.chargeDatabaseTime(ms / scopes.length);
    },
  };
  const dueAt = ({ request }: RequestScope) => request?.deadlineAt ?? Infinity;
  const { request } = scopes.reduce((last, scope) => (dueAt(scope) > dueAt(last) ? scope : last));
  return storage.run({ request, payer }, run);
}

/** Runs what requests share that come later: the deadline of the first one does not end it. */
export const runForNoRequest = <T>(run: () => T, payer: Payer | null = null): T =>
  storage.run({ request: null, payer }, run);

/** Waits for work that is shared with other requests, until the response of this one is due. */
export function inOwnTime<T>(work: Promise<T>): Promise<T> {
  const leftMs = remainingMs();
  if (leftMs === Infinity) return work;
  return inTime(work, leftMs, () => Promise.reject(outOfTime()));
}

const outOfTime = () => Object.assign(new Error('the request has no time left'), { code: 'ETIMEDOUT' });

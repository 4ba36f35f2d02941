import { AsyncLocalStorage } from 'node:async_hooks';

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
interface Scope {
  readonly request: ScopedRequest | null;
  readonly payer: Payer | null;
}
const storage = new AsyncLocalStorage<Scope>();

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

/** Returns a payer that charges each of several callers with the same part. Callers without a payer have their part too. */
export const sharedPayer = (payers: readonly (Payer | null)[]): Payer => ({
  chargeDatabaseTime(ms) {
    for (const payer of payers) payer?.chargeDatabaseTime(ms / payers.length);
  },
});

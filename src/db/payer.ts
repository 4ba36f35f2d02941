import { AsyncLocalStorage } from 'node:async_hooks';

/** Pays for the time that the database works on statements: the request that has caused them (D321). */
export interface Payer {
  chargeDatabaseTime(ms: number): void;
}

const storage = new AsyncLocalStorage<Payer | null>();

/** Returns the payer of the statements that are sent now; null for jobs, credentials and whatever else is free. */
export const currentPayer = (): Payer | null => storage.getStore() ?? null;

/** Runs a function whose statements, and those of all that it starts, are charged to a payer, or to nobody. */
export const chargedTo = <T>(payer: Payer | null, run: () => T): T => storage.run(payer, run);

/** Returns a payer that charges each of several callers with the same part. Callers without a payer have their part too. */
export const sharedPayer = (payers: readonly (Payer | null)[]): Payer => ({
  chargeDatabaseTime(ms) {
    for (const payer of payers) payer?.chargeDatabaseTime(ms / payers.length);
  },
});

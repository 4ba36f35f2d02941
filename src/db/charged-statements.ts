import type { Client } from 'pg';
import { observeStatements } from './observed-statements.js';
import { currentPayer } from './payer.js';

/**
 * Charges each statement of a connection to the request that has sent it: the time from sending to the last row, or to
 * the error (D321). Prepared statements and those of the ORM pass here, so a statement that is added later is charged too.
 */
export function chargeStatements(client: Client): void {
  let lastEndedAt = 0;
  observeStatements(client, () => {
    const payer = currentPayer();
    if (!payer) return null;
    const requestedAt = performance.now();
    return () => {
      const endedAt = performance.now();
      // A connection executes one statement at a time: those that were requested together are sent one by one.
      payer.chargeDatabaseTime(endedAt - Math.max(requestedAt, lastEndedAt));
      lastEndedAt = endedAt;
    };
  });
}

import type { DatabaseClient } from './client.js';
import { observeStatements } from './observed-statements.js';
import { currentPayer, remainingMs } from './payer.js';

/**
 * Charges each statement of a connection to the request that has sent it: the time from sending to the last row, or to
 * the error (D321). Prepared statements and those of the ORM pass here, so a statement that is added later is charged too.
 * Ends the connection when the request has no time left (D329); a statement that PostgreSQL ends before needs no timer.
 */
export function followRequests(client: DatabaseClient, statementMs: number | null): void {
  let lastEndedAt = 0;
  observeStatements(client, () => {
    const payer = currentPayer();
    const leftMs = remainingMs();
    const isBounded = leftMs < (statementMs ?? Infinity);
    if (!payer && !isBounded) return null;
    const timer = isBounded ? setTimeout(() => client.abandon('the request has no time left'), leftMs) : null;
    const requestedAt = performance.now();
    return () => {
      if (timer) clearTimeout(timer);
      const endedAt = performance.now();
      // A connection executes one statement at a time: those that were requested together are sent one by one.
      payer?.chargeDatabaseTime(endedAt - Math.max(requestedAt, lastEndedAt));
      lastEndedAt = endedAt;
    };
  });
}

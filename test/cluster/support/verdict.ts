import { expect } from '@jest/globals';
import { until } from '../../support/mail-server.js';
import { recordFault } from './fault-table.js';
import { compare, type Sql } from './ledger.js';
import { say } from './processes.js';
import type { Workload } from './workload.js';

interface Fault {
  readonly fault: string;
  readonly times: number;
  readonly recoverySeconds: number;
}

const MAILS_WITHIN_MS = 60_000;

/**
 * Compares everything that the clients of a stopped load were told with the database, records the row of the fault, and
 * expects that nothing was lost, repeated or stale, that no client saw a wrong error, and that the jobs went on.
 */
export async function conclude(
  load: Workload,
  sql: Sql,
  { fault, times, recoverySeconds }: Fault,
  subjects = () => storedSubjects(load, sql),
): Promise<void> {
  const { acknowledged, unavailable, problems, staleReads, longestSeconds } = load.history;
  const { lost, duplicated } = await compare(load.ledger, load.stage, sql);
  recordFault({
    fault,
    times,
    acknowledged,
    lost: lost.length,
    duplicated: duplicated.length,
    recoverySeconds,
  });
  say(
    `${acknowledged} acknowledged, ${unavailable} got 503 or no response, the slowest response took ${longestSeconds.toFixed(1)} s`,
  );
  expect({ lost, duplicated, problems: problems.slice(0, 20), staleReads }).toEqual({
    lost: [],
    duplicated: [],
    problems: [],
    staleReads: 0,
  });
  await jobsWentOn(load, subjects);
}

/** Waits until the developer has a mail about each submission; a mail may come twice. */
async function jobsWentOn({ ledger }: Workload, subjects: () => Promise<string[]>): Promise<void> {
  const submitted = [...ledger.created].filter(([, id]) => id !== null && ledger.claims.has(id));
  let missing: string[] = [];
  await until(
    async () => {
      const sent = (await subjects()).join('\n');
      missing = submitted.map(([name]) => name).filter((name) => !sent.includes(name));
      return missing.length === 0;
    },
    () => `${missing.length} of ${submitted.length} mails were not sent, such as that about ${missing[0]}`,
    MAILS_WITHIN_MS,
  );
}

/** The subjects of the mails that a gateway without a mail server has stored. */
async function storedSubjects({ stage }: Workload, sql: Sql): Promise<string[]> {
  const rows = await sql<{ subject: string }>(
    `select subject from mails where recipient = '${stage.developer.email}'`,
  );
  return rows.map(({ subject }) => subject);
}

import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect } from '@jest/globals';
import type { OperationName } from '../../src/contract.js';
import type { AppJson } from '../support/actors.js';
import { type Api, apis, type Input, type Outcome, operationsOfBothApis } from '../support/api-client.js';
import { beforeTests } from '../support/before-tests.js';
import { connectTo } from '../support/database.js';
import { until } from '../support/mail-server.js';
import { type Service, startService } from '../support/service.js';
import { shared } from '../support/shared.js';

/** Number of callers that act at once in every race. */
export const callers = 50;

/** Time for which a gate waits for callers who do not come, on a busy machine. */
const patienceMs = 5_000;

/**
 * For services whose callers must all get their turn: the last of fifty waits for all others, which takes longer than the
 * usual time-outs on a busy machine.
 */
export const patient = {
  databaseTimeouts: {
    connectMs: 60_000,
    lockMs: 60_000,
    statementMs: 60_000,
    idleInTransactionMs: 60_000,
    silenceMs: 70_000,
  },
};

/** Leaves it to the database to order concurrent writes. */
export const unbounded = {
  ...patient,
  writeBounds: { total: callers + 10, perCaller: callers + 10, perResource: callers + 10 },
};

/** A service whose pool lets all callers into the database at the same time. */
export const startRacingService = (settings: Record<string, string> = {}) =>
  startService({ DATABASE_POOL: String(2 * callers), ...settings }, undefined, unbounded);

/** One racing service for all races that need no settings. */
export const racingService = shared(() => startRacingService());

/** One list with an entry for each caller. */
export const fifty = <T>(make: (index: number) => T): T[] =>
  Array.from({ length: callers }, (_, i) => make(i));

/** A call that has not been made yet. */
export type Entry<T = AppJson> = () => Promise<Outcome<T>>;

/** REST or GraphQL at random, or the only one that the operation has. */
export const anyDoor = (name: OperationName): Api =>
  operationsOfBothApis.includes(name) ? apis[Math.floor(Math.random() * apis.length)]! : 'graphql';

/** Delays a call by up to this many milliseconds, so that rounds interleave differently. */
export const within =
  <T>(milliseconds: number, later: Entry<T>): Entry<T> =>
  async () => {
    await delay(Math.random() * milliseconds);
    return later();
  };

export const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);

/** Starts all calls at once, in any order; returns the outcomes in the order of the entries. */
export async function race<T>(entries: readonly Entry<T>[]): Promise<Outcome<T>[]> {
  const outcomes = new Array<Outcome<T>>(entries.length);
  const start = async (index: number) => {
    outcomes[index] = await entries[index]!();
  };
  await Promise.all(shuffled([...entries.keys()]).map(start));
  const broken = outcomes.filter(
    ({ code, status }) => status >= 500 || code === 'INTERNAL' || code === 'UNAVAILABLE',
  );
  expect(broken.map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
  return outcomes;
}

type Table = 'developers' | 'api_keys' | 'apps' | 'app_versions' | 'submissions';

/**
 * A race whose callers all meet in front of a table: they may read it and lock its rows, but writing waits
 * until all callers wait. A caller that has read without a lock then acts on stale data.
 */
async function gatedRace<T>(
  service: Service,
  table: Table,
  entries: readonly Entry<T>[],
  beforeOpening: () => void = () => undefined,
): Promise<Outcome<T>[]> {
  const gate = await connectTo(service.databaseUrl);
  await gate.query(`begin; lock table ${table} in share mode`);
  let answered = 0;
  const counted = entries.map((later) => () => later().finally(() => (answered += 1)));
  const open = async () => {
    try {
      const deadline = Date.now() + patienceMs;
      while (answered + (await waiting(service)) < entries.length && Date.now() < deadline) await delay(5);
      beforeOpening();
    } finally {
      await gate.end();
    }
  };
  const [outcomes] = await Promise.all([race(counted), open()]);
  return outcomes;
}

async function waiting(service: Service): Promise<number> {
  const [row] = await service.sql<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row!.count;
}

/** Counts the outcomes by error code; a success is OK. */
export function tally(outcomes: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code } of outcomes) counts[code ?? 'OK'] = (counts[code ?? 'OK'] ?? 0) + 1;
  return counts;
}

export const winners = <T>(outcomes: readonly Outcome<T>[]): T[] =>
  outcomes.filter(({ code }) => code === null).map(({ data }) => data);

/** Resolves when this many transactions wait for a lock. */
export const waitingFor = (service: Service, count: number): Promise<unknown> =>
  until(async () => (await waiting(service)) >= count, `fewer than ${count} transactions wait for a lock`);

/** Checks that the service is ready, and that no transaction was left open. */
export async function expectHealthy(service: Service): Promise<void> {
  const response = await service.client.request('GET', '/readyz');
  expect(response.status).toBe(200);
  const left = await service.sql(
    `select state, query from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and (state like 'idle in transaction%' or wait_event_type = 'Lock')`,
  );
  expect(left).toEqual([]);
}

/** What callers do on a service, which must be healthy after each test; on the shared one if none is given. */
export function racing(service: Service = beforeTests(racingService)) {
  afterEach(() => expectHealthy(service));
  const gated = <T>(table: Table, entries: readonly Entry<T>[], beforeOpening?: () => void) =>
    gatedRace(service, table, entries, beforeOpening);
  return {
    service,
    /** A call to be made later, over REST or GraphQL. */
    entry:
      <T = AppJson>(name: OperationName, input: Input, bearer: string | null): Entry<T> =>
      () =>
        service.client.call<T>(anyDoor(name), name, input, bearer),
    gatedRace: gated,
    /** A gated race of fifty callers. */
    gatedFifty: <T>(table: Table, make: (index: number) => Entry<T>) => gated(table, fifty(make)),
    /** Locks rows in a transaction of its own, until the returned function ends it. */
    async holdRows(statement: string, values: unknown[]): Promise<() => Promise<void>> {
      const holder = await connectTo(service.databaseUrl);
      await holder.query('begin');
      await holder.query(statement, values);
      return () => holder.end();
    },
    /** Resolves when this many transactions wait for a lock. */
    waitingFor: (count: number) => waitingFor(service, count),
    /** Counts the recorded notifications of a kind. */
    async notificationsOf(kind: string, subject: string): Promise<number> {
      const [row] = await service.sql<{ count: number }>(
        `select count(*)::int as count from pgboss.job where name = 'notifications' and data->>'kind' = $1
         and $2 in (data->>'appId', data->>'keyId', data->>'developerId')`,
        [kind, subject],
      );
      return row!.count;
    },
  };
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { pino } from 'pino';
import type { AppOptions } from '../../src/app/options.js';
import { createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import type { OperationName } from '../../src/contract.js';
import { buildGraphQLSchema } from '../../src/graphql/schema.js';
import { listen } from '../../src/server/listener.js';
import { Actors, type AppJson } from '../support/actors.js';
import {
  type Api,
  ApiClient,
  apis,
  type Input,
  type Outcome,
  operationsOfBothApis,
} from '../support/api-client.js';
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

/** One more gateway on the service's database. Account tokens are valid at the gateway that issued them; API keys at both. */
export async function secondGateway(
  service: Service,
  settings: Record<string, string> = {},
  options: Pick<AppOptions, 'writeBounds' | 'databaseTimeouts'> = {},
): Promise<Actors & { close(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-test-'));
  const listener = await listen('127.0.0.1', 0);
  const url = `http://127.0.0.1:${listener.port}`;
  const environment = {
    DATA_DIR: dataDir,
    WORKER: 'off',
    WEB: 'off',
    RATE_LIMITS: 'off',
    REQUEST_SECONDS: '120',
    ...settings,
  };
  const gateway = await createApp(loadConfig(environment), {
    databaseUrl: service.databaseUrl,
    log: pino({ level: 'silent' }),
    publicUrl: url,
    assetChecks: { resolve: async () => [] },
    ...options,
  });
  listener.serve(gateway.handler);
  const close = async () => {
    await listener.close({ withinMs: 0, signal: AbortSignal.abort() });
    await gateway.close();
    await rm(dataDir, { recursive: true });
  };
  return Object.assign(new Actors(new ApiClient(url, await buildGraphQLSchema()), service.sql), { close });
}

/** One list with an entry for each caller. */
export const fifty = <T>(make: (index: number) => T): T[] =>
  Array.from({ length: callers }, (_, i) => make(i));

/** A call that has not been made yet. */
export type Entry<T = AppJson> = () => Promise<Outcome<T>>;

/** REST or GraphQL at random, or the only one that the operation has. */
export const anyDoor = (name: OperationName): Api =>
  operationsOfBothApis.includes(name) ? apis[Math.floor(Math.random() * apis.length)]! : 'graphql';

/** A call to be made later, over REST or GraphQL. */
export const entry =
  <T = AppJson>(service: Service, name: OperationName, input: Input, bearer: string | null): Entry<T> =>
  () =>
    service.client.call<T>(anyDoor(name), name, input, bearer);

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

/**
 * A race whose callers all meet in front of a table: they may read it and lock its rows, but writing waits
 * until all callers wait. A caller that has read without a lock then acts on stale data.
 */
export async function gatedRace<T>(
  service: Service,
  table: 'developers' | 'api_keys' | 'apps' | 'app_versions' | 'submissions',
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

/** A gated race of fifty callers. */
export const gatedFifty = <T>(
  service: Service,
  table: Parameters<typeof gatedRace>[1],
  make: (index: number) => Entry<T>,
): Promise<Outcome<T>[]> => gatedRace(service, table, fifty(make));

/** Locks rows in a transaction of its own, until the returned function ends it. */
export async function holdRows(
  service: Service,
  statement: string,
  values: unknown[],
): Promise<() => Promise<void>> {
  const holder = await connectTo(service.databaseUrl);
  await holder.query('begin');
  await holder.query(statement, values);
  return () => holder.end();
}

/** Resolves when this many transactions wait for a lock. */
export const waitingFor = (service: Service, count: number): Promise<void> =>
  until(
    async () => (await waiting(service)) >= count,
    60_000,
    () => `fewer than ${count} transactions wait for a lock`,
  );

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

/** Counts the recorded notifications of a kind. */
export async function notificationsOf(service: Service, kind: string, subject: string): Promise<number> {
  const [row] = await service.sql<{ count: number }>(
    `select count(*)::int as count from pgboss.job
     where name = 'notifications' and data->>'kind' = $1 and $2 in (data->>'appId', data->>'keyId', data->>'developerId')`,
    [kind, subject],
  );
  return row!.count;
}

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

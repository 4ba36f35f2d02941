import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { Client } from 'pg';
import type { OperationName } from '../../src/contract.js';
import type { AppJson } from '../support/actors.js';
import { type Door, doors, type Input, type Outcome, operationsAtBothDoors } from '../support/doors.js';
import { type Service, startService } from '../support/service.js';

/** How many callers act at once in every race. */
export const callers = 50;

/** How long a gate waits for callers who do not come, on a busy machine. */
const patienceMs = 5_000;

/** A service whose pool lets all callers into the database at the same time. */
export const startRacingService = (settings: Record<string, string> = {}) =>
  startService({ DATABASE_POOL: String(callers + 10), ...settings });

/** One list with an entry for each caller. */
export const fifty = <T>(make: (index: number) => T): T[] =>
  Array.from({ length: callers }, (_, i) => make(i));

/** A call that has not been made yet. */
export type Entry<T = AppJson> = () => Promise<Outcome<T>>;

/** Goes through a random door, or through the only one there is. */
export const anyDoor = (name: OperationName): Door =>
  operationsAtBothDoors.includes(name) ? doors[Math.floor(Math.random() * doors.length)]! : 'graphql';

/** An act that is yet to be done, through any door. */
export const entry =
  <T = AppJson>(service: Service, name: OperationName, input: Input, bearer: string | null): Entry<T> =>
  () =>
    service.doors.call<T>(anyDoor(name), name, input, bearer);

/** Later by up to so many milliseconds, so that rounds interleave differently. */
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

/** Lets everybody go at once, in any order; the answers come back in the order of the entries. */
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
 * until everybody has come as far as they can. Whoever read without a lock then acts on what is no longer so.
 */
export async function gatedRace<T>(
  service: Service,
  table: 'developers' | 'api_keys' | 'apps' | 'app_versions' | 'submissions',
  entries: readonly Entry<T>[],
  beforeOpening: () => void = () => undefined,
): Promise<Outcome<T>[]> {
  const gate = new Client({ connectionString: service.databaseUrl });
  await gate.connect();
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

/** Resolves when so many transactions wait for a lock. */
export async function waitingFor(service: Service, count: number): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while ((await waiting(service)) < count && Date.now() < deadline) await delay(5);
}

async function waiting(service: Service): Promise<number> {
  const [row] = await service.sql<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row!.count;
}

/** How often each answer was given; a success is OK. */
export function tally(outcomes: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code } of outcomes) counts[code ?? 'OK'] = (counts[code ?? 'OK'] ?? 0) + 1;
  return counts;
}

export const winners = <T>(outcomes: readonly Outcome<T>[]): T[] =>
  outcomes.filter(({ code }) => code === null).map(({ data }) => data);

/** How often people are told of something, all in all. */
export async function notificationsOf(service: Service, kind: string, subject: string): Promise<number> {
  const [row] = await service.sql<{ count: number }>(
    `select count(*)::int as count from pgboss.job
     where name = 'notifications' and data->>'kind' = $1 and $2 in (data->>'appId', data->>'keyId', data->>'developerId')`,
    [kind, subject],
  );
  return row!.count;
}

/** The service answers, and no transaction was left open. */
export async function expectHealthy(service: Service): Promise<void> {
  const response = await service.doors.request('GET', '/readyz');
  expect(response.status).toBe(200);
  const left = await service.sql(
    `select state, query from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and (state like 'idle in transaction%' or wait_event_type = 'Lock')`,
  );
  expect(left).toEqual([]);
}

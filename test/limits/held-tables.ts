import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { connectTo } from '../support/database.js';
import { until } from '../support/mail-server.js';
import type { Service } from '../support/service.js';

/** Tables that every list and every search of the catalog reads. */
export const catalogTables = '^app';

/** Locks on tables of a service's database: every statement on them waits until they are released. */
export class HeldTables {
  private constructor(private readonly client: Client) {}

  /** Locks all tables whose names match. */
  static async lock({ databaseUrl }: Pick<Service, 'databaseUrl'>, names: string): Promise<HeldTables> {
    const client = await connectTo(databaseUrl);
    const { rows } = await client.query<{ names: string }>(
      `select string_agg(tablename, ', ') as names from pg_tables where schemaname = 'public' and tablename ~ $1`,
      [names],
    );
    await client.query(`begin; lock table ${rows[0]!.names} in access exclusive mode`);
    return new HeldTables(client);
  }

  /** Resolves when this many statements wait for the tables. */
  async areWantedBy(statements: number): Promise<void> {
    const text = `select count(distinct pid)::integer as waiting from pg_locks
      where not granted and database = (select oid from pg_database where datname = current_database())`;
    const waiting = async () => (await this.client.query<{ waiting: number }>(text)).rows[0]!.waiting;
    await until(async () => (await waiting()) >= statements, 'no statement waits');
  }

  async release(): Promise<void> {
    await this.client.query('rollback');
    await this.client.end();
  }
}

interface Holding {
  tables: string;
  /** Time for which the statements wait. */
  ms: number;
  /** The number of statements that wait. */
  statements?: number;
}

/** Makes the statements that a function starts take at least this long. */
export async function whileHeld<T>(
  service: Pick<Service, 'databaseUrl'>,
  { tables, ms, statements = 1 }: Holding,
  during: () => Promise<T>,
): Promise<T> {
  const held = await HeldTables.lock(service, tables);
  try {
    const result = during();
    await held.areWantedBy(statements);
    await delay(ms);
    await held.release();
    return await result;
  } catch (error) {
    await held.release().catch(() => undefined);
    throw error;
  }
}

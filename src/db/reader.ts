import pg from 'pg';
import type { Logger } from 'pino';

/** A hand-written read. The name stands for the text: each connection parses and plans it once. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

const CONNECT_WITHIN_MS = 5_000;
/**
 * A plan is made once for all values, since every statement is written so that one plan serves; none is compiled. It must
 * not depend on how long ago a table was vacuumed either: after many installs the planner would rather read all of
 * `app_figures` than look a few up, which takes ten times as long.
 */
export const sessionSettings = `
  set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set random_page_cost = 1.1; set jit = off;
  set work_mem = 32768; set client_min_messages = warning`;

/** Connections for hot reads alone: prepared statements, plain rows, and never a wait behind writes. */
export class Reader {
  private readonly pool: pg.Pool;

  constructor(databaseUrl: string, writers: number, log: Logger) {
    this.pool = new pg.Pool({
      connectionString: databaseUrl,
      max: Math.max(2, Math.ceil(writers / 2)),
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      onConnect: async (client) => void (await client.query(sessionSettings)),
    });
    // An idle connection that breaks is replaced when next needed.
    this.pool.on('error', (error) => log.warn({ err: error }, 'An idle connection to the database broke'));
  }

  async rows<Row extends object>({ name, text, values }: Statement): Promise<Row[]> {
    const { rows } = await this.pool.query<Row>({ name, text, values: [...values] });
    return rows;
  }

  /** Fails while the database cannot be reached. */
  async ping(): Promise<void> {
    await this.pool.query({ name: 'ping', text: 'select 1' });
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}

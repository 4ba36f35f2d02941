import type { Pool } from 'pg';
import { openPool, type PoolOptions } from './pool.js';

/** A prepared statement in SQL. Each connection parses and plans it once, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** Time after which the connection is given up; the pool's own where it is missing. */
  readonly timeoutMs?: number;
}

/** Executes statements that only read. */
export interface StatementReader {
  rows<Row extends object>(statement: Statement): Promise<Row[]>;
}

/**
 * Settings of the connections for reads. Every statement is written for one generic plan, so plans are made once and never
 * compiled. Sequential scans are off because a plan must not depend on the last vacuum: after many installs the planner
 * would scan all of `app_figures` instead of looking up a few rows.
 */
export const sessionSettings = `
  set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set random_page_cost = 1.1; set jit = off;
  set work_mem = 32768; set client_min_messages = warning`;

/**
 * PostgreSQL keeps the plans of a connection, which take memory, and there are thousands of combinations of
 * filters and orders. The frequent ones are fewer than this.
 */
export const maxPrepared = 150;

/** Connection pool for frequent reads: prepared statements and plain rows, separate from the connections that write. */
export class Reader implements StatementReader {
  private readonly pool: Pool;

  constructor(options: Omit<PoolOptions, 'purpose' | 'sessionSettings'> & { purpose?: 'reads' | 'replica' }) {
    this.pool = openPool({ purpose: 'reads', maxPrepared, ...options, sessionSettings });
  }

  async rows<Row extends object>({ name, text, values, timeoutMs }: Statement): Promise<Row[]> {
    const { rows } = await this.pool.query<Row>({
      name,
      text,
      values: [...values],
      ...(timeoutMs && { query_timeout: timeoutMs }),
    });
    return rows;
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}

import { sql } from 'kysely';
import { eventsWithIds } from '../events/audit-event.queries.js';

/** A table whose rows can be looked up by id. */
export type NodeTable = (typeof tables)[number] | 'audit_events';

/** A row that can be looked up by its id. */
export interface NodeRow {
  id: string;
}

const tables = [
  'apps',
  'app_versions',
  'review_messages',
  'developers',
  'ratings',
  'api_keys',
  'webhook_endpoints',
  'webhook_deliveries',
  'webhook_attempts',
  'submissions',
] as const;

/** Finds the table of each id; ids are unique among all tables. */
export const tablesContaining = (ids: readonly string[]) =>
  sql<{ id: string; table: NodeTable }>`${sql.join(
    tables.map(
      (table) =>
        sql`select id, ${sql.lit(table)} as "table" from ${sql.table(table)} where id = any(${ids}::uuid[])`,
    ),
    sql` union all `,
  )} union all ${eventsWithIds(ids, sql`id, 'audit_events' as "table"`)}`;

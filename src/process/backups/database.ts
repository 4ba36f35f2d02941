import type { Client } from 'pg';
import { migrationState } from '../../db/migration-state.js';
import { secretKeyIdsQuery } from '../../modules/webhooks/webhook-secret.service.js';
import type { Manifest, TableEntry } from './format.js';

/** Settings under which values have one text form, as pg_dump sets them. */
export const sessionSettings = `
  set client_encoding = 'UTF8'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set timezone = 'UTC';
  set extra_float_digits = 3; set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
  set synchronize_seqscans = off`;

/** Options of the connection of a backup. */
export const connectionTo = (url: string) =>
  ({ url, purpose: 'tools', connectionTimeoutMillis: 10_000 }) as const;

/**
 * All tables that hold rows, with the columns that are not computed. The audit log is one table, because its partitions
 * are named after months. The statistics of the job queue are left out: their tables are named after days, and nothing
 * reads them after a restore.
 */
const tablesQuery = `
  select format('%I.%I', n.nspname, c.relname) as name,
    array_agg(quote_ident(a.attname) order by a.attnum) as columns
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where (c.relkind = 'r' or c.oid = to_regclass('public.audit_events'))
    and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
    and not exists (select from pg_inherits i where i.inhrelid = c.oid
      and i.inhparent in (to_regclass('pgboss.queue_stats'), to_regclass('public.audit_events')))
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  group by 1 order by 1`;

const sequencesQuery = `
  select format('%I.%I', schemaname, sequencename) as name,
    coalesce(last_value, start_value)::text as value, last_value is not null as "isCalled"
  from pg_sequences order by 1`;

/** A table and its columns that are not computed. */
export type TableColumns = Pick<TableEntry, 'name' | 'columns'>;

/** Returns all tables of the database that hold rows. */
export async function readTables(client: Client): Promise<TableColumns[]> {
  const { rows } = await client.query<TableColumns>(tablesQuery);
  return rows.map(({ name, columns }) => ({ name, columns: [...columns] }));
}

/** Returns the sequences of the database, with their values. */
export async function readSequences(client: Client): Promise<Manifest['sequences']> {
  return (await client.query<Manifest['sequences'][number]>(sequencesQuery)).rows;
}

/** Counts the rows of a table, and sums up their hashes. */
export async function digestOf(
  client: Client,
  { name, columns }: TableColumns,
): Promise<Pick<TableEntry, 'rows' | 'digest'>> {
  const { rows } = await client.query<{ rows: string; digest: string }>(
    `select count(*) as rows,
       coalesce(sum(('x' || left(md5(line::text), 16))::bit(64)::bigint::numeric), 0)::text as digest
     from (select ${columns.join(', ')} from ${name}) line`,
  );
  return { rows: Number(rows[0]?.rows), digest: rows[0]?.digest ?? '' };
}

/** Describes the database as the current transaction sees it. */
export async function readManifest(client: Client, tables: TableEntry[]): Promise<Manifest> {
  const one = async <Row extends object>(sql: string) => (await client.query<Row>(sql)).rows;
  const [facts] = await one<{ postgres: string; job_queue: number }>(
    `select current_setting('server_version') as postgres, (select version from pgboss.version) as job_queue`,
  );
  const secretKeys = await one<{ key_id: string }>(secretKeyIdsQuery);
  return {
    format: 'marketplace-gateway backup 1',
    createdAt: new Date().toISOString(),
    postgres: facts?.postgres ?? '',
    migrations: await readMigrations(client),
    jobQueue: facts?.job_queue ?? 0,
    secretKeys: secretKeys.map(({ key_id }) => key_id),
    sequences: await readSequences(client),
    tables,
  };
}

/** Returns the names of the migrations that the database has. */
export async function readMigrations(client: Client): Promise<string[]> {
  const { executed } = await migrationState(async (sql) => (await client.query(sql)).rows);
  return [...executed];
}

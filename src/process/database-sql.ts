import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { withClient } from '../db/pool.js';
import { startEmbeddedDatabase } from '../embedded-postgres/embedded.js';
import { migrateDatabase } from './migrate.js';

/** The monthly partitions of the audit log are created as time passes. */
const isPermanent = (oid: string) => `not exists (select from pg_inherits i where i.inhrelid = ${oid})`;
const inSchema = (alias: string) => `${alias} = 'public'::regnamespace`;
/** Objects of extensions are not ours. */
const isOwn = (oid: string) =>
  `not exists (select from pg_depend e where e.objid = ${oid} and e.deptype = 'e')`;

const tables = `
  select c.oid::text as oid, c.relname as name, c.relpersistence = 'u' as unlogged, obj_description(c.oid, 'pg_class') as comment,
    array_to_string(array(select unnest(c.reloptions) order by 1), ', ') as options, pg_get_partkeydef(c.oid) as partitions
  from pg_class c where c.relkind in ('r', 'p') and ${inSchema('c.relnamespace')} and ${isPermanent('c.oid')}
    and ${isOwn('c.oid')} order by c.relname`;

const columns = `
  select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
    a.attgenerated <> '' as generated, pg_get_expr(d.adbin, d.adrelid) as value, l.collname as collation
  from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  left join pg_collation l on l.oid = a.attcollation and l.collname <> 'default'
  where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped order by a.attnum`;

/** A primary key first; the checks of required columns are with the columns. */
const constraints = `
  select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
  where conrelid = $1 and contype not in ('n', 't') order by contype <> 'p', conname`;

const indexes = `
  select pg_get_indexdef(i.indexrelid) as definition from pg_index i join pg_class c on c.oid = i.indexrelid
  where i.indrelid = $1 and not exists (select from pg_constraint p where p.conindid = i.indexrelid) order by c.relname`;

const triggers = `
  select pg_get_triggerdef(oid, true) as definition from pg_trigger
  where tgrelid = $1 and not tgisinternal order by tgname`;

const others = [
  [
    'Sequences',
    `
    select 'create sequence ' || sequencename as definition from pg_sequences where schemaname = 'public'
    order by sequencename`,
  ],
  [
    'Views',
    `
    select 'create view ' || relname || E' as\\n' || pg_get_viewdef(oid, true) as definition from pg_class c
    where relkind = 'v' and ${inSchema('relnamespace')} and ${isOwn('c.oid')} order by relname`,
  ],
  [
    'Functions',
    `
    select rtrim(pg_get_functiondef(p.oid)) || ';' as definition from pg_proc p
    where ${inSchema('pronamespace')} and ${isOwn('p.oid')} order by proname, pg_get_function_identity_arguments(p.oid)`,
  ],
] as const;

interface Column {
  name: string;
  type: string;
  required: boolean;
  generated: boolean;
  value: string | null;
  collation: string | null;
}

/** Writes the tables, indexes, triggers, views and functions of a new database as SQL, from PostgreSQL's own catalogs. */
export async function databaseSql(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-gateway-schema-'));
  // Under root PostgreSQL runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o711);
  try {
    const database = await startEmbeddedDatabase({ dataDir: folder, durable: false });
    try {
      await migrateDatabase(database.url);
      return await withClient({ url: database.url, purpose: 'tools' }, schemaOf);
    } finally {
      await database.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the schema of a database as SQL. */
export async function schemaOf(client: Client): Promise<string> {
  const definitions = async (query: string, values: string[] = []) =>
    (await client.query<{ name: string; definition: string }>(query, values)).rows;
  const parts = [
    '-- The schema of the database, written by `npm run schema`. The migrations in src/db/migrations create it.',
  ];
  const { rows } = await client.query(tables);
  for (const { oid, name, unlogged, comment, options, partitions } of rows) {
    const lines = [
      ...(await client.query<Column>(columns, [oid])).rows.map(columnText),
      ...(await definitions(constraints, [oid])).map((each) => `constraint ${each.name} ${each.definition}`),
    ];
    const suffix = `${partitions ? ` partition by ${partitions}` : ''}${options ? ` with (${options})` : ''}`;
    parts.push(
      `${comment ? `-- ${comment}\n` : ''}create ${unlogged ? 'unlogged ' : ''}table ${name} (\n  ${lines.join(',\n  ')}\n)${suffix};`,
      ...[...(await definitions(indexes, [oid])), ...(await definitions(triggers, [oid]))].map(
        ({ definition }) => `${definition};`,
      ),
    );
  }
  for (const [title, query] of others) {
    parts.push(`-- ${title}`);
    for (const { definition } of await definitions(query))
      parts.push(definition.endsWith(';') ? definition : `${definition};`);
  }
  return `${parts.join('\n\n')}\n`;
}

function columnText({ name, type, required, generated, value, collation }: Column): string {
  const preset =
    value === null ? '' : generated ? ` generated always as (${value}) stored` : ` default ${value}`;
  return `${name} ${type}${collation ? ` collate "${collation}"` : ''}${required ? ' not null' : ''}${preset}`;
}

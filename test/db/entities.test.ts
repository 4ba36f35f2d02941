import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MikroORM, UnderscoreNamingStrategy } from '@mikro-orm/postgresql';
import { ormOptions } from '../../mikro-orm.config.js';
import { beforeTests } from '../support/before-tests.js';
import { createTestDatabase } from '../support/database.js';

/** Tables that only SQL reads and writes, with the reason why there is no entity. */
const tablesWithoutEntity = {
  app_counts: 'counters of the catalog that triggers maintain',
  app_figures: 'install counts and sort keys: triggers and the batches of installs write them',
  app_names: 'names by their look: triggers insert them, a worker fills them in by one statement',
  app_search: 'search texts that triggers maintain',
  developer_names: 'names of developers by their look: triggers insert them, one statement fills them in',
  installations: 'installs are inserted in batches by one statement and never loaded one by one',
  installs_daily: 'counters of installs, written by the same statement and read as sums',
  publisher_tokens: 'ids of used pipeline tokens: one insert, which finds out whether there is one',
  stored_responses: 'stored responses of idempotent requests: one insert and one lookup, keyed by a hash',
  key_expiry_notices: 'written by the statement that selects the keys to give notice of',
  picture_checks: 'taken, written and read by one statement each, as JSON',
  rate_limits: 'belongs to rate-limiter-flexible',
  replication_marks: 'written and looked up by the gateways, to recognise the replicas of the primary',
  schema_migrations: 'belongs to the migrator of MikroORM',
  search_words: 'words of names that triggers maintain',
};

const viewsWithoutEntity = ['listed_texts', 'listed_words', 'queued_submissions'];

/** Statements by which MikroORM would change the database, and the reason why it must not. */
const exceptions: { statement: RegExp; reason: string }[] = [
  {
    statement: /^drop index "\w+"$/,
    reason: 'indexes are tuned in the migrations: partial, covering, or on expressions',
  },
  {
    statement: /^alter table "\w+" drop constraint "(?!\w+_fkey")\w+"$/,
    reason: 'check and unique constraints are in the migrations',
  },
  {
    statement: /^alter table "api_keys" add constraint "api_keys_scopes_check" check /,
    reason: 'the same check exists as api_keys_known_scopes',
  },
  {
    statement:
      /^alter table "\w+" drop constraint "(api_keys_created_by_key_id|api_keys_successor_id|asset_checks_app_id)_fkey"$/,
    reason: 'the entity has only the id, because the other row is never loaded through it',
  },
  {
    statement:
      /^alter table "apps" drop column "listed", drop column "sort_name", drop column "rating_sum", drop column "rating_counts"$/,
    reason: 'triggers and one statement of the ratings maintain them, and only SQL reads them',
  },
  {
    statement: /^alter table "audit_events" drop column "position"$/,
    reason: 'a trigger assigns it, and only the event feed reads it, by SQL',
  },
  {
    statement: /^alter table "webhook_endpoints" drop column "created_position"$/,
    reason: 'its default assigns it, and only the fan-out of events compares it, by SQL',
  },
  {
    statement: /^comment on table "\w+" is ''$/,
    reason: 'the migrations describe the tables',
  },
];

/** Names foreign keys as PostgreSQL does where a migration gives no name. */
class PostgresNames extends UnderscoreNamingStrategy {
  override indexName(
    table: string,
    columns: string[],
    type: Parameters<UnderscoreNamingStrategy['indexName']>[2],
  ) {
    return type === 'foreign' ? `${table}_${columns.join('_')}_fkey` : super.indexName(table, columns, type);
  }
}

describe('the entities', () => {
  let orm: MikroORM;
  const database = beforeTests(createTestDatabase);
  beforeAll(async () => {
    orm = await MikroORM.init({
      ...ormOptions(database.url, 2),
      namingStrategy: PostgresNames,
      // Initial values are set by the classes, and not by the database.
      discovery: { inferDefaultValues: false },
      schemaGenerator: {
        ignoreTriggers: true,
        ignoreRoutines: true,
        // The partitions of the audit log have the columns of the whole.
        skipTables: [...Object.keys(tablesWithoutEntity), /^audit_events_/],
        skipViews: viewsWithoutEntity,
      },
    });
  });
  afterAll(async () => {
    await orm.close();
    await database.drop();
  });

  it('agree with the migrated database in tables, columns, types, null, defaults and foreign keys', async () => {
    const sql = await orm.schema.getUpdateSchemaSQL({ wrap: false });
    const statements = sql.split(';\n').map((statement) => statement.trim().replace(/;$/, ''));
    const isException = (text: string) => exceptions.some(({ statement }) => statement.test(text));
    expect(statements.filter((text) => text !== '' && !isException(text))).toEqual([]);
    const unused = exceptions.filter(({ statement }) => !statements.some((text) => statement.test(text)));
    expect(unused).toEqual([]);
  });

  it('cover every table, apart from those with a reason', async () => {
    const tables = await orm.em
      .fork()
      .execute<{ name: string }[]>(
        "select relname as name from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace",
      );
    const mapped = [...orm.getMetadata().getAll().values()].map(({ tableName }) => tableName);
    const without = tables.map(({ name }) => name).filter((name) => !mapped.includes(name));
    expect(without.sort()).toEqual(Object.keys(tablesWithoutEntity).sort());
  });
});

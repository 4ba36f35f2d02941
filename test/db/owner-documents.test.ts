import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { migrations } from '../../src/db/migrations/list.js';
import { migrateDatabase } from '../../src/process/migrate.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';

const NAME = '0038-owner-documents';

describe('the migration to documents for owners (D283)', () => {
  let database: TestDatabase;
  let client: Client;
  let writer: Client;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    [client, writer] = [0, 1].map(() => new Client({ connectionString: database.url })) as [Client, Client];
    await Promise.all([client.connect(), writer.connect()]);
  });
  afterAll(async () => {
    await Promise.all([client.end(), writer.end()]);
    await database.drop();
  });

  const documents = async (table: string) =>
    (await client.query(`select to_jsonb(d) as document from ${table} d order by app_id`)).rows;

  it('fills in all apps in more than one batch, while others change them, and can be repeated', async () => {
    const names = migrations.map(({ name }) => name);
    await migrateDatabase(database.url, names.slice(0, names.indexOf(NAME)));
    await client.query(`
      insert into developers (id, account_user_id, name, email, status, verified_at, created_at, updated_at)
      values (gen_random_uuid(), '1', 'Ada', 'ada@mail.example', 'VERIFIED', now(), now(), now())`);
    await client.query(`
      insert into apps (id, developer_id, slug, name, description, category, environment, screenshots, status, featured,
        review_count, average_rating, revision, rejection, created_at, updated_at)
      select gen_random_uuid(), d.id, 'app-' || n, 'App ' || n, 'An app', 'UTILITIES', 'production',
        '[{"url":"https://a.example/1.png","order":0},{"url":"https://a.example/2.png","order":1,"caption":"Two"}]',
        'DRAFT', false, 0, 0, 1, case n % 3
          when 0 then jsonb '{"reasons":[{"code":"OTHER","message":"\\"No\\"","addressed":true}],"guidance":"Try","rejectedAt":"2026-01-01T00:00:00.000Z"}'
          when 1 then jsonb 'null' end, now(), now()
      from generate_series(1, 1300) n, developers d`);

    let isOver = false;
    const migrated = migrateDatabase(database.url).finally(() => {
      isOver = true;
    });
    let changes = 0;
    do {
      changes += 1;
      await writer.query(
        'update apps set revision = revision + 1, name = $1 where id = (select id from apps order by random() limit 1)',
        [`Changed ${changes}`],
      );
    } while (!isOver);
    await migrated;

    const filled = await documents('owner_documents');
    expect(filled).toHaveLength(1300);
    expect(filled).toEqual(await documents('computed_owner_documents'));
    const { rows } = await client.query(
      "select distinct (head || 0 || tail)::jsonb -> 'rejection' as rejection from owner_documents order by 1",
    );
    expect(rows).toEqual([
      { rejection: null },
      {
        rejection: {
          reasons: [{ code: 'OTHER', field: null, message: '"No"' }],
          guidance: 'Try',
          rejectedAt: '2026-01-01T00:00:00.000Z',
        },
      },
    ]);

    await client.query('delete from schema_migrations where name = $1', [NAME]);
    await client.query(
      'delete from owner_documents where app_id in (select app_id from owner_documents limit 700)',
    );
    await migrateDatabase(database.url);
    expect(await documents('owner_documents')).toEqual(filled);
    await client.query('select rebuild_catalog()');
    expect(await documents('owner_documents')).toEqual(filled);
  });
});

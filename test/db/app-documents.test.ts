import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { migrations } from '../../src/db/migrations/list.js';
import { migrateDatabase } from '../../src/process/migrate.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';

const NAME = '0034-app-documents';

describe('the migration to stored documents (D304)', () => {
  let database: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const documents = async () =>
    (await client.query('select to_jsonb(d) as document from app_documents d order by app_id')).rows;

  it('fills in the apps that are public, in more than one batch', async () => {
    const names = migrations.map(({ name }) => name);
    await migrateDatabase(database.url, names.slice(0, names.indexOf(NAME)));
    await client.query(`
      insert into developers (id, account_user_id, name, email, status, verified_at, created_at, updated_at)
      select gen_random_uuid(), n, 'Developer "' || n || '"', n || '@mail.example', 'VERIFIED', now(), now(), now()
      from generate_series(1, 2) n`);
    await client.query(`
      insert into apps (id, developer_id, slug, name, description, category, environment, screenshots, status, featured,
        review_count, average_rating, revision, submitted_at, approved_at, created_at, updated_at)
      select gen_random_uuid(), d.id, 'app-' || n, 'App ' || n, 'An app', 'UTILITIES', 'production',
        '[{"url":"https://a.example/1.png","order":0},{"url":"https://a.example/2.png","order":1,"caption":"Two"}]',
        case when n % 10 = 0 then 'DRAFT' else 'APPROVED' end, false, 0, 0, 1,
        case when n % 10 > 0 then now() end, case when n % 10 > 0 then now() end, now(), now()
      from generate_series(1, 1300) n join developers d on d.account_user_id = (1 + n % 2)::text`);
    await client.query(
      "update developers set status = 'SUSPENDED', status_before_suspension = status where account_user_id = '2'",
    );
    await migrateDatabase(database.url);
    const filled = await documents();
    const { rows } = await client.query('select count(*)::int as apps from apps where listed');
    expect(filled).toHaveLength(rows[0].apps);
    expect(rows[0].apps).toBeGreaterThan(500);
    await client.query('select rebuild_catalog()');
    expect(await documents()).toEqual(filled);
  });
});

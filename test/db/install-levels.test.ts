import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Client } from 'pg';
import { ormOptions } from '../../mikro-orm.config.js';
import { fillInstallLevels } from '../../src/modules/catalog/install-level.queries.js';
import { migrateDatabase } from '../../src/process/migrate.js';
import type { TestDatabase } from '../support/database.js';
import { databaseBefore } from './database-before.js';

const NAME = '0040-install-levels';
const APPS = 60;

describe('the levels of installs (D308)', () => {
  let before: Awaited<ReturnType<typeof databaseBefore>>;
  let database: TestDatabase;
  let clients: Client[];
  let client: Client;
  beforeAll(async () => {
    before = await databaseBefore(NAME, 9);
    ({ database, clients, client } = before);
    await client.query(`
      insert into developers (id, account_user_id, name, email, status, verified_at, created_at, updated_at)
      values (gen_random_uuid(), '1', 'Ada', 'ada@mail.example', 'VERIFIED', now(), now(), now())`);
    await client.query(`
      insert into apps (id, developer_id, slug, name, description, category, environment, screenshots, status, featured,
        review_count, average_rating, revision, submitted_at, approved_at, created_at, updated_at)
      select gen_random_uuid(), d.id, 'app-' || n, 'App ' || n, 'An app', 'UTILITIES', 'production',
        '[{"url":"https://a.example/1.png","order":0},{"url":"https://a.example/2.png","order":1}]', 'APPROVED',
        false, 0, 0, 1, now(), now(), now(), now()
      from generate_series(1, ${APPS}) n, developers d`);
  });
  afterAll(async () => {
    await before?.close();
  });

  /** Returns the numbers of apps without a level, and with one that does not fit their number of installs. */
  const levels = async () =>
    (
      await client.query<{ unknown: number; wrong: number }>(`
        select count(*) filter (where s.install_level is null)::integer as unknown,
          count(*) filter (where s.install_level <> floor(2 * ln(1 + f.install_count)))::integer as wrong
        from app_search s join app_figures f on f.id = s.app_id`)
    ).rows[0];

  /** Installs and edits apps on all connections but the first, until the work is done. */
  async function whileChanging(work: () => Promise<unknown>): Promise<void> {
    let isOver = false;
    const change = async (writer: Client, index: number) => {
      do {
        const one = '(select id from apps order by random() limit 1)';
        await writer.query(
          index % 2 === 0
            ? `update app_figures set install_count = install_count * 2 + 1 where install_count < 1000000 and id = ${one}`
            : `update apps set description = 'An app ' || random() where id = ${one}`,
        );
      } while (!isOver);
    };
    const changes = Promise.all(clients.slice(1).map(change));
    await work().finally(() => {
      isOver = true;
    });
    await changes;
  }

  it('are not known after the migration, and filled in while apps are installed and edited', async () => {
    await migrateDatabase(database.url);
    expect(await levels()).toEqual({ unknown: APPS, wrong: 0 });
    const orm = await MikroORM.init(ormOptions(database.url, 2));
    const fork = () => orm.em.fork() as EntityManager;
    await whileChanging(() => fillInstallLevels(fork, new AbortController().signal));
    await orm.close();
    expect(await levels()).toEqual({ unknown: 0, wrong: 0 });
  });

  it('always fit the numbers of installs', async () => {
    await client.query('update app_figures set install_count = 0');
    await whileChanging(async () => {
      for (let round = 0; round < 30; round += 1) {
        await client.query("update developers set company_name = 'Company ' || $1", [round]);
        expect(await levels()).toEqual({ unknown: 0, wrong: 0 });
      }
    });
    expect(await levels()).toEqual({ unknown: 0, wrong: 0 });
  });

  it('are set by a rebuild, and for apps that are listed again', async () => {
    await client.query("update developers set status = 'SUSPENDED', status_before_suspension = 'VERIFIED'");
    await client.query('update app_figures set install_count = 7');
    await client.query("update developers set status = 'VERIFIED', status_before_suspension = null");
    expect(await levels()).toEqual({ unknown: 0, wrong: 0 });
    await client.query('select rebuild_catalog()');
    expect(await levels()).toEqual({ unknown: 0, wrong: 0 });
    const { rows } = await client.query('select install_level, count(*)::integer from app_search group by 1');
    expect(rows).toEqual([{ install_level: 4, count: APPS }]);
    // Otherwise each new level would write all indexes.
    const indexes =
      "select from pg_indexes where tablename = 'app_search' and indexdef like '%install_level%'";
    expect((await client.query(indexes)).rows).toEqual([]);
  });
});

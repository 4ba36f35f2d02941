import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Client } from 'pg';
import { ormOptions } from '../../mikro-orm.config.js';
import { addUpWordCounts, maintainFrequentWords } from '../../src/modules/catalog/frequent-words.queries.js';
import { migrateDatabase } from '../../src/process/migrate.js';
import type { TestDatabase } from '../support/database.js';
import { databaseBefore } from './database-before.js';

const NAME = '0042-frequent-words';
const APPS = 120;
const never = new AbortController().signal;
const limits = { minApps: 1, minHits: 20, minPopular: 30 };

describe('the counts of frequent words (D314)', () => {
  let before: Awaited<ReturnType<typeof databaseBefore>>;
  let database: TestDatabase;
  let clients: Client[];
  let client: Client;
  let orms: MikroORM[];
  beforeAll(async () => {
    before = await databaseBefore(NAME, 9);
    ({ database, clients, client } = before);
    await client.query(`
      insert into developers (id, account_user_id, name, email, status, verified_at, created_at, updated_at)
      select gen_random_uuid(), n::text, 'Ada ' || n, 'ada' || n || '@mail.example', 'VERIFIED', now(), now(), now()
      from generate_series(1, 4) n`);
    await insertApps(client, APPS);
    await client.query('update app_figures set install_count = floor(exp(random() * 8))');
    await migrateDatabase(database.url);
    orms = await Promise.all([1, 2].map(() => MikroORM.init(ormOptions(database.url, 2))));
  });
  afterAll(async () => {
    await Promise.all((orms ?? []).map((orm) => orm.close()));
    await before?.close();
  });

  const words = "(array['red', 'green', 'blue', 'black', 'white', 'grey'])[1 + floor(random() * 6)::integer]";
  const insertApps = (to: Client, number: number) =>
    to.query(`
      insert into apps (id, developer_id, slug, name, description, category, environment, screenshots, status, featured,
        review_count, average_rating, revision, submitted_at, approved_at, created_at, updated_at)
      select gen_random_uuid(), d.id, 'app-' || gen_random_uuid(), 'App ' || gen_random_uuid(), ${words},
        (array['UTILITIES', 'FINANCE'])[1 + floor(random() * 2)::integer], 'production',
        '[{"url":"https://a.example/1.png","order":0},{"url":"https://a.example/2.png","order":1}]', 'APPROVED',
        random() < 0.5, 0, 0, 1, now(), now(), now(), now()
      from generate_series(1, ${number}) n, (select id from developers order by random() limit 1) d`);

  const one = '(select id from apps order by random() limit 1)';
  /** Changes that clients cause, by installs, edits, new apps, and suspensions of all apps of a developer. */
  const changes: readonly ((writer: Client) => Promise<unknown>)[] = [
    (writer) =>
      writer.query(
        `update app_figures set install_count = install_count * 2 + 1 where install_count < 1000000 and id = ${one}`,
      ),
    (writer) => writer.query(`update apps set description = ${words} || ' ' || ${words} where id = ${one}`),
    (writer) => writer.query(`update apps set featured = not featured, category = 'OTHER' where id = ${one}`),
    (writer) => insertApps(writer, 3),
    (writer) =>
      writer.query(
        `update apps set environment = (array['staging', 'production'])[1 + floor(random() * 2)::integer] where id = ${one}`,
      ),
    (writer) =>
      writer.query(`
        update developers set status = case status when 'VERIFIED' then 'SUSPENDED' else 'VERIFIED' end,
          status_before_suspension = case status when 'VERIFIED' then 'VERIFIED' end
        where id = (select id from developers order by random() limit 1)`),
    (writer) => writer.query(`update apps set description = ${words} where id = ${one}`),
    // A transaction that is rolled back, and lasts.
    async (writer) => {
      await writer.query('begin');
      await writer.query(`update apps set description = ${words} where id = ${one}`);
      await writer.query('select pg_sleep(0.05)');
      await writer.query(Math.random() < 0.5 ? 'rollback' : 'commit');
    },
  ];

  /** Changes apps on all connections but the first, until the work is done. */
  async function whileChanging(work: () => Promise<unknown>): Promise<void> {
    let isOver = false;
    const repeat = async (writer: Client, index: number) => {
      do {
        // Transactions that change several apps of one another may end each other; the client would send them again.
        await changes[index]!(writer).catch((error: { code?: string }) => {
          if (error.code !== '40P01') throw error;
        });
      } while (!isOver);
    };
    const all = Promise.all(clients.slice(1).map(repeat));
    await work().finally(() => {
      isOver = true;
    });
    await all;
  }

  /** Compares all counts with the apps, and the marks of popular apps with their levels, in one snapshot. */
  const differences = async () =>
    (
      await client.query<{ counts: number; marks: number; counted: number }>(`
        with counted as (select word from frequent_words where counted),
        known as (
          select word, category, environment, featured, sum(apps)::integer as apps from word_counts join counted using (word)
          group by 1, 2, 3, 4 having sum(apps) <> 0),
        found as (
          select w.word, s.category, s.environment, s.featured, count(*)::integer as apps
          from app_search s cross join unnest(tsvector_to_array(s.document)) w (word)
          join counted c on c.word = w.word group by 1, 2, 3, 4)
        select (
            select count(*)::integer from known k full join found f using (word, category, environment, featured)
            where k.apps is distinct from f.apps) as counts, (
            select count(*)::integer from app_search where install_level >= (select complete from popular_level)
              and not popular) as marks,
          (select count(*)::integer from counted) as counted`)
    ).rows[0];
  const none = { counts: 0, marks: 0, counted: expect.any(Number) };

  /** Begins with what autovacuum does: the size of the catalog is an estimate. */
  const maintain = async (orm: MikroORM) => {
    await orm.em.execute('analyze app_search');
    await maintainFrequentWords(() => orm.em.fork() as EntityManager, never, limits);
  };

  it('are always right while apps change and two workers add words, count them and add the counts up', async () => {
    await whileChanging(async () => {
      for (let round = 0; round < 15; round += 1) {
        // Words are counted for the first time in every third round.
        if (round % 3 === 0)
          await client.query('delete from frequent_words where word = any($1)', [someWords(round)]);
        let isWorking = true;
        const working = Promise.all(
          orms.map(async (orm) => {
            await maintain(orm);
            await addUpWordCounts(() => orm.em.fork() as EntityManager, never);
          }),
        ).finally(() => {
          isWorking = false;
        });
        while (isWorking) expect(await differences()).toEqual(none);
        await working;
        expect(await differences()).toEqual(none);
      }
    });
    expect((await differences())?.counted).toBeGreaterThan(3);
    const { rows } = await client.query('select marked, complete from popular_level');
    expect(rows).toEqual([{ marked: expect.any(Number), complete: rows[0]?.marked }]);
  });

  it.each([
    ['a word', `update apps set description = 'violet' where id = ${one}`],
    ['a mark', `update app_figures set install_count = 10000000 where id = ${one}`],
  ])('know of a change that was in progress when they were begun: of %s', async (_, change) => {
    await client.query("delete from frequent_words where word = 'violet'");
    await client.query('delete from popular_level');
    await client.query(
      "update apps set description = 'violet' where id in (select id from apps where listed limit 50)",
    );
    await client.query('update app_search set popular = false');
    const writer = clients[1]!;
    await writer.query('begin');
    await writer.query(
      change.replace(one, "(select app_id from app_search where not document @@ 'violet' limit 1)"),
    );
    const maintained = maintain(orms[0]!);
    await delay(1_000);
    await writer.query('commit');
    await maintained;
    expect((await client.query("select counted from frequent_words where word = 'violet'")).rows).toEqual([
      { counted: true },
    ]);
    expect((await client.query('select from popular_level where complete > 0')).rowCount).toBe(1);
    expect(await differences()).toEqual(none);
  });

  it('are added up', async () => {
    for (let round = 0; round < 300; round += 1)
      await client.query(
        'update apps set description = $1 where slug = (select min(slug) from apps where listed)',
        [round % 2 ? 'red' : 'grey'],
      );
    const mostRows = async () =>
      (
        await client.query<{ rows: number }>(
          'select max(c.rows)::integer as rows from (select count(*) as rows from word_counts group by word) c',
        )
      ).rows[0]?.rows;
    expect(await mostRows()).toBeGreaterThan(250);
    await addUpWordCounts(() => orms[0]!.em.fork() as EntityManager, never);
    expect(await mostRows()).toBeLessThan(200);
    expect(await differences()).toEqual(none);
  });

  it('are forgotten when the texts are, and counted again', async () => {
    await client.query('select rebuild_catalog()');
    expect(await differences()).toEqual({ ...none, counted: 0 });
    await maintain(orms[0]!);
    const { counted } = (await differences())!;
    expect(counted).toBeGreaterThan(3);
    expect(await differences()).toEqual({ ...none, counted });
  });
});

const someWords = (round: number) =>
  [
    ['red', 'green'],
    ['blue', 'black'],
    ['white', 'grey'],
    ['util', 'app'],
  ][(round / 3) % 4];

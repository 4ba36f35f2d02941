import { Migration } from '@mikro-orm/migrations';

/** With fewer public apps, a search reads all its hits in a few milliseconds, and nothing of this is used. */
const minApps = 20_000;

/**
 * For searches for words that very many apps have (D314): the number of apps with each of these words, so that the hits
 * need not be counted, and an index of the apps with the most installs, which has the first pages of such a search.
 */
export class FrequentWords extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.tables();
    this.counts();
    this.popularApps();
    this.rebuild();
  }

  /**
   * The number of apps with a word is the sum of its rows. A change of an app adds rows and locks none, so that changes
   * never wait for each other. The number is used only if the word is `counted`.
   */
  private tables(): void {
    this.addSql(`
      create table if not exists frequent_words (
        word text collate "C" primary key,
        counted boolean not null
      )`);
    this.addSql(`
      create table if not exists word_counts (
        word text collate "C" not null,
        category text not null,
        environment text not null,
        featured boolean not null,
        apps integer not null
      )`);
    this.addSql('drop index concurrently if exists word_counts_word');
    this.addSql('create index concurrently if not exists word_counts_word on word_counts (word)');
    // Apps from the level `marked` on are marked when they change; from `complete` on, all of them are.
    this.addSql(`
      create table if not exists popular_level (
        is_only_row boolean primary key default true check (is_only_row),
        marked integer not null,
        complete integer
      )`);
    this.addSql('alter table app_search add column if not exists popular boolean not null default false');
    this.addSql('drop index concurrently if exists app_search_popular');
    this.addSql(`
      create index concurrently if not exists app_search_popular on app_search using gin (document)
      with (fastupdate = off) where popular`);
  }

  /** A worker takes the lock alone to add a frequent word, so that each later change counts it. */
  private counts(): void {
    this.addSql(`
      create or replace function lock_frequent_words() returns void language sql
      return pg_advisory_xact_lock_shared(hashtextextended('frequent words', 0))`);
    const record = (rows: string) => `
        perform lock_frequent_words();
        insert into word_counts (word, category, environment, featured, apps)
        select f.word, r.category, r.environment, r.featured, sum(r.apps)
        from (${rows}) r cross join unnest(tsvector_to_array(r.document)) w (word)
        join frequent_words f on f.word = w.word
        group by 1, 2, 3, 4 having sum(r.apps) <> 0;
        return null;`;
    this.addSql(`
      create or replace function count_words_of_new_rows() returns trigger language plpgsql set enable_seqscan = off as $$
      begin${record('select a.document, a.category, a.environment, a.featured, 1 as apps from added a')}
      end $$`);
    this.addSql(`
      create or replace function count_words_of_row() returns trigger language plpgsql set enable_seqscan = off as $$
      begin${record(`select new.document, new.category, new.environment, new.featured, 1 as apps
          union all select old.document, old.category, old.environment, old.featured, -1`)}
      end $$`);
    this.addSql(`
      create or replace function forget_words() returns trigger language plpgsql as $$
      begin
        truncate frequent_words, word_counts;
        return null;
      end $$`);
    this.addSql(`
      create or replace trigger app_search_words_new after insert on app_search referencing new table as added
      for each statement execute function count_words_of_new_rows()`);
    // An install changes other columns.
    this.addSql(`
      create or replace trigger app_search_words after update of document, category, environment, featured or delete
      on app_search for each row execute function count_words_of_row()`);
    this.addSql(`
      create or replace trigger app_search_words_truncate after truncate on app_search
      for each statement execute function forget_words()`);
  }

  /** Like 0040, with the mark of the popular apps. */
  private popularApps(): void {
    this.addSql(`
      create or replace function is_popular(level integer) returns boolean
      language sql stable return coalesce(level >= (select marked from popular_level), false)`);
    // The highest level that enough apps have, so that a page of the apps with a frequent word is among them.
    this.addSql(`
      create or replace function fitting_popular_level(min_apps integer) returns integer language sql stable return (
        select max(l.level) from (
          select level_of_installs(install_count) as level,
            sum(count(*)) over (order by level_of_installs(install_count) desc) as apps
          from app_figures where listed group by 1) l
        where l.apps >= min_apps and l.level > 0)`);
    this.addSql(`
      create or replace function level_app() returns trigger language plpgsql
      set enable_seqscan = off as $$
      begin
        perform lock_frequent_words();
        update app_search set install_level = level_of_installs(new.install_count),
          popular = popular or is_popular(level_of_installs(new.install_count))
        where app_id = new.id;
        return null;
      end $$`);
    this.addSql(`
      create or replace function index_apps(ids uuid[]) returns void language plpgsql
      set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
      begin
        perform from app_figures where id = any(ids) order by id for no key update;
        perform lock_frequent_words();
        delete from app_search where app_id = any(ids) and not exists (select from apps where id = app_id and listed);
        insert into app_search (app_id, name, category, environment, featured, headline, document, install_level, popular)
        select t.app_id, t.name, t.category, t.environment, t.featured, t.headline, t.document, f.level, is_popular(f.level)
        from listed_texts t
        join (select id, level_of_installs(install_count) as level from app_figures) f on f.id = t.app_id
        where t.app_id = any(ids)
        on conflict (app_id) do update set name = excluded.name, category = excluded.category,
          environment = excluded.environment, featured = excluded.featured, headline = excluded.headline,
          document = excluded.document, install_level = excluded.install_level, popular = excluded.popular;
        insert into search_words (word) select distinct word from listed_words where app_id = any(ids) order by word
        on conflict do nothing;
      end $$`);
  }

  /** Like 0040, with the marks. The worker counts the words again. */
  private rebuild(): void {
    this.addSql(`
      create or replace function rebuild_catalog_lists() returns void language plpgsql as $$
      begin
        truncate app_search, search_words, app_counts, popular_level;
        insert into app_figures as f (id, listed, approved_at, category, environment, featured)
        select id, listed, approved_at, category, environment, featured from apps
        on conflict (id) do update set listed = excluded.listed, approved_at = excluded.approved_at,
          category = excluded.category, environment = excluded.environment, featured = excluded.featured
        where (f.listed, f.approved_at, f.category, f.environment, f.featured) is distinct from
          (excluded.listed, excluded.approved_at, excluded.category, excluded.environment, excluded.featured);
        drop index if exists app_search_name, app_search_document, app_search_popular;
        raise notice 'Reading the texts';
        create temporary table built_texts as select * from listed_texts;
        insert into popular_level (marked, complete)
        select l.level, l.level from (
          select fitting_popular_level(least(20000, count(*) / 5)::integer) as level
          from built_texts having count(*) >= ${minApps}) l
        where l.level is not null;
        raise notice 'Writing them down';
        alter table app_search disable trigger app_search_words_new;
        insert into app_search (app_id, name, category, environment, featured, headline, document, install_level, popular)
        select t.app_id, t.name, t.category, t.environment, t.featured, t.headline, t.document, f.level,
          coalesce(f.level >= p.marked, false)
        from built_texts t
        join (select id, level_of_installs(install_count) as level from app_figures) f on f.id = t.app_id
        left join popular_level p on true;
        alter table app_search enable trigger app_search_words_new;
        create index app_search_name on app_search (name, app_id);
        raise notice 'Indexing them';
        create index app_search_document on app_search using gin (document) with (fastupdate = off);
        create index app_search_popular on app_search using gin (document) with (fastupdate = off) where popular;
        insert into search_words (word) select distinct word from listed_words;
        insert into app_counts select category, environment, featured, 0, count(*) from apps where listed group by 1, 2, 3;
        drop table built_texts;
      end $$`);
  }
}

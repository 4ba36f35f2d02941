import { Migration } from '@mikro-orm/migrations';

/**
 * The level of each app's number of installs in `app_search`, so that a search looks up the numbers of the few hits that
 * may be on its page (D308), and narrow rows, so that many hits are on one page of the table. Rows from before have no
 * level, which means that it is not known: the worker writes them again.
 */
export class InstallLevels extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`-- squawk-ignore prefer-bigint-over-smallint
      alter table app_search add column if not exists install_level smallint`);
    // Room for the next level of a row. The column is in no index, so a new level then changes none.
    this.addSql(`-- squawk-ignore prefer-robust-stmts
      alter table app_search set (fillfactor = 85)`);
    this.texts();
    this.addSql(`
      create or replace function level_of_installs(installs integer) returns smallint
      language sql immutable parallel safe return floor(2 * ln(1 + installs))::smallint`);
    // Before anything sets a level, so that none becomes wrong.
    this.addSql(`
      create or replace function level_app() returns trigger language plpgsql
      set enable_seqscan = off as $$
      begin
        update app_search set install_level = level_of_installs(new.install_count) where app_id = new.id;
        return null;
      end $$`);
    this.addSql(`
      create or replace trigger app_figures_level after update of install_count on app_figures
      for each row when (level_of_installs(old.install_count) <> level_of_installs(new.install_count))
      execute function level_app()`);
    this.upkeep();
  }

  /**
   * The document with the positions of its words, which no search needs: it is then longer than the 2 KB from which
   * PostgreSQL stores a column apart from its row, and searches read rows without it.
   */
  private texts(): void {
    this.addSql(`
      create or replace view listed_texts as
      select a.id as app_id, fold_name(a.name) collate "C" as name, a.category, a.environment, a.featured, h.headline,
        h.headline || to_tsvector('english', search_text(
          concat_ws(' ', d.name, d.company_name, a.long_description))) ||
        to_tsvector('simple', search_text(concat_ws(' ', d.name, d.company_name))) ||
        array_to_tsvector(array['=' || a.category, '=' || a.environment,
          case when a.featured then '=featured' else '=plain' end]) as document
      from apps a
      join developers d on d.id = a.developer_id
      cross join unnest(array[
        setweight(to_tsvector('simple', search_text(a.name)) || to_tsvector('english', search_text(a.name)), 'A') ||
        setweight(to_tsvector('english', search_text(concat_ws(' ', a.description, a.category))), 'B')]) h (headline)
      where a.listed`);
  }

  /**
   * These functions lock the row of an app in `app_figures` before they write its row in `app_search`, as an install does.
   * So no level is computed from a number that is about to change, and an install never waits for a row of `app_search`.
   */
  private upkeep(): void {
    this.addSql(`
      create or replace function index_apps(ids uuid[]) returns void language plpgsql
      set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
      begin
        perform from app_figures where id = any(ids) order by id for no key update;
        delete from app_search where app_id = any(ids) and not exists (select from apps where id = app_id and listed);
        insert into app_search (app_id, name, category, environment, featured, headline, document, install_level)
        select t.app_id, t.name, t.category, t.environment, t.featured, t.headline, t.document,
          level_of_installs(f.install_count)
        from listed_texts t join app_figures f on f.id = t.app_id where t.app_id = any(ids)
        on conflict (app_id) do update set name = excluded.name, category = excluded.category,
          environment = excluded.environment, featured = excluded.featured, headline = excluded.headline,
          document = excluded.document, install_level = excluded.install_level;
        insert into search_words (word) select distinct word from listed_words where app_id = any(ids) order by word
        on conflict do nothing;
      end $$`);
    this.addSql(`
      create or replace function rebuild_catalog_lists() returns void language plpgsql as $$
      begin
        truncate app_search, search_words, app_counts;
        insert into app_figures as f (id, listed, approved_at, category, environment, featured)
        select id, listed, approved_at, category, environment, featured from apps
        on conflict (id) do update set listed = excluded.listed, approved_at = excluded.approved_at,
          category = excluded.category, environment = excluded.environment, featured = excluded.featured
        where (f.listed, f.approved_at, f.category, f.environment, f.featured) is distinct from
          (excluded.listed, excluded.approved_at, excluded.category, excluded.environment, excluded.featured);
        drop index if exists app_search_name, app_search_document;
        raise notice 'Reading the texts';
        create temporary table built_texts as select * from listed_texts;
        raise notice 'Writing them down';
        insert into app_search (app_id, name, category, environment, featured, headline, document, install_level)
        select t.app_id, t.name, t.category, t.environment, t.featured, t.headline, t.document,
          level_of_installs(f.install_count)
        from built_texts t join app_figures f on f.id = t.app_id;
        drop table built_texts;
        create index app_search_name on app_search (name, app_id);
        raise notice 'Indexing them';
        create index app_search_document on app_search using gin (document) with (fastupdate = off);
        insert into search_words (word) select distinct word from listed_words;
        insert into app_counts select category, environment, featured, 0, count(*) from apps where listed group by 1, 2, 3;
      end $$`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * A search has a window (D320). Frequent words and levels of installs are gone: `app_search` has the developer instead, as
 * a column and as an index term, so that all filters of a search share one statement. Gateways of the release before must
 * be stopped first.
 */
export class SearchWindow extends Migration {
  override up(): void {
    for (const trigger of ['app_search_words_new', 'app_search_words', 'app_search_words_truncate'])
      this.addSql(`drop trigger ${trigger} on app_search`);
    this.addSql('drop trigger app_figures_level on app_figures');
    this.addSql(
      '-- permit ban-drop\ndrop function rebuild_catalog(), rebuild_catalog_lists(), index_apps(uuid[])',
    );
    this.addSql(`-- permit ban-drop
      drop function lock_frequent_words(), count_words_of_new_rows(), count_words_of_row(), forget_words(), level_app(),
        is_popular(integer), fitting_popular_level(integer), level_of_installs(integer)`);
    this.addSql('-- squawk-ignore ban-drop-table\ndrop table frequent_words, word_counts, popular_level');
    // Built anew below, and much faster without rows and indexes.
    this.addSql('truncate app_search');
    this.addSql(`-- squawk-ignore ban-drop-column, adding-required-field
      alter table app_search drop column popular, drop column install_level, add column developer_id uuid not null,
        reset (fillfactor)`);
    this.texts();
    this.upkeep();
    this.addSql('select rebuild_catalog()');
  }

  /**
   * The positions of the words are stored although no search needs them: a document is then usually longer than the 2 KB
   * from which PostgreSQL stores a column apart from its row, and searches read short rows.
   */
  private texts(): void {
    this.addSql(`
      create or replace view listed_texts as
      select a.id as app_id, fold_name(a.name) collate "C" as name, a.category, a.environment, a.featured, h.headline,
        h.headline || to_tsvector('english', search_text(
          concat_ws(' ', d.name, d.company_name, a.long_description))) ||
        to_tsvector('simple', search_text(concat_ws(' ', d.name, d.company_name))) ||
        array_to_tsvector(array['=' || a.category, '=' || a.environment, '=' || a.developer_id,
          case when a.featured then '=featured' else '=plain' end]) as document, a.developer_id
      from apps a
      join developers d on d.id = a.developer_id
      cross join unnest(array[
        setweight(to_tsvector('simple', search_text(a.name)) || to_tsvector('english', search_text(a.name)), 'A') ||
        setweight(to_tsvector('english', search_text(concat_ws(' ', a.description, a.category))), 'B')]) h (headline)
      where a.listed`);
  }

  private upkeep(): void {
    this.addSql(`
      create function index_apps(ids uuid[]) returns void language plpgsql
      set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
      begin
        delete from app_search where app_id = any(ids) and not exists (select from apps where id = app_id and listed);
        insert into app_search (app_id, name, category, environment, featured, developer_id, headline, document)
        select app_id, name, category, environment, featured, developer_id, headline, document
        from listed_texts where app_id = any(ids)
        on conflict (app_id) do update set name = excluded.name, category = excluded.category,
          environment = excluded.environment, featured = excluded.featured, developer_id = excluded.developer_id,
          headline = excluded.headline, document = excluded.document;
        insert into search_words (word) select distinct word from listed_words where app_id = any(ids) order by word
        on conflict do nothing;
      end $$`);
    // A new table is read by several processes, and an index is built at once faster than row by row.
    this.addSql(`
      create function rebuild_catalog() returns void language plpgsql as $$
      begin
        truncate app_search, search_words, app_counts, app_names;
        insert into app_figures as f (id, listed, approved_at, category, environment, featured)
        select id, listed, approved_at, category, environment, featured from apps
        on conflict (id) do update set listed = excluded.listed, approved_at = excluded.approved_at,
          category = excluded.category, environment = excluded.environment, featured = excluded.featured
        where (f.listed, f.approved_at, f.category, f.environment, f.featured) is distinct from
          (excluded.listed, excluded.approved_at, excluded.category, excluded.environment, excluded.featured);
        drop index if exists app_search_name, app_search_document, app_search_name_words;
        raise notice 'Reading the texts';
        create temporary table built_texts as select * from listed_texts;
        raise notice 'Writing them to app_search';
        insert into app_search (app_id, name, category, environment, featured, developer_id, headline, document)
        select app_id, name, category, environment, featured, developer_id, headline, document from built_texts;
        drop table built_texts;
        raise notice 'Indexing them';
        create index app_search_name on app_search (name) include (app_id, category, environment, featured, developer_id);
        create index app_search_document on app_search using gin (document) with (fastupdate = off);
        create index app_search_name_words on app_search using gin (ts_filter(headline, '{a}')) with (fastupdate = off);
        insert into search_words (word) select distinct word from listed_words;
        insert into app_counts select category, environment, featured, 0, count(*) from apps where listed group by 1, 2, 3;
        insert into app_names (app_id, name) select id, name from apps where listed;
      end $$`);
  }
}

import { Migration } from '@mikro-orm/migrations';
import { searchFunctions } from './0008-catalog.functions.js';

/** What is public, kept with each app, so that an index alone knows it; what is searched; how many there are. */
export class Catalog extends Migration {
  override up(): void {
    this.addSql('drop index apps_popular, apps_search, apps_name_trigrams');
    this.addSql('alter table apps drop column search');
    this.addSql(
      "alter table apps add column listed boolean not null default false, add column sort_name text not null default ''",
    );
    for (const definition of searchFunctions) this.addSql(definition);
    this.searchTables();
    this.upkeep();
    this.addSql(`
      update apps set sort_name = lower(name), listed = status = 'APPROVED' and exists (
        select from developers d where d.id = developer_id and d.status <> 'SUSPENDED')`);
    this.figures();
    this.addSql('select rebuild_catalog()');
    this.addSql('alter table apps drop column install_count');
    // What is there already is indexed at once, not row by row.
    this.indexes();
    this.triggers();
  }

  /**
   * How often each app was installed, beside what lists by popularity are narrowed and ordered by. Installs come by the
   * thousand, each for another app: what they write is narrow, and the wide rows and their indexes are left alone.
   */
  private figures(): void {
    // By its id a search learns how popular an app is, for every hit: the index tells it alone.
    this.addSql(`
      create table app_figures (
        id uuid not null references apps on delete cascade,
        install_count integer not null default 0 check (install_count >= 0),
        listed boolean not null,
        approved_at timestamptz(3),
        category text not null,
        environment text not null,
        featured boolean not null,
        primary key (id) include (install_count, approved_at)
      )`);
    this.addSql(`
      insert into app_figures (id, install_count, listed, approved_at, category, environment, featured)
      select id, install_count, listed, approved_at, category, environment, featured from apps`);
  }

  /** One narrow index for each order, of public apps alone: a deep page reads no wide row. */
  private indexes(): void {
    const popular = 'install_count desc, approved_at desc, id';
    const orders = {
      newest: 'approved_at desc, id',
      rating: 'average_rating desc, review_count desc, id',
      name: 'sort_name, id',
    };
    for (const [name, keys] of Object.entries(orders))
      this.addSql(
        `create index apps_listed_${name} on apps (${keys}) include (category, environment, featured) where listed`,
      );
    this.addSql(
      `create index app_figures_popular on app_figures (${popular}) include (category, environment, featured) where listed`,
    );
    this.addSql(
      `create index app_figures_category on app_figures (category, ${popular}) include (environment, featured) where listed`,
    );
    this.addSql(
      `create index app_figures_featured on app_figures (${popular}) include (category, environment) where listed and featured`,
    );
    this.addSql('create index search_words_letters on search_words (letters)');
    this.addSql('create index search_words_trigrams on search_words using gin (word gin_trgm_ops)');
    // An index alone answers only for pages that were vacuumed since they last changed.
    for (const table of ['apps', 'app_figures'])
      this.addSql(
        `alter table ${table} set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05)`,
      );
  }

  /** The searched texts stand apart: a rating rewrites its app's row, and must not rewrite these. */
  private searchTables(): void {
    this.addSql(`
      create table app_search (
        app_id uuid primary key references apps on delete cascade,
        name text collate "C" not null,
        category text not null,
        environment text not null,
        featured boolean not null,
        headline tsvector not null,
        document tsvector not null
      ) with (toast_tuple_target = 512)`);
    this.addSql(`
      create table search_words (
        word text collate "C" primary key,
        letters text collate "C" not null generated always as (letters_of(word)) stored
      )`);
    // What was meant by a word that no name has: the words of names that it begins, that have its letters, or most of them.
    this.addSql(`
      create function alike_query(value text) returns tsquery language plpgsql stable as $$
      declare
        typed text[] := regexp_split_to_array(search_text(value), '\\s+');
        one text;
        other text;
        part tsquery;
        whole tsquery;
      begin
        foreach one in array typed loop
          continue when cardinality(typed) > 1 and numnode(plainto_tsquery('english', one)) = 0;
          part := search_query(one);
          for other in
            select word from search_words
            where length(one) > 1 and (word >= one and word < one || chr(1114111)
              or letters = letters_of(one) or length(one) > 2 and word % one)
            order by letters = letters_of(one) desc, similarity(word, one) desc, word limit 8
          loop
            part := part || search_query(other);
          end loop;
          whole := coalesce(whole && part, part);
        end loop;
        return coalesce(whole, ''::tsquery);
      end $$`);
    // Several lines for each count, so that those who approve at the same time seldom wait for each other.
    this.addSql(`
      create table app_counts (
        category text not null,
        environment text not null,
        featured boolean not null,
        shard integer not null,
        apps integer not null,
        primary key (category, environment, featured, shard)
      )`);
    // The headline stands in two columns; out of an array it is made once.
    this.addSql(`
      create view listed_texts as
      select a.id as app_id, fold_name(a.name) collate "C" as name, a.category, a.environment, a.featured, h.headline,
        strip(h.headline) || strip(to_tsvector('english', search_text(
          concat_ws(' ', d.name, d.company_name, a.long_description)))) ||
        strip(to_tsvector('simple', search_text(concat_ws(' ', d.name, d.company_name)))) ||
        array_to_tsvector(array['=' || a.category, '=' || a.environment,
          case when a.featured then '=featured' else '=plain' end]) as document
      from apps a
      join developers d on d.id = a.developer_id
      cross join unnest(array[
        setweight(to_tsvector('simple', search_text(a.name)) || to_tsvector('english', search_text(a.name)), 'A') ||
        setweight(to_tsvector('english', search_text(concat_ws(' ', a.description, a.category))), 'B')]) h (headline)
      where a.listed`);
    this.addSql(`
      create view listed_words as
      select app_id, word from app_search, string_to_table(search_text(name), ' ') word where length(word) > 1`);
  }

  private upkeep(): void {
    this.addSql(`
      create function index_apps(ids uuid[]) returns void language plpgsql as $$
      begin
        delete from app_search where app_id = any(ids) and not exists (select from apps where id = app_id and listed);
        insert into app_search select * from listed_texts where app_id = any(ids)
        on conflict (app_id) do update set name = excluded.name, category = excluded.category,
          environment = excluded.environment, featured = excluded.featured, headline = excluded.headline,
          document = excluded.document;
        insert into search_words (word) select distinct word from listed_words where app_id = any(ids) order by word
        on conflict do nothing;
      end $$`);
    this.addSql(`
      create function count_app(category text, environment text, featured boolean, by integer) returns void
      language sql as $$
        insert into app_counts values (category, environment, featured, pg_backend_pid() % 16, by)
        on conflict (category, environment, featured, shard) do update set apps = app_counts.apps + excluded.apps
      $$`);
    // Several processes read for a new table, but one for what goes into an old one; and indexes are made at once, not
    // row by row. That of words has no list of what is yet to be sorted in, which every search would read.
    this.addSql(`
      create function rebuild_catalog() returns void language plpgsql as $$
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
        insert into app_search select * from built_texts;
        drop table built_texts;
        create index app_search_name on app_search (name, app_id);
        raise notice 'Indexing them';
        create index app_search_document on app_search using gin (document) with (fastupdate = off);
        insert into search_words (word) select distinct word from listed_words;
        insert into app_counts select category, environment, featured, 0, count(*) from apps where listed group by 1, 2, 3;
      end $$`);
  }

  private triggers(): void {
    // The developer's row is locked: an approval and a suspension at the same time must not miss each other.
    this.addSql(`
      create function list_app() returns trigger language plpgsql as $$
      begin
        new.sort_name := lower(new.name);
        if new.status <> 'APPROVED' then
          new.listed := false;
        elsif tg_op = 'INSERT' or old.status <> 'APPROVED' or old.developer_id <> new.developer_id then
          select status <> 'SUSPENDED' into new.listed from developers where id = new.developer_id for share;
        end if;
        return new;
      end $$`);
    this.addSql(`
      create trigger apps_list before insert or update of name, status, developer_id on apps
      for each row execute function list_app()`);
    this.addSql(`
      create function figure_app() returns trigger language plpgsql as $$
      begin
        insert into app_figures (id, listed, approved_at, category, environment, featured)
        values (new.id, new.listed, new.approved_at, new.category, new.environment, new.featured)
        on conflict (id) do update set listed = excluded.listed, approved_at = excluded.approved_at,
          category = excluded.category, environment = excluded.environment, featured = excluded.featured;
        return null;
      end $$`);
    this.addSql(`
      create trigger apps_figure after insert or update of status, listed, developer_id, approved_at, category,
        environment, featured on apps
      for each row execute function figure_app()`);
    this.addSql(`
      create function reflect_app() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and old.listed then
          perform count_app(old.category, old.environment, old.featured, -1);
        end if;
        if new.listed then
          perform count_app(new.category, new.environment, new.featured, 1);
        end if;
        perform index_apps(array[new.id]);
        return null;
      end $$`);
    this.addSql(`
      create trigger apps_reflect_new after insert on apps
      for each row when (new.listed) execute function reflect_app()`);
    this.addSql(`
      create trigger apps_reflect after update of status, listed, developer_id, name, description, long_description,
        category, environment, featured on apps
      for each row when (old.listed or new.listed) execute function reflect_app()`);
    this.addSql(`
      create function reflect_developer() returns trigger language plpgsql as $$
      begin
        if (new.status = 'SUSPENDED') <> (old.status = 'SUSPENDED') then
          update apps set listed = new.status <> 'SUSPENDED' where developer_id = new.id and status = 'APPROVED';
        elsif (new.name, new.company_name) is distinct from (old.name, old.company_name) then
          perform index_apps(array(select id from apps where developer_id = new.id and listed));
        end if;
        return null;
      end $$`);
    this.addSql(`
      create trigger developers_reflect after update of status, name, company_name on developers
      for each row execute function reflect_developer()`);
  }
}

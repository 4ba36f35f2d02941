import { Migration } from '@mikro-orm/migrations';

/** What is public, kept with each app, so that an index alone knows it; what is searched; how many there are. */
export class Catalog extends Migration {
  override up(): void {
    this.addSql('drop index apps_popular, apps_search, apps_name_trigrams');
    this.addSql('alter table apps drop column search');
    this.addSql(
      "alter table apps add column listed boolean not null default false, add column sort_name text not null default ''",
    );
    this.texts();
    this.searchTables();
    this.upkeep();
    this.addSql(`
      update apps set sort_name = lower(name), listed = status = 'APPROVED' and exists (
        select from developers d where d.id = developer_id and d.status <> 'SUSPENDED')`);
    this.addSql('select rebuild_catalog()');
    // What is there already is indexed at once, not row by row.
    this.indexes();
    this.triggers();
  }

  /** One narrow index for each order, of public apps alone: a deep page reads no wide row. */
  private indexes(): void {
    const orders = {
      popular: 'install_count desc, approved_at desc, id',
      newest: 'approved_at desc, id',
      rating: 'average_rating desc, review_count desc, id',
      name: 'sort_name, id',
    };
    for (const [name, keys] of Object.entries(orders))
      this.addSql(
        `create index apps_listed_${name} on apps (${keys}) include (category, environment, featured) where listed`,
      );
    this.addSql(
      `create index apps_listed_category on apps (category, ${orders.popular}) include (environment, featured) where listed`,
    );
    this.addSql(
      `create index apps_listed_featured on apps (${orders.popular}) include (category, environment) where listed and featured`,
    );
    this.addSql('create index search_words_letters on search_words (letters)');
    this.addSql('create index search_words_trigrams on search_words using gin (word gin_trgm_ops)');
    // An index alone answers only for pages that were vacuumed since they last changed.
    this.addSql(
      'alter table apps set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05)',
    );
  }

  /** Case and accents folded with what every PostgreSQL has: an extension may be out of reach. */
  private texts(): void {
    this.addSql(`
      create function fold(value text) returns text language sql immutable strict parallel safe return
        case when octet_length(value) = length(value) then lower(value)
        else translate(replace(replace(replace(lower(normalize(regexp_replace(
          normalize(value, NFKD), '[\\u0300-\\u036f]', '', 'g'), NFC)),
          'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'øłđðı', 'olddi') end`);
    this.addSql(`
      create function fold_name(value text) returns text language sql immutable strict parallel safe return
        btrim(regexp_replace(fold(value), '\\s+', ' ', 'g'))`);
    // Punctuation parts words, apostrophes do not; of scripts without blanks every sign is a word. A class of signs is
    // matched twenty times as fast as translate() looks each of them up.
    const parted = (value: string, further: string) =>
      `regexp_replace(${value}, '[!-&(-/:-@\\[-\`{-~${further}]', ' ', 'g')`;
    const plain = parted(`replace(lower(value), '''', '')`, '');
    const other = parted(`replace(replace(fold(value), '''', ''), '’', '')`, '–—…·');
    this.addSql(`
      create function search_text(value text) returns text language sql immutable strict parallel safe return
        btrim(case when octet_length(value) = length(value) then ${plain}
        else regexp_replace(${other}, '([\\u2e80-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff])', ' \\1 ', 'g') end)`);
    // Words that say nothing are looked for all the same where there are no others: they may be a name.
    this.addSql(`
      create function search_query(value text) returns tsquery language sql immutable strict parallel safe return
        case when numnode(plainto_tsquery('english', search_text(value))) > 0
          then plainto_tsquery('english', search_text(value)) else plainto_tsquery('simple', search_text(value)) end`);
    this.addSql(`
      create function letters_of(word text) returns text language sql immutable strict parallel safe
      begin atomic
        select string_agg(letter, '' order by letter) from regexp_split_to_table(word, '') letter;
      end`);
  }

  /** The searched texts stand apart: an install rewrites its app's row, and must not rewrite these. */
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

-- The public catalog: installs, search, counts and announcements. Triggers derive all of it from apps and developers in the
-- same transaction, and rebuild_catalog() derives it again.

-- Case and accents are folded with functions of PostgreSQL itself: a managed server may not offer the extension.
create or replace function fold(value text) returns text language sql immutable strict parallel safe return
  case when octet_length(value) = length(value) then lower(value)
  else translate(replace(replace(replace(lower(normalize(regexp_replace(
    normalize(value, NFKD), '[\u0300-\u036f]', '', 'g'), NFC)),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'øłđðı', 'olddi') end;

create or replace function fold_name(value text) returns text language sql immutable strict parallel safe return
  btrim(regexp_replace(fold(value), '\s+', ' ', 'g'));

-- Replaces punctuation by blanks and removes apostrophes. In scripts without blanks every character is a word. A character
-- class is matched twenty times as fast as translate() replaces each character.
create or replace function search_text(value text) returns text language sql immutable strict parallel safe return
  btrim(case when octet_length(value) = length(value)
    then regexp_replace(replace(lower(value), '''', ''), '[!-&(-/:-@\[-`{-~]', ' ', 'g')
    else regexp_replace(regexp_replace(replace(replace(fold(value), '''', ''), '’', ''),
      '[!-&(-/:-@\[-`{-~–—…·]', ' ', 'g'), '([\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff])', ' \1 ', 'g') end);

-- Stop words are searched where there are no other words: they may be a name.
create or replace function search_query(value text) returns tsquery language sql immutable strict parallel safe return
  case when numnode(plainto_tsquery('english', search_text(value))) > 0
    then plainto_tsquery('english', search_text(value)) else plainto_tsquery('simple', search_text(value)) end;

create or replace function letters_of(word text) returns text language sql immutable strict parallel safe
begin atomic
  select string_agg(letter, '' order by letter) from regexp_split_to_table(word, '') letter;
end;

create table if not exists app_figures (
  id uuid not null references apps on delete cascade,
  install_count integer not null default 0 check (install_count >= 0),
  listed boolean not null,
  approved_at timestamptz(3),
  category text not null,
  environment text not null,
  featured boolean not null,
  -- A search reads the popularity of each hit from this index alone.
  primary key (id) include (install_count, approved_at)
) with (autovacuum_vacuum_scale_factor = 0.002, autovacuum_analyze_scale_factor = 0.05,
  autovacuum_vacuum_cost_delay = 0, vacuum_truncate = false);
comment on table app_figures is
  'The number of installs of each app, with the columns by which lists by popularity are filtered: installs are frequent and rewrite only this narrow row.';
create index if not exists app_figures_popular on app_figures (install_count desc, approved_at desc, id)
  include (category, environment, featured) where listed;
create index if not exists app_figures_category on app_figures (category, install_count desc, approved_at desc, id)
  include (environment, featured) where listed;
create index if not exists app_figures_environment
  on app_figures (category, environment, install_count desc, approved_at desc, id)
  include (featured) where listed and environment <> 'production';
create index if not exists app_figures_featured on app_figures (install_count desc, approved_at desc, id)
  include (category, environment) where listed and featured;

create table if not exists app_search (
  app_id uuid primary key references apps on delete cascade,
  name text collate "C" not null,
  category text not null,
  environment text not null,
  featured boolean not null,
  developer_id uuid not null,
  headline tsvector not null,
  -- With the positions of the words, although no search needs them: a document is then usually longer than the 2 KB from
  -- which PostgreSQL stores a column apart from its row, and searches read short rows.
  document tsvector not null
) with (toast_tuple_target = 512);
comment on table app_search is 'The searched texts of public apps, apart from apps: a rating does not rewrite them.';
create index if not exists app_search_name on app_search (name)
  include (app_id, category, environment, featured, developer_id);
create index if not exists app_search_document on app_search using gin (document) with (fastupdate = off);
create index if not exists app_search_name_words on app_search using gin (ts_filter(headline, '{a}'))
  with (fastupdate = off);

create table if not exists search_words (
  word text collate "C" primary key,
  letters text collate "C" not null generated always as (letters_of(word)) stored
);
comment on table search_words is 'The words of the names of apps, to find similar ones for a typing error.';
create index if not exists search_words_letters on search_words (letters);
create index if not exists search_words_trigrams on search_words using gin (word gin_trgm_ops);

create table if not exists app_counts (
  category text not null,
  environment text not null,
  featured boolean not null,
  -- Several rows for each count, so that concurrent approvals seldom wait for each other.
  shard integer not null,
  apps integer not null,
  primary key (category, environment, featured, shard)
) with (fillfactor = 60);
comment on table app_counts is 'The number of public apps by category, environment and featured.';

-- Returns a query for the words of names that a text may have meant: they begin with a typed word, have its letters, or
-- resemble it. Three look-ups, each in its own index, take a fifth of the time of one with OR (D301, D305).
create or replace function alike_query(value text) returns tsquery language plpgsql stable as $$
declare
  typed text[] := regexp_split_to_array(search_text(value), '\s+');
  different text[] := array(
    select t.word from unnest(typed) with ordinality as t (word, place) group by t.word order by min(t.place));
  one text;
  one_letters text;
  other text;
  part tsquery;
  whole tsquery;
begin
  if cardinality(different) > 12 then
    return ''::tsquery;
  end if;
  foreach one in array different loop
    continue when cardinality(typed) > 1 and numnode(plainto_tsquery('english', one)) = 0;
    part := search_query(one);
    one_letters := letters_of(one);
    for other in
      select w.word from (
        select word, letters from search_words
        where length(one) > 1 and word >= one and word < one || chr(1114111)
        union select word, letters from search_words where length(one) > 1 and letters = one_letters
        union select word, letters from search_words where length(one) > 2 and word % one) w
      order by w.letters = one_letters desc, similarity(w.word, one) desc, w.word limit 8
    loop
      part := part || search_query(other);
    end loop;
    whole := coalesce(whole && part, part);
  end loop;
  return coalesce(whole, ''::tsquery);
end $$;

-- The rows of app_search. Filters are terms of the document too: no text contains a term that begins with `=`. The
-- headline is used twice, and computed once because it comes from an array.
create or replace view listed_texts as
select a.id as app_id, fold_name(a.name) collate "C" as name, a.category, a.environment, a.featured, a.developer_id,
  h.headline,
  h.headline || to_tsvector('english', search_text(concat_ws(' ', d.name, d.company_name, a.long_description))) ||
    to_tsvector('simple', search_text(concat_ws(' ', d.name, d.company_name))) ||
    array_to_tsvector(array['=' || a.category, '=' || a.environment, '=' || a.developer_id,
      case when a.featured then '=featured' else '=plain' end]) as document
from apps a
join developers d on d.id = a.developer_id
cross join unnest(array[
  setweight(to_tsvector('simple', search_text(a.name)) || to_tsvector('english', search_text(a.name)), 'A') ||
  setweight(to_tsvector('english', search_text(concat_ws(' ', a.description, a.category))), 'B')]) h (headline)
where a.listed;

create or replace view listed_words as
select app_id, word from app_search, string_to_table(search_text(name), ' ') word where length(word) > 1;

-- Adds to a count. Each update of a row leaves a version that stays until the transaction has ended, and later updates pass
-- all of them: after 64 updates a transaction goes on with another row of the same count (D269).
create or replace function count_app(category text, environment text, featured boolean, by integer) returns void
language plpgsql as $$
declare
  earlier integer := coalesce(nullif(current_setting('marketplace.counted_apps', true), ''), '0');
begin
  perform set_config('marketplace.counted_apps', (earlier + 1)::text, true);
  insert into app_counts values (category, environment, featured, pg_backend_pid() % 16 + 16 * (earlier / 64), by)
  on conflict on constraint app_counts_pkey do update set apps = app_counts.apps + excluded.apps;
end $$;

-- Writes the rows of apps in the tables of names and search. PL/pgSQL plans a statement once: planned while there are few
-- apps, it would read all apps again for each new one.
create or replace function index_apps(ids uuid[]) returns void language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  insert into app_names (app_id, name) select id, name from apps where id = any(ids) and listed order by id
  on conflict (app_id) do update set name = excluded.name, skeleton = null, rule = 0
  where app_names.name <> excluded.name;
  delete from app_search where app_id = any(ids) and not exists (select from apps where id = app_id and listed);
  insert into app_search select * from listed_texts where app_id = any(ids)
  on conflict (app_id) do update set name = excluded.name, category = excluded.category,
    environment = excluded.environment, featured = excluded.featured, developer_id = excluded.developer_id,
    headline = excluded.headline, document = excluded.document;
  insert into search_words (word) select distinct word from listed_words where app_id = any(ids) order by word
  on conflict do nothing;
end $$;

-- Locks the row of the developer: an approval and a suspension at the same time must not miss each other.
create or replace function list_app() returns trigger language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  new.sort_name := lower(new.name);
  if new.status <> 'APPROVED' then
    new.listed := false;
  elsif tg_op = 'INSERT' or old.status <> 'APPROVED' or old.developer_id <> new.developer_id then
    select status <> 'SUSPENDED' into new.listed from developers where id = new.developer_id for share;
  end if;
  return new;
end $$;
create or replace trigger apps_list before insert or update of name, status, developer_id on apps
for each row execute function list_app();

-- New apps are indexed by statement: a bulk import takes a time that grows with the number of apps (D269).
create or replace function index_new_apps() returns trigger language plpgsql as $$
begin
  insert into app_figures (id, listed, approved_at, category, environment, featured)
  select id, listed, approved_at, category, environment, featured from added;
  perform count_app(category, environment, featured, count(*)::integer)
  from added where listed group by category, environment, featured order by category, environment, featured;
  if found then
    perform index_apps(array(select id from added where listed order by id));
  end if;
  return null;
end $$;
create or replace trigger apps_index_new after insert on apps referencing new table as added
for each statement execute function index_new_apps();

create or replace function index_changed_app() returns trigger language plpgsql as $$
begin
  update app_figures f set listed = new.listed, approved_at = new.approved_at, category = new.category,
    environment = new.environment, featured = new.featured
  where id = new.id and (f.listed, f.approved_at, f.category, f.environment, f.featured)
    is distinct from (new.listed, new.approved_at, new.category, new.environment, new.featured);
  if old.listed then
    perform count_app(old.category, old.environment, old.featured, -1);
  end if;
  if new.listed then
    perform count_app(new.category, new.environment, new.featured, 1);
  end if;
  if old.listed or new.listed then
    perform index_apps(array[new.id]);
  end if;
  return null;
end $$;
create or replace trigger apps_index_changed after update of status, listed, developer_id, approved_at, name,
  description, long_description, category, environment, featured on apps
for each row execute function index_changed_app();

create or replace function index_apps_of_developer() returns trigger language plpgsql as $$
begin
  if (new.status = 'SUSPENDED') <> (old.status = 'SUSPENDED') then
    update apps set listed = new.status <> 'SUSPENDED' where developer_id = new.id and status = 'APPROVED';
  elsif (new.name, new.company_name) is distinct from (old.name, old.company_name) then
    perform index_apps(array(select id from apps where developer_id = new.id and listed));
  end if;
  return null;
end $$;
create or replace trigger developers_index_apps after update of status, name, company_name on developers
for each row execute function index_apps_of_developer();

-- Derives everything again. Several processes read for a new table, and an index is built faster at once than row by row.
create or replace function rebuild_catalog() returns void language plpgsql as $$
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
  insert into app_search select * from built_texts;
  drop table built_texts;
  raise notice 'Indexing them';
  create index app_search_name on app_search (name) include (app_id, category, environment, featured, developer_id);
  create index app_search_document on app_search using gin (document) with (fastupdate = off);
  create index app_search_name_words on app_search using gin (ts_filter(headline, '{a}')) with (fastupdate = off);
  insert into search_words (word) select distinct word from listed_words;
  insert into app_counts select category, environment, featured, 0, count(*) from apps where listed group by 1, 2, 3;
  insert into app_names (app_id, name) select id, name from apps where listed;
end $$;

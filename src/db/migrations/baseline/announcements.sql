-- Announcements of changes, sent when their transaction commits, whoever makes it. The channel `catalog` invalidates cached
-- responses: at once after `listings`, and together with other changes of a short time after `counts` (D350). The channel
-- `changes` is for subscriptions (D142): `listing` with a slug, or `listings` where too many changed.

create or replace function announce_catalog() returns trigger language plpgsql as $$
begin
  perform pg_notify('catalog', tg_argv[0]);
  return null;
end $$;
create or replace trigger app_figures_announce_count after update of install_count on app_figures
for each statement execute function announce_catalog('counts');
create or replace trigger ratings_announce after insert or delete or update of id, app_id, account_user_id, rating,
  author_name, title, text, reply, hidden_at, removed_at, created_at, updated_at on ratings
for each row execute function announce_catalog('counts');
create or replace trigger apps_announce_truncate after truncate on apps
for each statement execute function announce_catalog('listings');
-- Truncated only by rebuild_catalog(); other changes of app_search follow changes of apps.
create or replace trigger app_search_announce_truncate after truncate on app_search
for each statement execute function announce_catalog('listings');

create or replace function announce_app() returns trigger language plpgsql as $$
begin
  if (old.status = 'APPROVED' or new.status = 'APPROVED') is not true or old is not distinct from new then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    old.review_count := new.review_count;
    old.average_rating := new.average_rating;
    old.rating_sum := new.rating_sum;
    old.rating_counts := new.rating_counts;
  end if;
  perform pg_notify('catalog', case when old is not distinct from new then 'counts' else 'listings' end);
  -- After it: a subscriber reads the listing again, and must not get a cached one.
  perform pg_notify('changes', 'listing ' || coalesce(new.slug, old.slug));
  return null;
end $$;
create or replace trigger apps_announce after insert or update or delete on apps
for each row execute function announce_app();

-- The public fields of a developer are part of all their listings, and a suspension hides them.
create or replace function announce_developer() returns trigger language plpgsql as $$
declare
  slugs text[];
begin
  perform pg_notify('catalog',
    case when (old.status = 'SUSPENDED') = (new.status = 'SUSPENDED') then 'counts' else 'listings' end);
  select array_agg(slug) into slugs from (
    select slug from apps where developer_id = new.id and status = 'APPROVED' limit 101) public_apps;
  if cardinality(slugs) > 100 then
    perform pg_notify('changes', 'listings');
  else
    perform pg_notify('changes', 'listing ' || slug) from unnest(slugs) slug;
  end if;
  return null;
end $$;
create or replace trigger developers_announce after update of name, company_name, website_url, bio, status on developers
for each row when ((old.name, old.company_name, old.website_url, old.bio, old.status = 'SUSPENDED')
  is distinct from (new.name, new.company_name, new.website_url, new.bio, new.status = 'SUSPENDED'))
execute function announce_developer();

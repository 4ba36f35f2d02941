-- Installs and ratings.

create table if not exists installations (
  id uuid primary key,
  -- Without a foreign key: only public apps are installed, and those are never deleted.
  app_id uuid not null,
  installation_id text,
  account_user_id text,
  version text,
  created_at timestamptz(3) not null,
  constraint installations_once_per_app unique (app_id, installation_id)
);
comment on table installations is 'Installs that clients reported. An installation counts once for an app.';
create index if not exists installations_prunable on installations (created_at)
  where installation_id is null or account_user_id is not null or version is not null;

create table if not exists installs_daily (
  app_id uuid not null,
  day date not null,
  environment text not null,
  version text not null,
  installs integer not null check (installs >= 0),
  unique_installations integer not null,
  primary key (app_id, day, environment, version),
  check (unique_installations between 0 and installs)
) with (fillfactor = 80);
comment on table installs_daily is 'Installs of each app by day (UTC), for the analytics.';
create index if not exists installs_daily_by_version on installs_daily (day) where version <> '';

create table if not exists ratings (
  id uuid primary key,
  app_id uuid not null references apps on delete cascade,
  account_user_id text not null,
  rating integer not null check (rating between 1 and 5),
  title text,
  text text,
  reply text,
  hidden_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  hidden_reason text,
  removed_at timestamptz(3),
  author_name text check (author_name <> ''),
  hidden_by text,
  reported_at timestamptz(3),
  constraint ratings_once_per_account unique (app_id, account_user_id),
  constraint ratings_hidden_by check (hidden_by is null or hidden_at is not null),
  constraint ratings_removed_if_hidden check (removed_at is null or hidden_at is not null)
);
comment on table ratings is 'Ratings of apps, one for each account and app. Hidden ones are not public and do not count.';
create index if not exists ratings_app on ratings (app_id, created_at, id);
create index if not exists ratings_public on ratings (app_id, created_at desc, id desc) where hidden_at is null;
create index if not exists ratings_hidden on ratings (hidden_at desc, id desc) where hidden_at is not null;
create index if not exists ratings_reported on ratings (reported_at, id) where reported_at is not null;

create or replace function count_rating() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.hidden_at is null then
    update apps set rating_counts[old.rating] = rating_counts[old.rating] - 1 where id = old.app_id;
  end if;
  if tg_op <> 'DELETE' and new.hidden_at is null then
    update apps set rating_counts[new.rating] = rating_counts[new.rating] + 1 where id = new.app_id;
  end if;
  return null;
end $$;
create or replace trigger ratings_count after insert or delete or update of rating, hidden_at on ratings
for each row execute function count_rating();

create table if not exists rating_reports (
  id uuid primary key,
  rating_id uuid not null references ratings on delete cascade,
  account_user_id text not null,
  reason text not null,
  closed_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint rating_reports_once_per_account unique (rating_id, account_user_id)
);
comment on table rating_reports is 'Reports of ratings by accounts, until an administrator closes them.';
create index if not exists rating_reports_open on rating_reports (rating_id, created_at, id) where closed_at is null;
create index if not exists rating_reports_closed on rating_reports (closed_at) where closed_at is not null;

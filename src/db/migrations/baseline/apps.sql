-- Apps and their versions.

create table if not exists apps (
  id uuid primary key,
  developer_id uuid not null references developers,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 60
    and slug not in ('featured', 'categories', 'list', 'install')),
  name text not null,
  description text not null,
  long_description text,
  category text not null check (category in ('PRODUCTIVITY', 'UTILITIES', 'BUSINESS', 'DEVELOPER_TOOLS',
    'COMMUNICATION', 'ANALYTICS', 'AI_ML', 'FINANCE', 'EDUCATION', 'OTHER')),
  environment text not null check (environment in ('localhost', 'staging', 'production')),
  logo_url text,
  banner_url text,
  website_url text,
  oauth_client_id text,
  screenshots jsonb not null check (jsonb_array_length(screenshots) <= 6),
  status text not null check (status in ('DRAFT', 'PENDING', 'APPROVED', 'REJECTED', 'SUSPENDED')),
  featured boolean not null,
  review_count integer not null check (review_count >= 0),
  average_rating double precision not null check (average_rating >= 0 and average_rating <= 5),
  revision integer not null check (revision >= 1),
  submitted_at timestamptz(3),
  approved_at timestamptz(3),
  rejection jsonb,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Approved, and the developer is not suspended: the public sees it.
  listed boolean not null default false,
  sort_name text not null default '',
  rating_sum integer not null default 0 check (rating_sum >= 0),
  -- The number of visible ratings with one star, with two stars and so on.
  rating_counts integer[] not null default '{0,0,0,0,0}'
    check (cardinality(rating_counts) = 5 and 0 <= all (rating_counts)),
  check ((status in ('APPROVED', 'SUSPENDED')) = (approved_at is not null)),
  check (status in ('DRAFT', 'REJECTED') or submitted_at is not null),
  check (status in ('DRAFT', 'REJECTED') or jsonb_array_length(screenshots) >= 2),
  check (status <> 'REJECTED' or rejection is not null)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
comment on table apps is 'Apps in all statuses. An app that was public once is never deleted.';
create index if not exists apps_developer on apps (developer_id, created_at desc, id desc);
create index if not exists apps_created on apps (created_at, id) include (status, category, featured, sort_name);
create index if not exists apps_updated on apps (updated_at, id) include (status, category, featured);
create index if not exists apps_status on apps (status, created_at, id) include (category, featured);
create index if not exists apps_featured on apps (created_at, id) where featured;
create index if not exists apps_queue on apps (submitted_at, id) where status = 'PENDING';
create index if not exists apps_name_trigrams on apps using gin (sort_name gin_trgm_ops);
-- One narrow index for each order of public apps: a deep page reads no wide row.
create index if not exists apps_listed_newest on apps (approved_at desc, id)
  include (category, environment, featured) where listed;
create index if not exists apps_listed_rating on apps (average_rating desc, review_count desc, id)
  include (category, environment, featured) where listed;
create index if not exists apps_listed_name on apps (sort_name, id)
  include (category, environment, featured) where listed;

create or replace function refuse_deletion_of_public_app() returns trigger language plpgsql as $$
begin
  raise exception 'app % was public: it and its slug are never given away', old.id;
end $$;
create or replace trigger apps_keep_public before delete on apps
for each row when (old.approved_at is not null) execute function refuse_deletion_of_public_app();

-- Returns the first free candidate. Nobody waits: a candidate that another transaction is about to take is skipped. Each
-- statement of a volatile function sees what was committed before it, so the second check decides.
create or replace function take_slug(candidates text[]) returns text language plpgsql as $$
declare
  candidate text;
begin
  foreach candidate in array candidates loop
    continue when exists (select from apps where slug = candidate);
    continue when not pg_try_advisory_xact_lock(hashtextextended('slug:' || candidate, 0));
    if not exists (select from apps where slug = candidate) then
      return candidate;
    end if;
  end loop;
  return null;
end $$;

create table if not exists app_names (
  app_id uuid primary key references apps on delete cascade,
  name text not null,
  skeleton text,
  rule integer not null default 0
);
comment on table app_names is
  'Names of public apps with their skeletons, by which look-alikes are found (D340), as in developer_names.';
create index if not exists app_names_skeleton on app_names (skeleton);
create index if not exists app_names_waiting on app_names (app_id) where skeleton is null;
create index if not exists app_names_rule on app_names (rule, app_id);

create table if not exists app_versions (
  id uuid primary key,
  app_id uuid not null references apps,
  name text not null,
  description text not null,
  long_description text,
  category text not null check (category in ('PRODUCTIVITY', 'UTILITIES', 'BUSINESS', 'DEVELOPER_TOOLS',
    'COMMUNICATION', 'ANALYTICS', 'AI_ML', 'FINANCE', 'EDUCATION', 'OTHER')),
  logo_url text,
  banner_url text,
  website_url text,
  oauth_client_id text,
  screenshots jsonb not null check (jsonb_array_length(screenshots) <= 6),
  status text not null check (status in ('DRAFT', 'PENDING', 'APPROVED', 'REJECTED', 'DISCARDED')),
  revision integer not null check (revision >= 1),
  submitted_at timestamptz(3),
  decided_at timestamptz(3),
  rejection jsonb,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- The revision and the listing of the app when the version was created, to find conflicts.
  base_revision integer check (base_revision >= 1),
  base jsonb,
  conflict_bases jsonb not null default '{}',
  check (status <> 'PENDING' or submitted_at is not null),
  check (status not in ('PENDING', 'APPROVED') or jsonb_array_length(screenshots) >= 2),
  check (status <> 'REJECTED' or rejection is not null)
);
comment on table app_versions is 'New listings of approved apps, each reviewed before it replaces the public one.';
create index if not exists app_versions_app on app_versions (app_id, created_at desc, id desc);
create unique index if not exists app_versions_one_open on app_versions (app_id)
  where status in ('DRAFT', 'PENDING', 'REJECTED');

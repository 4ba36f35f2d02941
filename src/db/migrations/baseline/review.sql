-- The review of apps and versions.

create table if not exists asset_checks (
  app_id uuid not null references apps on delete cascade,
  revision integer not null check (revision >= 1),
  field text not null,
  url text not null,
  ok boolean not null,
  width integer,
  height integer,
  type text check (type in ('png', 'jpg')),
  bytes integer,
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  problem jsonb,
  checked_at timestamptz(3) not null,
  -- The app or the version whose pictures they are.
  listing_id uuid not null,
  primary key (listing_id, revision, field),
  check (ok = (problem is null))
);
comment on table asset_checks is 'Results of fetching the pictures of a listing, for the revision that was submitted.';
create index if not exists asset_checks_app on asset_checks (app_id);

create table if not exists submissions (
  id uuid primary key,
  created_at timestamptz(3) not null,
  app_id uuid not null references apps on delete cascade,
  version_id uuid references app_versions,
  queued_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  claimed_by text,
  claimed_until timestamptz(3),
  review_began_at timestamptz(3),
  ended_at timestamptz(3),
  outcome text check (outcome in ('APPROVED', 'REJECTED', 'WITHDRAWN')),
  revision integer,
  -- The listing that was submitted.
  listing jsonb,
  claimed_by_email text,
  decided_by text,
  note text,
  rejection jsonb,
  findings jsonb,
  overdue_noticed_at timestamptz(3),
  check ((ended_at is null) = (outcome is null)),
  check ((claimed_by is null) = (claimed_until is null)),
  check (claimed_by_email is null or claimed_by is not null),
  constraint submissions_decided check (outcome in ('APPROVED', 'REJECTED')
    or (decided_by is null and note is null and rejection is null and findings is null))
);
comment on table submissions is 'Submissions of apps and versions: the queue of the reviewers, their claims and decisions.';
create unique index if not exists submissions_one_open on submissions (coalesce(version_id, app_id))
  where ended_at is null;
create index if not exists submissions_queue on submissions (queued_at, id) where ended_at is null;
create index if not exists submissions_to_report on submissions (due_at, id)
  where ended_at is null and overdue_noticed_at is null;
create index if not exists submissions_app on submissions (app_id, created_at desc);
create index if not exists submissions_decided on submissions (app_id, ended_at desc, id desc) where listing is not null;
create index if not exists submissions_decided_by on submissions (decided_by, ended_at, id) where decided_by is not null;
create index if not exists submissions_ended on submissions (ended_at desc) where outcome in ('APPROVED', 'REJECTED');

-- Submissions of suspended developers wait without a place in the queue.
create or replace view queued_submissions as
select s.* from submissions s
join apps a on a.id = s.app_id
join developers d on d.id = a.developer_id
where s.ended_at is null and d.status <> 'SUSPENDED';

create table if not exists review_messages (
  id uuid primary key,
  created_at timestamptz(3) not null,
  app_id uuid not null references apps on delete cascade,
  author text not null check (author in ('DEVELOPER', 'REVIEWER')),
  author_account text,
  text text not null,
  author_email text,
  check (author_email is null or author = 'REVIEWER')
);
comment on table review_messages is 'Messages between developers and reviewers about an app.';
create index if not exists review_messages_app on review_messages (app_id, created_at, id);

-- Developers, their API keys, and the changes that keys made.

create table if not exists developers (
  id uuid primary key,
  account_user_id text not null unique,
  name text not null,
  email text not null,
  company_name text,
  website_url text,
  bio text,
  status text not null check (status in ('UNVERIFIED', 'VERIFIED', 'SUSPENDED')),
  status_before_suspension text check (status_before_suspension in ('UNVERIFIED', 'VERIFIED')),
  verified_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- The address that the account has proven (D327); it counts only while it equals `email`.
  proven_email text,
  check ((status = 'SUSPENDED') = (status_before_suspension is not null)),
  check ((coalesce(status_before_suspension, status) = 'VERIFIED') = (verified_at is not null))
);
comment on table developers is 'People and companies that list apps; one for each account.';
create unique index if not exists developers_email_key on developers (lower(email));
create index if not exists developers_created_at on developers (created_at, id);

create table if not exists developer_names (
  developer_id uuid not null references developers on delete cascade,
  field text not null check (field in ('name', 'companyName')),
  name text not null,
  skeleton text,
  rule integer not null default 0,
  primary key (developer_id, field)
);
comment on table developer_names is
  'Names of developers and companies with their skeletons, by which look-alikes are found (D325). SQL cannot compute a skeleton: the worker does, and again when the rule has changed.';
create index if not exists developer_names_skeleton on developer_names (skeleton);
create index if not exists developer_names_rule on developer_names (rule, developer_id);

create or replace function store_developer_names() returns trigger language plpgsql as $$
begin
  insert into developer_names (developer_id, field, name)
  select new.id, given.field, given.name
  from (values ('name', new.name), ('companyName', new.company_name)) given (field, name)
  where given.name <> ''
  on conflict (developer_id, field) do update set name = excluded.name, skeleton = null, rule = 0
  where developer_names.name <> excluded.name;
  if coalesce(new.company_name, '') = '' then
    delete from developer_names where developer_id = new.id and field = 'companyName';
  end if;
  return null;
end $$;
create or replace trigger developers_names after insert or update of name, company_name on developers
for each row execute function store_developer_names();

create table if not exists api_keys (
  id uuid primary key,
  developer_id uuid not null references developers,
  name text not null,
  scopes text[] not null check (cardinality(scopes) > 0),
  hash bytea not null unique,
  masked_key text not null,
  expires_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null,
  -- The key that replaced this one.
  successor_id uuid unique references api_keys,
  created_by_key_id uuid references api_keys,
  constraint api_keys_known_scopes
    check (scopes <@ '{APP_CREATE,APP_READ,APP_UPDATE,APP_DELETE,ANALYTICS_READ,WEBHOOK_MANAGE}')
) with (fillfactor = 75);
comment on table api_keys is 'API keys of developers; only the SHA-256 of a key is stored.';
create index if not exists api_keys_developer on api_keys (developer_id, created_at desc, id desc);
create index if not exists api_keys_ended on api_keys (developer_id, (coalesce(revoked_at, expires_at)) desc);
create index if not exists api_keys_expires_at on api_keys (expires_at) where revoked_at is null;
create index if not exists api_keys_created_by on api_keys (created_by_key_id) where created_by_key_id is not null;

create table if not exists key_expiry_notices (
  key_id uuid not null references api_keys on delete cascade,
  days_before integer not null,
  created_at timestamptz(3) not null,
  primary key (key_id, days_before)
);
comment on table key_expiry_notices is 'Mails that were sent before a key expires, so that each is sent once.';

create table if not exists profile_changes (
  id uuid primary key,
  developer_id uuid not null references developers,
  key_id uuid not null,
  before jsonb not null,
  undo_hash bytea not null unique,
  outcome text check (outcome in ('REVERTED', 'KEPT', 'EMAIL_TAKEN')),
  created_at timestamptz(3) not null
);
comment on table profile_changes is
  'Changes of a profile by an API key, with the values before, for the link that undoes them (D323).';
create index if not exists profile_changes_developer on profile_changes (developer_id, created_at, id);
create index if not exists profile_changes_created_at on profile_changes (created_at);

-- Tables that the gateways need for themselves. The job queue has its own schema, `pgboss`.

create table if not exists stored_responses (
  id bytea primary key check (length(id) = 32),
  body_hash bytea not null check (length(body_hash) = 32),
  status integer not null check (status between 200 and 299),
  etag text,
  body text,
  shown_once text,
  created_at timestamptz(3) not null,
  developer_id uuid,
  check ((body is null) = (shown_once is not null))
);
comment on table stored_responses is
  'Responses to requests with an Idempotency-Key, sent again when the request is repeated within 24 hours.';
create index if not exists stored_responses_created_at on stored_responses (created_at);
create index if not exists stored_responses_developer on stored_responses (developer_id, created_at)
  where developer_id is not null;

create unlogged table if not exists rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
) with (fillfactor = 60);
comment on table rate_limits is 'Counters of the rate limits that all gateways share.';

create table if not exists replication_marks (
  id uuid primary key,
  written_at timestamptz(3) not null default now()
);
comment on table replication_marks is 'Rows that gateways write to the primary, to recognise its replicas (D247).';

comment on table schema_migrations is 'The migrations that have run, written by MikroORM.';

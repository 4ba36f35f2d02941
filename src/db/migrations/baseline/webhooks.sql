-- Webhooks and mail.

create table if not exists webhook_endpoints (
  id uuid primary key,
  -- Null for the endpoints of the administrators.
  developer_id uuid references developers,
  url text not null,
  events text[] not null,
  description text,
  signing_secret text not null check (signing_secret like 'whsec\_%' or signing_secret like 'enc.v1.%'),
  former_secret text,
  former_secret_until timestamptz(3),
  failing_since timestamptz(3),
  disabled_at timestamptz(3),
  disabled_reason text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- An endpoint gets the events with a higher position (D266).
  created_position bigint default nextval('audit_events_position'),
  check ((former_secret is null) = (former_secret_until is null)),
  check ((disabled_at is null) = (disabled_reason is null))
);
comment on table webhook_endpoints is 'Addresses to which events are sent, with the secrets that sign them.';
create index if not exists webhook_endpoints_developer on webhook_endpoints (developer_id, created_at desc, id desc);

create table if not exists webhook_deliveries (
  id uuid primary key,
  created_at timestamptz(3) not null,
  endpoint_id uuid not null references webhook_endpoints on delete cascade,
  event_id uuid not null,
  type text not null,
  request_body text not null,
  status text not null check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  attempt_count integer not null check (attempt_count >= 0),
  try_count integer not null check (try_count >= 0),
  next_attempt_at timestamptz(3),
  delivered_at timestamptz(3),
  failure text,
  job_id uuid not null,
  constraint webhook_deliveries_once_per_endpoint unique (endpoint_id, event_id),
  check ((status = 'PENDING') = (next_attempt_at is not null)),
  check (status <> 'DELIVERED' or delivered_at is not null),
  check ((status = 'FAILED') = (failure is not null))
) with (fillfactor = 85);
comment on table webhook_deliveries is 'Events that are sent or were sent to an endpoint, once each.';
create index if not exists webhook_deliveries_log on webhook_deliveries (endpoint_id, created_at desc, id desc);
create index if not exists webhook_deliveries_created_at on webhook_deliveries (created_at);
create index if not exists webhook_deliveries_tests on webhook_deliveries (endpoint_id, created_at)
  where type = 'webhook.test';

create table if not exists webhook_attempts (
  id uuid primary key,
  created_at timestamptz(3) not null,
  delivery_id uuid not null references webhook_deliveries on delete cascade,
  number integer not null,
  url text not null,
  request_headers jsonb not null,
  response_status integer,
  response_body text,
  error text,
  duration_ms integer not null,
  constraint webhook_attempts_number unique (delivery_id, number)
);
comment on table webhook_attempts is 'Attempts to deliver an event, with the request and the response.';

create table if not exists mails (
  id uuid primary key,
  created_at timestamptz(3) not null,
  kind text not null,
  recipient text not null,
  subject text not null,
  message_id text not null,
  html text,
  text text,
  -- Mails of one digest are sent as one.
  digest_id uuid,
  digest_due_at timestamptz(3),
  notice jsonb,
  check ((digest_id is null) = (digest_due_at is null)),
  check (notice is null or digest_id is not null)
);
comment on table mails is 'Mails to send and sent, for the job queue and the mailbox.';
create index if not exists mails_created_at on mails (created_at desc, id desc);
create index if not exists mails_address on mails (lower(recipient), kind, created_at);
create index if not exists mails_digest on mails (digest_id, id) where digest_id is not null;

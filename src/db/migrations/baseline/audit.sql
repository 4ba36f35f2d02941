-- The audit log. Webhooks and events for developers are read from it.

create sequence if not exists audit_events_position;

create table if not exists audit_events (
  id uuid not null,
  created_at timestamptz(3) not null,
  kind text not null,
  actor_kind text not null check (actor_kind in ('developer', 'administrator', 'account', 'anyone', 'system')),
  actor_account text,
  actor_key uuid,
  developer_id uuid,
  app_id uuid,
  before jsonb,
  after jsonb,
  data jsonb not null,
  request_id text not null,
  position bigint not null
) partition by range (created_at);
comment on table audit_events is
  'Every change and who made it, append-only, in partitions by month that retention drops (D282).';
alter sequence audit_events_position owned by audit_events.position;
create index if not exists audit_events_created_at on audit_events (created_at, id);
create index if not exists audit_events_kind on audit_events (kind, created_at, id) where kind is not null;
create index if not exists audit_events_developer on audit_events (developer_id, created_at, id);
create index if not exists audit_events_feed on audit_events (developer_id, position);
create index if not exists audit_events_app on audit_events (app_id, created_at, id) where app_id is not null;
create index if not exists audit_events_timeline on audit_events (app_id, created_at, id)
  where app_id is not null and actor_kind <> 'account';
create index if not exists audit_events_actor_account on audit_events (actor_account, created_at, id)
  where actor_account is not null;
create index if not exists audit_events_actor_key on audit_events (actor_key, created_at, id)
  where actor_key is not null;
create index if not exists audit_events_request on audit_events (request_id, created_at, id)
  where request_id is not null;
create index if not exists audit_events_key on audit_events ((data ->> 'keyId'), created_at, id)
  where data ->> 'keyId' is not null;
create index if not exists audit_events_former_key on audit_events ((data ->> 'formerKeyId'), created_at, id)
  where data ->> 'formerKeyId' is not null;
create index if not exists audit_events_email_changes on audit_events (developer_id, created_at)
  where kind = 'developer.email-changed';
create index if not exists audit_events_ratings on audit_events (app_id, actor_account, created_at)
  where kind in ('rating.created', 'rating.updated');

create or replace function refuse_change_of_audit_log() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;
create or replace trigger audit_events_append_only before update or delete or truncate on audit_events
for each statement execute function refuse_change_of_audit_log();

-- Events of a developer are numbered in the order of their commits: a transaction waits until the one before it is
-- committed, and only then takes a number. A reader that has seen a number has therefore seen every lower one.
create or replace function take_position_in_audit_log() returns trigger language plpgsql as $$
begin
  if new.developer_id is not null then
    perform pg_advisory_xact_lock(hashtextextended('events:' || new.developer_id, 0));
  end if;
  new.position := nextval('audit_events_position');
  return new;
end $$;
create or replace trigger audit_events_position before insert on audit_events
for each row execute function take_position_in_audit_log();

-- For subscriptions (D142): the kind of the event, its app, and the status of the app or version.
create or replace function announce_event() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', concat_ws(' ', 'event', new.kind, new.app_id, coalesce(
    (select status from app_versions where id = (new.data ->> 'versionId')::uuid),
    (select status from apps where id = new.app_id))));
  return null;
end $$;
create or replace trigger audit_events_announce after insert on audit_events
for each row when (new.app_id is not null or new.kind like 'developer.%') execute function announce_event();

-- Row triggers of the audit log are copied to partitions by PostgreSQL, triggers for statements are not.
create or replace function attach_audit_partition(partition text, bounds text) returns void language plpgsql as $$
begin
  execute format('create table %I (like audit_events including all, primary key (id))', partition);
  execute format('alter table audit_events attach partition %I %s', partition, bounds);
  execute format('create trigger audit_events_append_only before update or delete or truncate on %I
    for each statement execute function refuse_change_of_audit_log()', partition);
end $$;

-- Creates the partitions that are missing up to the given number of months from now. The first one has all rows before its
-- end. A month of which there are rows in the default partition stays there: it was not created in time.
create or replace function create_audit_partitions(months integer) returns void language plpgsql as $$
declare
  this_month timestamp := date_trunc('month', now() at time zone 'utc');
  first_month timestamp := (select to_date(right(relname, 7), 'YYYY_MM') from pg_class
    where relname like 'audit\_events\_before\_%' and relkind = 'r' and relispartition);
  month timestamp;
  partition text;
begin
  if first_month is null then
    first_month := this_month + interval '2 months';
    perform attach_audit_partition('audit_events_before_' || to_char(first_month, 'YYYY_MM'),
      format('for values from (minvalue) to (%L)', first_month at time zone 'utc'));
    perform attach_audit_partition('audit_events_default', 'default');
  end if;
  for month in
    select day from generate_series(first_month, this_month + months * interval '1 month', interval '1 month') day
    where to_regclass('audit_events_' || to_char(day, 'YYYY_MM')) is null
  loop
    -- One process at a time: the others find the partition.
    lock table audit_events in share update exclusive mode;
    partition := 'audit_events_' || to_char(month, 'YYYY_MM');
    continue when to_regclass(partition) is not null or exists (
      select from audit_events_default where created_at >= month at time zone 'utc'
        and created_at < (month + interval '1 month') at time zone 'utc');
    perform attach_audit_partition(partition, format('for values from (%L) to (%L)',
      month at time zone 'utc', (month + interval '1 month') at time zone 'utc'));
  end loop;
end $$;
select create_audit_partitions(3);

import { Migration } from '@mikro-orm/migrations';

/** Webhook endpoints, what was sent to them, and the order in which events are told. */
export class Webhooks extends Migration {
  override up(): void {
    this.addSql(`
      create table webhook_endpoints (
        id uuid primary key,
        developer_id uuid not null references developers,
        url text not null,
        events text[] not null,
        description text,
        signing_secret text not null check (signing_secret like 'whsec\\_%'),
        former_secret text,
        former_secret_until timestamptz(3),
        failing_since timestamptz(3),
        disabled_at timestamptz(3),
        disabled_reason text,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        check ((former_secret is null) = (former_secret_until is null)),
        check ((disabled_at is null) = (disabled_reason is null))
      )`);
    this.addSql(
      'create index webhook_endpoints_developer on webhook_endpoints (developer_id, created_at desc, id desc)',
    );
    this.addSql(`
      create table webhook_deliveries (
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
      )`);
    this.addSql(
      'create index webhook_deliveries_log on webhook_deliveries (endpoint_id, created_at desc, id desc)',
    );
    this.addSql(`
      create table webhook_attempts (
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
      )`);
    this.orderEvents();
  }

  /**
   * Whoever records an event of a developer waits until the one before is committed, and only then takes a number.
   * So a poller that has seen a number has seen every lower one: commit order and this order are the same.
   */
  private orderEvents(): void {
    this.addSql('create sequence audit_events_position');
    // A default fills the lines that are there already, which no update could.
    this.addSql(
      "alter table audit_events add column position bigint not null default nextval('audit_events_position')",
    );
    this.addSql('alter table audit_events alter column position drop default');
    this.addSql('alter sequence audit_events_position owned by audit_events.position');
    this.addSql(`
      create function take_position_in_audit_log() returns trigger language plpgsql as $$
      begin
        if new.developer_id is not null then
          perform pg_advisory_xact_lock(hashtextextended('events:' || new.developer_id, 0));
        end if;
        new.position := nextval('audit_events_position');
        return new;
      end $$`);
    this.addSql(`
      create trigger audit_events_position before insert on audit_events
      for each row execute function take_position_in_audit_log()`);
    this.addSql('create index audit_events_feed on audit_events (developer_id, position)');
  }
}

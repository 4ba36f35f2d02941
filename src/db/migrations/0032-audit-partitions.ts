import { Migration } from '@mikro-orm/migrations';

/** True until the audit log is partitioned, so that each step can be repeated. */
const isOneTable = "(select relkind = 'r' from pg_class where oid = 'audit_events'::regclass)";

/**
 * Partitions the audit log by month (D282). The table becomes the first partition, with all its rows and indexes, so
 * nothing is copied. It ends with the next month: by then the worker has created further partitions.
 */
export class AuditPartitions extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.functions();
    // With a valid check, attaching the table reads no rows while it holds its lock. Validating blocks nobody.
    this.addSql(`
      do $$ begin
        if ${isOneTable} then
          alter table audit_events drop constraint if exists audit_events_first_partition;
          execute format('alter table audit_events add constraint audit_events_first_partition
            check (created_at < %L) not valid', audit_first_bound());
        end if;
      end $$`);
    this.addSql(`
      do $$ begin
        if ${isOneTable} then
          alter table audit_events validate constraint audit_events_first_partition;
        end if;
      end $$`);
    this.addSql('select partition_audit_log()');
    this.addSql('select create_audit_partitions(3)');
  }

  private functions(): void {
    this.addSql(`
      create or replace function audit_month(months integer) returns timestamptz language sql stable as $$
        select (date_trunc('month', now() at time zone 'utc') + months * interval '1 month') at time zone 'utc'
      $$`);
    // Later than all rows, also those of a gateway with a wrong clock.
    this.addSql(`
      create or replace function audit_first_bound() returns timestamptz language sql stable as $$
        select greatest(audit_month(2), (date_trunc('month', max(created_at) at time zone 'utc') + interval '1 month')
          at time zone 'utc') from audit_events
      $$`);
    // Row triggers of the audit log are copied by PostgreSQL, and triggers for statements are not.
    this.addSql(`
      create or replace function attach_audit_partition(partition text, bounds text) returns void language plpgsql as $$
      begin
        execute format('create table %I (like audit_events including all, primary key (id))', partition);
        execute format('alter table audit_events attach partition %I %s', partition, bounds);
        execute format('create trigger audit_events_append_only before update or delete or truncate on %I
          for each statement execute function refuse_change_of_audit_log()', partition);
      end $$`);
    this.partitionOnce();
    this.createAhead();
  }

  /** Prepared statements of the release before find the new table by its name. */
  private partitionOnce(): void {
    this.addSql(`
      create or replace function partition_audit_log() returns void language plpgsql as $$
      declare
        bound timestamptz := audit_first_bound();
        first_partition text := 'audit_events_before_' || to_char(bound at time zone 'utc', 'YYYY_MM');
        found record;
      begin
        if not ${isOneTable} then
          return;
        end if;
        execute format('alter table audit_events rename to %I', first_partition);
        execute format('drop trigger audit_events_position on %I', first_partition);
        execute format('drop trigger audit_events_announce on %I', first_partition);
        execute format('create table audit_events (like %I including defaults including constraints)
          partition by range (created_at)', first_partition);
        alter table audit_events drop constraint audit_events_first_partition;
        -- The same indexes under the same names: those of the first partition get others, and are attached, not built.
        for found in
          select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
          from pg_index i join pg_class c on c.oid = i.indexrelid
          where i.indrelid = first_partition::regclass and not i.indisprimary
        loop
          execute format('alter index %I rename to %I', found.name, found.name || '_first');
          execute regexp_replace(found.definition, ' ON \\S+ USING ', ' ON audit_events USING ');
        end loop;
        create trigger audit_events_append_only before update or delete or truncate on audit_events
          for each statement execute function refuse_change_of_audit_log();
        create trigger audit_events_position before insert on audit_events
          for each row execute function take_position_in_audit_log();
        create trigger audit_events_announce after insert on audit_events
          for each row when (new.app_id is not null or new.kind like 'developer.%') execute function announce_event();
        execute format('alter table audit_events attach partition %I for values from (minvalue) to (%L)',
          first_partition, bound);
        execute format('alter table %I drop constraint audit_events_first_partition', first_partition);
        perform attach_audit_partition('audit_events_default', 'default');
        alter sequence audit_events_position owned by audit_events.position;
      end $$`);
  }

  /**
   * Creates the partitions of the coming months, if they do not exist. A month of which there are rows in the default
   * partition stays there: it was not created in time.
   */
  private createAhead(): void {
    this.addSql(`
      create or replace function create_audit_partitions(months integer) returns void language plpgsql as $$
      declare
        first_month date := (select to_date(right(relname, 7), 'YYYY_MM') from pg_class
          where relname like 'audit\\_events\\_before\\_%' and relispartition);
        month date;
        partition text;
        bounds text;
      begin
        for month in
          select day from generate_series(first_month, (audit_month(months) at time zone 'utc')::date, interval '1 month') day
          where to_regclass('audit_events_' || to_char(day, 'YYYY_MM')) is null
        loop
          -- One process at a time: the others find the partition.
          lock table audit_events in share update exclusive mode;
          partition := 'audit_events_' || to_char(month, 'YYYY_MM');
          bounds := format('for values from (%L) to (%L)', month::timestamp at time zone 'utc',
            (month + interval '1 month') at time zone 'utc');
          continue when to_regclass(partition) is not null or exists (
            select from audit_events_default where created_at >= month::timestamp at time zone 'utc'
              and created_at < (month + interval '1 month') at time zone 'utc');
          perform attach_audit_partition(partition, bounds);
        end loop;
      end $$`);
  }
}

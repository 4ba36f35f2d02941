import { Migration } from '@mikro-orm/migrations';

/** An event of the audit log is looked up by its id in the month that the id contains (D426). */
export class EventsById extends Migration {
  override up(): void {
    // The end of the first partition never changes, and the planner must know it to leave the other months out.
    this.addSql(`create or replace function end_of_first_audit_partition() returns timestamptz immutable language sql as $$
  select to_date(right(relname, 7), 'YYYY_MM')::timestamp at time zone 'utc' from pg_class
  where relname like 'audit\\_events\\_before\\_%' and relkind = 'r'
$$`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Many apps in one transaction take a time that grows with their number, and not with its square (D269).
 */
export class BulkImport extends Migration {
  override up(): void {
    // PL/pgSQL plans a statement once. Planned while there are few apps, it would read all apps again for each new one.
    for (const setting of ['enable_seqscan = off', 'plan_cache_mode = force_generic_plan'])
      for (const name of ['index_apps(uuid[])', 'list_app()'])
        this.addSql(`alter function ${name} set ${setting}`);
    this.counts();
    this.addSql(`
      create function reflect_new_apps() returns trigger language plpgsql as $$
      begin
        perform count_app(category, environment, featured, count(*)::integer)
        from added where listed group by category, environment, featured order by category, environment, featured;
        if found then
          perform index_apps(array(select id from added where listed order by id));
        end if;
        return null;
      end $$`);
    this.addSql(`
      create or replace trigger apps_reflect_new after insert on apps referencing new table as added
      for each statement execute function reflect_new_apps()`);
  }

  /**
   * Each update of a row leaves a version that stays until the transaction has ended, and later updates pass all of them.
   * After 64 updates, a transaction goes on with another row of the same count.
   */
  private counts(): void {
    this.addSql(`
      create or replace function count_app(category text, environment text, featured boolean, by integer) returns void
      language plpgsql as $$
      declare
        earlier integer := coalesce(nullif(current_setting('marketplace.counted_apps', true), ''), '0');
      begin
        perform set_config('marketplace.counted_apps', (earlier + 1)::text, true);
        insert into app_counts values (category, environment, featured, pg_backend_pid() % 16 + 16 * (earlier / 64), by)
        on conflict on constraint app_counts_pkey do update set apps = app_counts.apps + excluded.apps;
      end $$`);
  }
}

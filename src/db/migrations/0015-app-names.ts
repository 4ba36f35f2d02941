import { Migration } from '@mikro-orm/migrations';

/** Names of public apps as they look, to find others that look the same; and free slugs without trying them all. */
export class AppNames extends Migration {
  override up(): void {
    this.names();
    this.slugs();
  }

  /** SQL cannot compute a skeleton: a new name waits with none until a gateway or worker fills it in. */
  private names(): void {
    this.addSql(`
      create table app_names (
        app_id uuid primary key references apps on delete cascade,
        name text not null,
        skeleton text
      )`);
    this.addSql('insert into app_names (app_id, name) select id, name from apps where listed');
    this.addSql('create index app_names_skeleton on app_names (skeleton)');
    this.addSql('create index app_names_waiting on app_names (app_id) where skeleton is null');
    this.addSql(`
      create function name_app() returns trigger language plpgsql as $$
      begin
        insert into app_names (app_id, name) values (new.id, new.name)
        on conflict (app_id) do update set name = excluded.name, skeleton = null
        where app_names.name <> excluded.name;
        return null;
      end $$`);
    this.addSql(`
      create trigger apps_name after insert or update of name, status, listed, developer_id on apps
      for each row when (new.listed) execute function name_app()`);
    this.addSql('alter function rebuild_catalog() rename to rebuild_catalog_lists');
    this.addSql(`
      create function rebuild_catalog() returns void language plpgsql as $$
      begin
        perform rebuild_catalog_lists();
        truncate app_names;
        insert into app_names (app_id, name) select id, name from apps where listed;
      end $$`);
  }

  /**
   * The first candidate that is free. Nobody waits: a candidate that another transaction is about to take is skipped.
   * Each statement of a volatile function sees what was committed before it, so the second look is the last word.
   */
  private slugs(): void {
    this.addSql(`
      create function take_slug(candidates text[]) returns text language plpgsql volatile as $$
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
      end $$`);
  }
}

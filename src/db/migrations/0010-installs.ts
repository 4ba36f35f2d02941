import { Migration } from '@mikro-orm/migrations';

/** Installs by day, and a way to the events that are old enough to be pruned. */
export class Installs extends Migration {
  override up(): void {
    // Only public apps are installed, and those are never deleted (0001), so a foreign key would guard against nothing;
    // for each install it would look its app up and lock it once more, and that was a fifth of the work.
    this.addSql('alter table installations drop constraint installations_app_id_fkey');
    this.addSql(`
      create table installs_daily (
        app_id uuid not null,
        day date not null,
        environment text not null,
        version text not null,
        installs integer not null check (installs >= 0),
        unique_installations integer not null check (unique_installations between 0 and installs),
        primary key (app_id, day, environment, version)
      )`);
    this.addSql(`
      insert into installs_daily (app_id, day, environment, version, installs, unique_installations)
      select i.app_id, (i.created_at at time zone 'utc')::date, a.environment, coalesce(i.version, ''),
        count(*), count(i.installation_id)
      from installations i join apps a on a.id = i.app_id
      group by 1, 2, 3, 4`);
    // What is pruned leaves the index, so that the next look for old events does not meet it again.
    this.addSql(`
      create index installations_prunable on installations (created_at)
      where installation_id is null or account_user_id is not null or version is not null`);
  }
}

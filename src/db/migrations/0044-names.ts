import { Migration } from '@mikro-orm/migrations';

/**
 * Names of developers and companies as they look (D325), the number of the rule by which a skeleton was computed, so that
 * a change of the rule computes it again (D340), and the address that an account has proven (D327).
 */
export class Names extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    // Compared with `email`, so that a release that does not know the column cannot keep a proof for another address.
    this.addSql('alter table developers add column if not exists proven_email text');
    this.apps();
    this.developers();
  }

  /** A gateway of the former release leaves the rule as it is, so what it computes is computed again. */
  private apps(): void {
    this.addSql('alter table app_names add column if not exists rule integer not null default 0');
    this.addSql('drop index concurrently if exists app_names_rule');
    this.addSql('create index concurrently if not exists app_names_rule on app_names (rule, app_id)');
    this.addSql(`
      create or replace function name_app() returns trigger language plpgsql as $$
      begin
        insert into app_names (app_id, name) values (new.id, new.name)
        on conflict (app_id) do update set name = excluded.name, skeleton = null, rule = 0
        where app_names.name <> excluded.name;
        return null;
      end $$`);
  }

  /** As with the names of apps, SQL cannot compute a skeleton: a new name waits with none. */
  private developers(): void {
    this.addSql(`
      create table if not exists developer_names (
        developer_id uuid not null references developers on delete cascade,
        field text not null check (field in ('name', 'companyName')),
        name text not null,
        skeleton text,
        rule integer not null default 0,
        primary key (developer_id, field)
      )`);
    for (const [index, columns] of [
      ['developer_names_skeleton', 'skeleton'],
      ['developer_names_rule', 'rule, developer_id'],
    ]) {
      this.addSql(`drop index concurrently if exists ${index}`);
      this.addSql(`create index concurrently if not exists ${index} on developer_names (${columns})`);
    }
    this.addSql(`
      create or replace function name_developer() returns trigger language plpgsql as $$
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
      end $$`);
    this.addSql(`
      create or replace trigger developers_names after insert or update of name, company_name on developers
      for each row execute function name_developer()`);
    this.addSql(`
      insert into developer_names (developer_id, field, name)
      select d.id, given.field, given.name
      from developers d, lateral (values ('name', d.name), ('companyName', d.company_name)) given (field, name)
      where given.name <> ''
      on conflict (developer_id, field) do nothing`);
  }
}

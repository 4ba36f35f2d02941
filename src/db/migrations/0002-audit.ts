import { Migration } from '@mikro-orm/migrations';

/** The audit log, which is never changed or removed, whoever asks; and the mails. */
export class Audit extends Migration {
  override up(): void {
    this.addSql(`
      create table audit_events (
        id uuid primary key,
        created_at timestamptz(3) not null,
        kind text not null,
        actor_kind text not null check (actor_kind in ('developer', 'administrator', 'account', 'system')),
        actor_account text,
        actor_key uuid,
        developer_id uuid,
        app_id uuid,
        before jsonb,
        after jsonb,
        data jsonb not null,
        request_id text not null
      )`);
    this.addSql(
      'create index audit_events_app on audit_events (app_id, created_at, id) where app_id is not null',
    );
    this.addSql('create index audit_events_developer on audit_events (developer_id, created_at, id)');
    this.addSql('create index audit_events_created_at on audit_events (created_at, id)');
    this.addSql(`
      create function refuse_change_of_audit_log() returns trigger language plpgsql as $$
      begin
        raise exception 'the audit log is append-only';
      end $$`);
    this.addSql(`
      create trigger audit_events_append_only before update or delete or truncate on audit_events
      for each statement execute function refuse_change_of_audit_log()`);
    this.addSql(`
      create table mails (
        id uuid primary key,
        created_at timestamptz(3) not null,
        kind text not null,
        recipient text not null,
        subject text not null,
        message_id text not null,
        html text,
        text text
      )`);
    this.addSql('create index mails_created_at on mails (created_at desc, id desc)');
  }
}

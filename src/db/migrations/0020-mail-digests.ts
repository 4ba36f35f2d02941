import { Migration } from '@mikro-orm/migrations';

/** Notices that are gathered for one mail (D110), and an index for counting changes of an e-mail address. */
export class MailDigests extends Migration {
  override up(): void {
    this.addSql(`
      alter table mails
        add column digest_id uuid,
        add column digest_due_at timestamptz(3),
        add column notice jsonb,
        add check ((digest_id is null) = (digest_due_at is null)),
        add check (notice is null or digest_id is not null)`);
    this.addSql('create index mails_address on mails (lower(recipient), kind, created_at)');
    this.addSql('create index mails_digest on mails (digest_id, id) where digest_id is not null');
    this.addSql(`
      create index audit_events_email_changes on audit_events (developer_id, created_at)
        where kind = 'developer.email-changed'`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Webhook endpoints of the administration, which have no developer (D169); and which submissions were reported as overdue (D168). */
export class ReviewNotices extends Migration {
  override up(): void {
    this.addSql('alter table webhook_endpoints alter column developer_id drop not null');
    this.addSql('alter table submissions add column overdue_noticed_at timestamptz(3)');
    this.addSql(`
      create index submissions_to_report on submissions (due_at, id)
      where ended_at is null and overdue_noticed_at is null`);
  }
}

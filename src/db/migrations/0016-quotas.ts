import { Migration } from '@mikro-orm/migrations';

/** What quotas count, and what long lists are read by. */
export class Quotas extends Migration {
  override up(): void {
    // A key has ended from this time on: it is in the future only for a key that still works.
    this.addSql(
      'create index api_keys_ended on api_keys (developer_id, (coalesce(revoked_at, expires_at)) desc)',
    );
    this.addSql('alter table kept_answers add column developer_id uuid');
    this.addSql(
      'create index kept_answers_developer on kept_answers (developer_id, created_at) where developer_id is not null',
    );
    this.addSql(
      "create index webhook_deliveries_tests on webhook_deliveries (endpoint_id, created_at) where type = 'webhook.test'",
    );
    // The timeline leaves out what users do, of which a popular app has a hundred times as much.
    this.addSql(`
      create index audit_events_timeline on audit_events (app_id, created_at, id)
      where app_id is not null and actor_kind <> 'account'`);
    this.addSql(
      'create index submissions_decided on submissions (app_id, ended_at desc, id desc) where listing is not null',
    );
  }
}

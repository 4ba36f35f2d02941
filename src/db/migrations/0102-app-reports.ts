import { Migration } from '@mikro-orm/migrations';

/** Reports of apps by accounts (D380). */
export class AppReports extends Migration {
  override up(): void {
    this.addSql(`
      create table app_reports (
        id uuid primary key,
        app_id uuid not null references apps on delete cascade,
        account_user_id text not null,
        reason text not null check (reason in ('SPAM', 'MISLEADING', 'BROKEN', 'HARMFUL', 'COPY', 'OTHER')),
        text text,
        closed_at timestamptz(3),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        constraint app_reports_once_per_account unique (app_id, account_user_id)
      )`);
    this.addSql(
      "comment on table app_reports is 'Reports of apps by accounts, until an administrator closes them or takes the app down.'",
    );
    this.addSql(
      'create index app_reports_open on app_reports (created_at desc, id desc) where closed_at is null',
    );
    this.addSql('create index app_reports_closed on app_reports (closed_at) where closed_at is not null');
  }
}

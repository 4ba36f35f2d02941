import { Migration } from '@mikro-orm/migrations';

/** Pictures of public apps are fetched again and compared with what was reviewed (D328). */
export class PictureChecks extends Migration {
  override up(): void {
    // The host that sent the picture, after redirects; null for checks from before.
    this.addSql('alter table asset_checks add column host text');
    this.addSql(`
      create table picture_checks (
        app_id uuid primary key references apps on delete cascade,
        due_at timestamptz(3) not null,
        pictures jsonb not null default '[]'
      )`);
    this.addSql(
      "comment on table picture_checks is 'When the pictures of a public app are fetched again, and how they differ from what was reviewed (D328).'",
    );
  }
}

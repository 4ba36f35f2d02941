import { Migration } from '@mikro-orm/migrations';

/** What was found at the addresses that a listing names, for each of its revisions. */
export class AssetChecks extends Migration {
  override up(): void {
    this.addSql(`
      create table asset_checks (
        app_id uuid not null references apps on delete cascade,
        revision integer not null check (revision >= 1),
        field text not null,
        url text not null,
        ok boolean not null,
        width integer,
        height integer,
        type text check (type in ('png', 'jpg')),
        bytes integer,
        sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
        problem jsonb,
        checked_at timestamptz(3) not null,
        primary key (app_id, revision, field),
        check (ok = (problem is null))
      )`);
  }
}

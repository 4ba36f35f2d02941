import { Migration } from '@mikro-orm/migrations';

/** Names that almost equal a public one, and pictures of other developers' public apps, are found by indexes (D421, D422). */
export class SimilarApps extends Migration {
  override up(): void {
    this.addSql('alter table app_names add column if not exists near text[]');
    this.addSql(
      "comment on column app_names.near is 'The name without plurals and doubled letters, and without each of its letters: near-name.rules.ts computes it with the skeleton.'",
    );
    this.addSql('drop index concurrently if exists app_names_near');
    // Without a list of pending entries, which each look-up would have to read.
    this.addSql(
      'create index concurrently if not exists app_names_near on app_names using gin (near) with (fastupdate = off)',
    );
    this.addSql('drop index concurrently if exists asset_checks_picture');
    this.addSql(
      "create index concurrently if not exists asset_checks_picture on asset_checks (sha256, checked_at) where sha256 is not null and field in ('logoUrl', 'bannerUrl')",
    );
  }

  /** Indexes cannot be built concurrently inside a transaction. */
  override isTransactional(): boolean {
    return false;
  }
}

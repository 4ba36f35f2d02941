import { Migration } from '@mikro-orm/migrations';

/** Where reviewers can be told of answers, and what was found at the addresses that a version names. */
export class ReviewersAndVersions extends Migration {
  override up(): void {
    this.addSql(`
      alter table submissions add column claimed_by_email text,
        add check (claimed_by_email is null or claimed_by is not null)`);
    this.addSql(`
      alter table review_messages add column author_email text,
        add check (author_email is null or author = 'REVIEWER')`);
    // Versions count their revisions from one as well, so the app's id no longer says which listing it was.
    this.addSql('alter table asset_checks add column listing_id uuid');
    this.addSql('update asset_checks set listing_id = app_id');
    this.addSql(`
      alter table asset_checks alter column listing_id set not null,
        drop constraint asset_checks_pkey,
        add primary key (listing_id, revision, field)`);
    this.addSql('create index asset_checks_app on asset_checks (app_id)');
  }
}

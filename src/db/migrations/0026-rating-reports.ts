import { Migration } from '@mikro-orm/migrations';

/** Reports of ratings (D192), and when a rating with open reports was last reported. */
export class RatingReports extends Migration {
  override up(): void {
    this.addSql(`
      create table rating_reports (
        id uuid primary key,
        rating_id uuid not null references ratings on delete cascade,
        account_user_id text not null,
        reason text not null,
        closed_at timestamptz(3),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        constraint rating_reports_once_per_account unique (rating_id, account_user_id)
      )`);
    this.addSql(
      'create index rating_reports_open on rating_reports (rating_id, created_at, id) where closed_at is null',
    );
    this.addSql('alter table ratings add column reported_at timestamptz(3)');
    this.addSql('create index ratings_reported on ratings (reported_at, id) where reported_at is not null');
    // A report changes nothing that is public, so it must not invalidate cached responses.
    this.addSql('drop trigger ratings_announce on ratings');
    this.addSql(`
      create trigger ratings_announce after insert or delete or update of
        id, app_id, account_user_id, rating, author_name, title, text, reply, hidden_at, removed_at, created_at, updated_at
      on ratings for each row execute function announce_catalog('listings')`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Ratings: one per account and app, with their sum beside their count on the app's row. */
export class Ratings extends Migration {
  override up(): void {
    this.addSql(`
      create table ratings (
        id uuid primary key,
        app_id uuid not null references apps on delete cascade,
        account_user_id text not null,
        rating integer not null check (rating between 1 and 5),
        title text,
        text text,
        reply text,
        hidden_at timestamptz(3),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        constraint ratings_once_per_account unique (app_id, account_user_id)
      )`);
    this.addSql(
      'create index ratings_public on ratings (app_id, created_at desc, id desc) where hidden_at is null',
    );
    this.addSql(
      'create index ratings_hidden on ratings (hidden_at desc, id desc) where hidden_at is not null',
    );
    // Row by row: a statement that a deleted draft cascades to would announce what it never had.
    this.addSql(`
      create trigger ratings_announce after insert or update or delete on ratings
      for each row execute function announce_catalog('listings')`);
    this.addSql('alter table apps add column rating_sum integer not null default 0 check (rating_sum >= 0)');
  }
}

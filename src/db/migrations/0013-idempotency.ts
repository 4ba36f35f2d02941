import { Migration } from '@mikro-orm/migrations';

/** The answers that are given again to whoever repeats a request with its Idempotency-Key. */
export class Idempotency extends Migration {
  override up(): void {
    this.addSql(`
      create table kept_answers (
        id bytea primary key check (length(id) = 32),
        body_hash bytea not null check (length(body_hash) = 32),
        status integer not null check (status between 200 and 299),
        etag text,
        body text,
        shown_once text,
        created_at timestamptz(3) not null,
        check ((body is null) = (shown_once is not null))
      )`);
    this.addSql('create index kept_answers_created_at on kept_answers (created_at)');
  }
}

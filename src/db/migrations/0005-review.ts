import { Migration } from '@mikro-orm/migrations';

/** Versions of approved apps, submissions with their place and claim, and the messages about them. */
export class Review extends Migration {
  override up(): void {
    this.addSql(`
      create table app_versions (
        id uuid primary key,
        app_id uuid not null references apps,
        name text not null,
        description text not null,
        long_description text,
        category text not null check (category in ('PRODUCTIVITY', 'UTILITIES', 'BUSINESS', 'DEVELOPER_TOOLS',
          'COMMUNICATION', 'ANALYTICS', 'AI_ML', 'FINANCE', 'EDUCATION', 'OTHER')),
        logo_url text,
        banner_url text,
        website_url text,
        oauth_client_id text,
        screenshots jsonb not null check (jsonb_array_length(screenshots) <= 6),
        status text not null check (status in ('DRAFT', 'PENDING', 'APPROVED', 'REJECTED', 'DISCARDED')),
        revision integer not null check (revision >= 1),
        submitted_at timestamptz(3),
        decided_at timestamptz(3),
        rejection jsonb,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        check (status <> 'PENDING' or submitted_at is not null),
        check (status not in ('PENDING', 'APPROVED') or jsonb_array_length(screenshots) >= 2),
        check (status <> 'REJECTED' or rejection is not null)
      )`);
    this.addSql(`
      create unique index app_versions_one_open on app_versions (app_id)
      where status in ('DRAFT', 'PENDING', 'REJECTED')`);
    this.addSql('create index app_versions_app on app_versions (app_id, created_at desc, id desc)');
    this.addSql(`
      create table submissions (
        id uuid primary key,
        created_at timestamptz(3) not null,
        app_id uuid not null references apps on delete cascade,
        version_id uuid references app_versions,
        queued_at timestamptz(3) not null,
        due_at timestamptz(3) not null,
        claimed_by text,
        claimed_until timestamptz(3),
        review_began_at timestamptz(3),
        ended_at timestamptz(3),
        outcome text check (outcome in ('APPROVED', 'REJECTED', 'WITHDRAWN')),
        revision integer,
        listing jsonb,
        check ((ended_at is null) = (outcome is null)),
        check ((claimed_by is null) = (claimed_until is null))
      )`);
    this.addSql(
      'create unique index submissions_one_open on submissions (coalesce(version_id, app_id)) where ended_at is null',
    );
    this.addSql('create index submissions_queue on submissions (queued_at, id) where ended_at is null');
    this.addSql('create index submissions_app on submissions (app_id, created_at desc)');
    this.addSql(
      "create index submissions_ended on submissions (ended_at desc) where outcome in ('APPROVED', 'REJECTED')",
    );
    this.addSql(`
      insert into submissions (id, created_at, app_id, queued_at, due_at)
      select gen_random_uuid(), submitted_at, id, submitted_at, submitted_at + interval '48 hours'
      from apps where status = 'PENDING'`);
    this.addSql(`
      create table review_messages (
        id uuid primary key,
        created_at timestamptz(3) not null,
        app_id uuid not null references apps on delete cascade,
        author text not null check (author in ('DEVELOPER', 'REVIEWER')),
        author_account text,
        text text not null
      )`);
    this.addSql('create index review_messages_app on review_messages (app_id, created_at, id)');
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Developers, their keys and apps, and installs; the invariants stand in the database, so that no bug can break them. */
export class Initial extends Migration {
  override up(): void {
    this.addSql('create extension if not exists pg_trgm');
    this.addSql(`
      create table developers (
        id uuid primary key,
        account_user_id text not null constraint developers_account_user_id_key unique,
        name text not null,
        email text not null,
        company_name text,
        website_url text,
        bio text,
        status text not null check (status in ('UNVERIFIED', 'VERIFIED', 'SUSPENDED')),
        status_before_suspension text check (status_before_suspension in ('UNVERIFIED', 'VERIFIED')),
        verified_at timestamptz(3),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        check ((status = 'SUSPENDED') = (status_before_suspension is not null)),
        check ((coalesce(status_before_suspension, status) = 'VERIFIED') = (verified_at is not null))
      )`);
    this.addSql('create unique index developers_email_key on developers (lower(email))');
    this.addSql('create index developers_created_at on developers (created_at, id)');
    this.addSql(`
      create table api_keys (
        id uuid primary key,
        developer_id uuid not null references developers,
        name text not null,
        scopes text[] not null check (cardinality(scopes) > 0),
        hash bytea not null constraint api_keys_hash_key unique,
        masked_key text not null,
        expires_at timestamptz(3) not null,
        last_used_at timestamptz(3),
        revoked_at timestamptz(3),
        created_at timestamptz(3) not null,
        check (scopes <@ '{APP_CREATE,APP_READ,APP_UPDATE,APP_DELETE,ANALYTICS_READ}')
      )`);
    this.addSql('create index api_keys_developer on api_keys (developer_id, created_at desc, id desc)');
    this.addSql(`
      create table apps (
        id uuid primary key,
        developer_id uuid not null references developers,
        slug text not null constraint apps_slug_key unique
          check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 60
            and slug not in ('featured', 'categories', 'list', 'install')),
        name text not null,
        description text not null,
        long_description text,
        category text not null check (category in ('PRODUCTIVITY', 'UTILITIES', 'BUSINESS', 'DEVELOPER_TOOLS',
          'COMMUNICATION', 'ANALYTICS', 'AI_ML', 'FINANCE', 'EDUCATION', 'OTHER')),
        environment text not null check (environment in ('localhost', 'staging', 'production')),
        logo_url text,
        banner_url text,
        website_url text,
        oauth_client_id text,
        screenshots jsonb not null check (jsonb_array_length(screenshots) <= 6),
        status text not null check (status in ('DRAFT', 'PENDING', 'APPROVED', 'REJECTED', 'SUSPENDED')),
        featured boolean not null,
        install_count integer not null check (install_count >= 0),
        review_count integer not null check (review_count >= 0),
        average_rating double precision not null check (average_rating between 0 and 5),
        revision integer not null check (revision >= 1),
        submitted_at timestamptz(3),
        approved_at timestamptz(3),
        rejection jsonb,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        search tsvector not null generated always as (
          setweight(to_tsvector('english', name), 'A') || setweight(to_tsvector('english', description), 'B')) stored,
        check ((status in ('APPROVED', 'SUSPENDED')) = (approved_at is not null)),
        check (status in ('DRAFT', 'REJECTED') or submitted_at is not null),
        check (status in ('DRAFT', 'REJECTED') or jsonb_array_length(screenshots) >= 2),
        check (status <> 'REJECTED' or rejection is not null)
      )`);
    this.addSql('create index apps_developer on apps (developer_id, created_at desc, id desc)');
    this.addSql("create index apps_queue on apps (submitted_at, id) where status = 'PENDING'");
    this.addSql(
      "create index apps_popular on apps (install_count desc, approved_at desc, id) where status = 'APPROVED'",
    );
    this.addSql("create index apps_search on apps using gin (search) where status = 'APPROVED'");
    this.addSql(
      "create index apps_name_trigrams on apps using gin (lower(name) gin_trgm_ops) where status = 'APPROVED'",
    );
    this.addSql(`
      create function refuse_deletion_of_public_app() returns trigger language plpgsql as $$
      begin
        raise exception 'app % was public: it and its slug are never given away', old.id;
      end $$`);
    this.addSql(`
      create trigger apps_keep_public before delete on apps
      for each row when (old.approved_at is not null) execute function refuse_deletion_of_public_app()`);
    this.addSql(`
      create table installations (
        id uuid primary key,
        app_id uuid not null references apps on delete cascade,
        installation_id text,
        account_user_id text,
        version text,
        created_at timestamptz(3) not null,
        constraint installations_once_per_app unique (app_id, installation_id)
      )`);
  }
}

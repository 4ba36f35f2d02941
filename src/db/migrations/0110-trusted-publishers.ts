import { Migration } from '@mikro-orm/migrations';

/** Pipelines that may publish apps, and the keys that they get (D407, D408, D409). */
export class TrustedPublishers extends Migration {
  override up(): void {
    this.addSql(`
      create table trusted_publishers (
        id uuid primary key,
        app_id uuid not null references apps on delete cascade,
        developer_id uuid not null references developers,
        issuer text not null,
        repository text not null,
        repository_id text,
        workflow text,
        environment text,
        last_used_at timestamptz(3),
        created_at timestamptz(3) not null,
        check (workflow is not null or environment is not null)
      )`);
    this.addSql(
      "comment on table trusted_publishers is 'Pipelines that may publish an app: they exchange the identity of their forge for a short-lived API key.'",
    );
    this.addSql('create index trusted_publishers_app on trusted_publishers (app_id)');
    this.addSql(
      'create index trusted_publishers_developer on trusted_publishers (developer_id, created_at desc)',
    );
    this.addSql('create index trusted_publishers_repository on trusted_publishers (issuer, repository)');
    this.addSql(`
      create table publisher_tokens (
        issuer text not null,
        token_id text not null,
        expires_at timestamptz(3) not null,
        primary key (issuer, token_id)
      )`);
    this.addSql(
      "comment on table publisher_tokens is 'Ids of pipeline tokens that were exchanged, until they expire: each can be exchanged once.'",
    );
    this.addSql('create index publisher_tokens_expired on publisher_tokens (expires_at)');
    // Without references: a key of a deleted app must stay bound to it, or it would work for all apps.
    this.addSql('alter table api_keys add column app_id uuid, add column trusted_publisher_id uuid');
  }
}

import { Migration } from '@mikro-orm/migrations';

/** The scope WEBHOOK_MANAGE (D322), and what API keys have changed in profiles, with the values before (D323, D324). */
export class ProfileChanges extends Migration {
  override up(): void {
    this.addSql('alter table api_keys drop constraint api_keys_scopes_check1');
    // Not validated: the stored keys have passed the constraint above, which is stricter.
    this.addSql(`
      alter table api_keys add constraint api_keys_known_scopes
        check (scopes <@ '{APP_CREATE,APP_READ,APP_UPDATE,APP_DELETE,ANALYTICS_READ,WEBHOOK_MANAGE}') not valid`);
    this.addSql(`
      create table profile_changes (
        id uuid primary key,
        developer_id uuid not null references developers,
        key_id uuid not null,
        before jsonb not null,
        undo_hash bytea not null constraint profile_changes_undo_hash_key unique,
        outcome text check (outcome in ('REVERTED', 'KEPT', 'EMAIL_TAKEN')),
        created_at timestamptz(3) not null
      )`);
    this.addSql('create index profile_changes_developer on profile_changes (developer_id, created_at, id)');
    this.addSql('create index profile_changes_created_at on profile_changes (created_at)');
  }
}

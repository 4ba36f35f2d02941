import { Migration } from '@mikro-orm/migrations';

/** Which notice of a key's expiry was given: each one once, whoever gives it. */
export class KeyExpiry extends Migration {
  override up(): void {
    this.addSql(`
      create table key_expiry_notices (
        key_id uuid not null references api_keys on delete cascade,
        days_before integer not null,
        created_at timestamptz(3) not null,
        primary key (key_id, days_before)
      )`);
    this.addSql('create index api_keys_expires_at on api_keys (expires_at) where revoked_at is null');
  }
}

import { Migration } from '@mikro-orm/migrations';

/** What a key was rotated to; and an audit log that is found by whatever one asks it for. */
export class KeysAndAudit extends Migration {
  override up(): void {
    this.addSql('alter table api_keys add column successor_id uuid unique references api_keys');
    this.addSql('alter table audit_events drop constraint audit_events_actor_kind_check');
    this.addSql(`
      alter table audit_events add constraint audit_events_actor_kind_check
        check (actor_kind in ('developer', 'administrator', 'account', 'anyone', 'system'))`);
    for (const [name, columns] of [
      ['kind', 'kind'],
      ['actor_account', 'actor_account'],
      ['actor_key', 'actor_key'],
      ['request', 'request_id'],
      ['key', "(data->>'keyId')"],
      ['former_key', "(data->>'formerKeyId')"],
    ])
      this.addSql(
        `create index audit_events_${name} on audit_events (${columns}, created_at, id) where ${columns} is not null`,
      );
  }
}

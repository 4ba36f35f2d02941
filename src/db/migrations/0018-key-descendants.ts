import { Migration } from '@mikro-orm/migrations';

/** Which key made a key. For keys that exist already, the audit log knows. */
export class KeyDescendants extends Migration {
  override up(): void {
    this.addSql('alter table api_keys add column created_by_key_id uuid references api_keys');
    this.addSql(`
      update api_keys k set created_by_key_id = e.actor_key
      from audit_events e join api_keys maker on maker.id = e.actor_key
      where e.kind in ('key.created', 'key.rotated') and e.data->>'keyId' = k.id::text`);
    this.addSql(
      'create index api_keys_created_by on api_keys (created_by_key_id) where created_by_key_id is not null',
    );
  }
}

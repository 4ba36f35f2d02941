import { Migration } from '@mikro-orm/migrations';

/** Why a rating is hidden, which it stays when its author removes it; and an index to count an account's ratings of an app. */
export class HiddenRatings extends Migration {
  override up(): void {
    this.addSql(`
      alter table ratings add column hidden_reason text, add column removed_at timestamptz(3),
        add constraint ratings_removed_if_hidden check (removed_at is null or hidden_at is not null)`);
    this.addSql(`
      update ratings r set hidden_reason = hidden.reason
      from (
        select distinct on (data->>'ratingId') data->>'ratingId' as rating_id, data->>'reason' as reason
        from audit_events where kind = 'rating.hidden' order by data->>'ratingId', position desc) as hidden
      where r.hidden_at is not null and hidden.rating_id = r.id::text`);
    this.addSql(`
      create index audit_events_ratings on audit_events (app_id, actor_account, created_at)
      where kind in ('rating.created', 'rating.updated')`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** The decision on each submission, the administrator who hid a rating, and indexes for the lists of administrators. */
export class Administration extends Migration {
  override up(): void {
    this.decisions();
    this.hiddenRatings();
    this.indexes();
  }

  /** Decisions that were made before are filled in from the audit log, except for the findings, which it does not have. */
  private decisions(): void {
    this.addSql(`
      alter table submissions add column decided_by text, add column note text, add column rejection jsonb,
        add column findings jsonb,
        add constraint submissions_decided check (outcome in ('APPROVED', 'REJECTED')
          or (decided_by is null and note is null and rejection is null and findings is null))`);
    this.addSql(`
      update submissions s set decided_by = decided.account, note = decided.note, rejection = decided.rejection
      from (
        select ended.id, e.actor_account as account, e.data->>'note' as note,
          case when ended.outcome = 'REJECTED' then jsonb_build_object('reasons', e.data->'reasons', 'guidance',
            e.data->'guidance', 'rejectedAt', to_char(e.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          end as rejection
        from submissions ended
        cross join lateral (
          select * from audit_events
          where app_id = ended.app_id and created_at >= ended.ended_at
            and kind = case when ended.version_id is null then 'app.' else 'version.' end || lower(ended.outcome)
            and (ended.version_id is null or data->>'versionId' = ended.version_id::text)
          order by created_at, id limit 1) e
        where ended.outcome in ('APPROVED', 'REJECTED')) decided
      where s.id = decided.id`);
  }

  private hiddenRatings(): void {
    this.addSql(`
      alter table ratings add column hidden_by text,
        add constraint ratings_hidden_by check (hidden_by is null or hidden_at is not null)`);
    this.addSql(`
      update ratings r set hidden_by = hidden.account
      from (
        select distinct on (data->>'ratingId') data->>'ratingId' as rating_id, actor_account as account
        from audit_events where kind = 'rating.hidden' order by data->>'ratingId', position desc) as hidden
      where r.hidden_at is not null and hidden.rating_id = r.id::text`);
  }

  /** Each order of the list has an index that also counts the rows which match a filter, without reading the wide rows. */
  private indexes(): void {
    this.addSql(
      'create index apps_created on apps (created_at, id) include (status, category, featured, sort_name)',
    );
    this.addSql('create index apps_updated on apps (updated_at, id) include (status, category, featured)');
    this.addSql('create index apps_status on apps (status, created_at, id) include (category, featured)');
    this.addSql('create index apps_featured on apps (created_at, id) where featured');
    this.addSql('create index apps_name_trigrams on apps using gin (sort_name gin_trgm_ops)');
    this.addSql(
      'create index submissions_decided_by on submissions (decided_by, ended_at, id) where decided_by is not null',
    );
    this.addSql('create index ratings_app on ratings (app_id, created_at, id)');
  }
}

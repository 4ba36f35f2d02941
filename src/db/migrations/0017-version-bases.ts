import { Migration } from '@mikro-orm/migrations';

/** What a version was begun from, so that approving it undoes no edit; what is in the queue; and at which revision a submission was withdrawn. */
export class VersionBases extends Migration {
  override up(): void {
    this.addSql(`
      alter table app_versions add column base_revision integer check (base_revision >= 1), add column base jsonb,
        add column conflict_bases jsonb not null default '{}'`);
    // The audit log has what each edit of the app replaced: the first since the version was begun tells the base.
    this.addSql(`
      update app_versions v set
        base_revision = coalesce(
          (select (e.before->>'revision')::integer from audit_events e
           where e.app_id = a.id and e.kind = 'app.edited' and e.created_at >= v.created_at
           order by e.created_at, e.id limit 1), a.revision),
        base = jsonb_build_object('name', a.name, 'description', a.description, 'longDescription', a.long_description,
          'category', a.category, 'logoUrl', a.logo_url, 'bannerUrl', a.banner_url, 'websiteUrl', a.website_url,
          'oauthClientId', a.oauth_client_id, 'screenshots', a.screenshots) || coalesce(
          (select jsonb_object_agg(key, value) from (
             select distinct on (replaced.key) replaced.key, replaced.value
             from audit_events e, jsonb_each(e.before - 'revision') replaced
             where e.app_id = a.id and e.kind = 'app.edited' and e.created_at >= v.created_at
             order by replaced.key, e.created_at, e.id) first), '{}')
      from apps a where a.id = v.app_id and v.status in ('DRAFT', 'PENDING', 'REJECTED')`);
    this.addSql(`
      create view queued_submissions as
      select s.* from submissions s join apps a on a.id = s.app_id join developers d on d.id = a.developer_id
      where s.ended_at is null and d.status <> 'SUSPENDED'`);
    // Whatever was withdrawn and not edited since keeps its place, as it would have before.
    this.addSql(`
      update submissions s set revision = coalesce(v.revision, a.revision)
      from apps a left join app_versions v on v.app_id = a.id
      where s.outcome = 'WITHDRAWN' and s.app_id = a.id and s.version_id is not distinct from v.id
        and not exists (select from audit_events e where e.app_id = a.id and e.created_at >= s.ended_at
          and (s.version_id is null and e.kind = 'app.updated'
            or s.version_id::text = e.data->>'versionId' and e.kind = 'version.updated'))`);
  }
}

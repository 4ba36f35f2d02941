import { Migration } from '@mikro-orm/migrations';

/**
 * Each app as JSON in the form that its developer gets, so that a developer's list is read instead of being computed
 * (D283). As in 0034, the number of installs is inserted between `head` and `tail` when the document is read.
 */
export class OwnerDocuments extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.table();
    this.upkeep();
    this.triggers();
    this.fill();
  }

  /**
   * Texts are stored as in 0034. `rejection` is the whole column: GraphQL shows whether a reason was addressed, and the
   * document does not.
   */
  private table(): void {
    this.addSql(`
      create table if not exists owner_documents (
        app_id uuid primary key references apps on delete cascade,
        developer_id uuid not null,
        created_at timestamptz not null,
        head text not null,
        tail text not null,
        rejection jsonb,
        constraint owner_documents_order unique (developer_id, created_at, app_id)
      ) with (toast_tuple_target = 8160)`);
    // Can be repeated, although Squawk cannot know.
    for (const column of ['head', 'tail'])
      this.addSql(
        `-- squawk-ignore prefer-robust-stmts\nalter table owner_documents alter column ${column} set storage external`,
      );
    this.addSql(`
      create or replace function rejection_document(rejection jsonb) returns text
      language sql stable parallel safe return
        case jsonb_typeof(rejection) when 'object' then
          '{"reasons":[' || coalesce((
            select string_agg('{"code":' || json_text(r.reason ->> 'code') || ',"field":' ||
              json_text(r.reason ->> 'field') || ',"message":' || json_text(r.reason ->> 'message') || '}', ','
              order by r.place)
            from jsonb_array_elements(rejection -> 'reasons') with ordinality r (reason, place)), '') ||
          '],"guidance":' || json_text(rejection ->> 'guidance') ||
          ',"rejectedAt":' || json_text(rejection ->> 'rejectedAt') || '}'
        else 'null' end`);
    this.addSql(`
      create or replace view computed_owner_documents as
      select a.id as app_id, a.developer_id, a.created_at,
        '{"id":"' || a.id || '","createdAt":' || json_time(a.created_at) ||
          ',"updatedAt":' || json_time(a.updated_at) || ',"name":' || json_text(a.name) ||
          ',"description":' || json_text(a.description) || ',"longDescription":' || json_text(a.long_description) ||
          ',"category":' || json_text(a.category) || ',"logoUrl":' || json_text(a.logo_url) ||
          ',"bannerUrl":' || json_text(a.banner_url) || ',"websiteUrl":' || json_text(a.website_url) ||
          ',"oauthClientId":' || json_text(a.oauth_client_id) || ',"screenshots":[' || coalesce((
            select string_agg('{"url":' || json_text(s.shot ->> 'url') || ',"caption":' ||
              json_text(s.shot ->> 'caption') || ',"order":' || (s.shot ->> 'order') || '}', ',' order by s.place)
            from jsonb_array_elements(a.screenshots) with ordinality s (shot, place)), '') ||
          '],"revision":' || a.revision || ',"submittedAt":' || json_time(a.submitted_at) ||
          ',"rejection":' || rejection_document(a.rejection) || ',"slug":' || json_text(a.slug) ||
          ',"environment":' || json_text(a.environment) || ',"status":' || json_text(a.status) ||
          ',"featured":' || a.featured || ',"installCount":' as head,
        ',"reviewCount":' || a.review_count || ',"averageRating":' || a.average_rating ||
          ',"approvedAt":' || json_time(a.approved_at) || '}' as tail,
        a.rejection
      from apps a`);
  }

  /** A document depends on its app alone, whose row is locked by the change, so concurrent changes are in order. */
  private upkeep(): void {
    this.addSql(`
      create or replace function document_for_owners(ids uuid[]) returns void language plpgsql
      set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
      begin
        insert into owner_documents (app_id, developer_id, created_at, head, tail, rejection)
        select app_id, developer_id, created_at, head, tail, rejection
        from computed_owner_documents where app_id = any(ids)
        on conflict (app_id) do update set developer_id = excluded.developer_id, created_at = excluded.created_at,
          head = excluded.head, tail = excluded.tail, rejection = excluded.rejection;
      end $$`);
    this.addSql(`
      create or replace function document_new_apps_for_owners() returns trigger language plpgsql as $$
      begin
        perform document_for_owners(array(select id from added order by id));
        return null;
      end $$`);
    this.addSql(`
      create or replace function document_app_for_owner() returns trigger language plpgsql as $$
      begin
        perform document_for_owners(array[new.id]);
        return null;
      end $$`);
    this.addSql(`
      create or replace function rebuild_catalog() returns void language plpgsql as $$
      begin
        drop index if exists app_search_name_words;
        perform rebuild_catalog_lists();
        create index app_search_name_words on app_search using gin (ts_filter(headline, '{a}')) with (fastupdate = off);
        truncate app_names, app_documents, owner_documents;
        insert into app_names (app_id, name) select id, name from apps where listed;
        insert into app_documents (app_id, slug, developer_id, head, tail, developer)
        select app_id, slug, developer_id, head, tail, developer from listed_documents;
        insert into owner_documents (app_id, developer_id, created_at, head, tail, rejection)
        select app_id, developer_id, created_at, head, tail, rejection from computed_owner_documents;
      end $$`);
  }

  private triggers(): void {
    this.addSql(`
      create or replace trigger apps_owner_document_new after insert on apps referencing new table as added
      for each statement execute function document_new_apps_for_owners()`);
    this.addSql(`
      create or replace trigger apps_owner_document after update of developer_id, created_at, updated_at, name,
        description, long_description, category, logo_url, banner_url, website_url, oauth_client_id, screenshots,
        revision, submitted_at, rejection, slug, environment, status, featured, review_count, average_rating,
        approved_at on apps
      for each row execute function document_app_for_owner()`);
  }

  /** In batches, each with its own commit. A batch locks its apps, so that a concurrent change is not missed. */
  private fill(): void {
    this.addSql(`
      do $$
      declare
        batch uuid[];
        last uuid := '00000000-0000-0000-0000-000000000000';
      begin
        loop
          batch := array(select id from apps where id > last order by id limit 500);
          exit when cardinality(batch) = 0;
          perform from apps where id = any(batch) order by id for share;
          perform document_for_owners(batch);
          last := batch[cardinality(batch)];
          commit;
        end loop;
      end $$`);
  }
}

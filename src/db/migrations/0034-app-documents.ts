import { Migration } from '@mikro-orm/migrations';

/**
 * The public form of each listed app as JSON, so that a list or an app is read instead of being computed (D304). The
 * number of installs changes all the time and is inserted when the document is read: `head`, the number, `tail`.
 */
export class AppDocuments extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.table();
    this.upkeep();
    this.triggers();
    this.fill();
  }

  /** Texts of up to a page are stored in the row as they are: compressing them would save little and cost each read. */
  private table(): void {
    this.addSql(`
      create table if not exists app_documents (
        app_id uuid primary key references apps on delete cascade,
        slug text not null constraint app_documents_slug_key unique,
        developer_id uuid not null,
        head text not null,
        tail text not null,
        developer text not null
      ) with (toast_tuple_target = 8160)`);
    // Can be repeated, although Squawk cannot know.
    for (const column of ['head', 'tail', 'developer'])
      this.addSql(
        `-- squawk-ignore prefer-robust-stmts\nalter table app_documents alter column ${column} set storage external`,
      );
    this.addSql(`
      create or replace function json_text(value text) returns text language sql stable parallel safe return
        coalesce(to_json(value)::text, 'null')`);
    this.addSql(`
      create or replace function json_time(value timestamptz) returns text language sql stable parallel safe return
        coalesce(to_char(value at time zone 'utc', '"\\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\\""'), 'null')`);
    this.addSql(`
      create or replace function developer_document(d developers) returns text language sql stable parallel safe return
        ',"developer":{"name":' || json_text(d.name) || ',"companyName":' || json_text(d.company_name) ||
        ',"websiteUrl":' || json_text(d.website_url) || '}}'`);
    this.addSql(`
      create or replace view listed_documents as
      select a.id as app_id, a.slug, a.developer_id,
        '{"id":"' || a.id || '","slug":' || json_text(a.slug) || ',"name":' || json_text(a.name) ||
          ',"description":' || json_text(a.description) || ',"longDescription":' || json_text(a.long_description) ||
          ',"category":' || json_text(a.category) || ',"environment":' || json_text(a.environment) ||
          ',"logoUrl":' || json_text(a.logo_url) || ',"bannerUrl":' || json_text(a.banner_url) ||
          ',"websiteUrl":' || json_text(a.website_url) || ',"screenshots":[' || coalesce((
            select string_agg('{"url":' || json_text(s.shot ->> 'url') || ',"caption":' ||
              json_text(s.shot ->> 'caption') || ',"order":' || (s.shot ->> 'order') || '}', ',' order by s.place)
            from jsonb_array_elements(a.screenshots) with ordinality s (shot, place)), '') ||
          '],"status":' || json_text(a.status) || ',"featured":' || a.featured || ',"installCount":' as head,
        ',"reviewCount":' || a.review_count || ',"averageRating":' || a.average_rating ||
          ',"approvedAt":' || json_time(a.approved_at) || ',"createdAt":' || json_time(a.created_at) ||
          ',"updatedAt":' || json_time(a.updated_at) as tail,
        developer_document(d) as developer
      from apps a join developers d on d.id = a.developer_id
      where a.listed`);
  }

  /**
   * A document takes the developer's part when its app becomes public, which locks the developer's row (0008), and
   * afterwards only from changes of the developer. So concurrent changes of an app and of its developer both remain.
   */
  private upkeep(): void {
    this.addSql(`
      create or replace function document_apps(ids uuid[]) returns void language plpgsql
      set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
      begin
        delete from app_documents where app_id = any(ids) and not exists (select from apps where id = app_id and listed);
        insert into app_documents as d (app_id, slug, developer_id, head, tail, developer)
        select app_id, slug, developer_id, head, tail, developer from listed_documents where app_id = any(ids)
        on conflict (app_id) do update set slug = excluded.slug, developer_id = excluded.developer_id,
          head = excluded.head, tail = excluded.tail,
          developer = case when d.developer_id = excluded.developer_id then d.developer else excluded.developer end;
      end $$`);
    this.addSql(`
      create or replace function document_new_apps() returns trigger language plpgsql as $$
      begin
        if exists (select from added where listed) then
          perform document_apps(array(select id from added where listed order by id));
        end if;
        return null;
      end $$`);
    this.addSql(`
      create or replace function document_app() returns trigger language plpgsql as $$
      begin
        perform document_apps(array[new.id]);
        return null;
      end $$`);
    this.addSql(`
      create or replace function document_developer() returns trigger language plpgsql
      set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
      begin
        update app_documents set developer = developer_document(new)
        where app_id = any(array(select id from apps where developer_id = new.id and listed));
        return null;
      end $$`);
    this.addSql(`
      create or replace function rebuild_catalog() returns void language plpgsql as $$
      begin
        perform rebuild_catalog_lists();
        truncate app_names, app_documents;
        insert into app_names (app_id, name) select id, name from apps where listed;
        insert into app_documents (app_id, slug, developer_id, head, tail, developer)
        select app_id, slug, developer_id, head, tail, developer from listed_documents;
      end $$`);
  }

  private triggers(): void {
    this.addSql(`
      create or replace trigger apps_document_new after insert on apps referencing new table as added
      for each statement execute function document_new_apps()`);
    this.addSql(`
      create or replace trigger apps_document after update of status, listed, developer_id, slug, name, description,
        long_description, category, environment, logo_url, banner_url, website_url, screenshots, featured, review_count,
        average_rating, approved_at, created_at, updated_at on apps
      for each row when (old.listed or new.listed) execute function document_app()`);
    this.addSql(`
      create or replace trigger developers_document after update of name, company_name, website_url on developers
      for each row when ((old.name, old.company_name, old.website_url)
        is distinct from (new.name, new.company_name, new.website_url))
      execute function document_developer()`);
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
          perform document_apps(batch);
          last := batch[cardinality(batch)];
          commit;
        end loop;
      end $$`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Drops the stored JSON of apps (0034, 0038): apps are read from their columns. Gateways of the release before read the
 * JSON, so they must be stopped first.
 */
export class NoDocuments extends Migration {
  override up(): void {
    for (const [table, triggers] of [
      ['apps', ['document_new', 'document', 'owner_document_new', 'owner_document']],
      ['developers', ['document']],
    ] as const)
      for (const trigger of triggers) this.addSql(`drop trigger ${table}_${trigger} on ${table}`);
    this.addSql(`
      create or replace function rebuild_catalog() returns void language plpgsql as $$
      begin
        drop index if exists app_search_name_words;
        perform rebuild_catalog_lists();
        create index app_search_name_words on app_search using gin (ts_filter(headline, '{a}')) with (fastupdate = off);
        truncate app_names;
        insert into app_names (app_id, name) select id, name from apps where listed;
      end $$`);
    for (const view of ['listed_documents', 'computed_owner_documents'])
      this.addSql(`-- permit ban-drop\ndrop view ${view}`);
    for (const name of [
      'document_new_apps()',
      'document_app()',
      'document_apps(uuid[])',
      'document_developer()',
      'document_new_apps_for_owners()',
      'document_app_for_owner()',
      'document_for_owners(uuid[])',
      'rejection_document(jsonb)',
      'developer_document(developers)',
      'json_text(text)',
      'json_time(timestamptz)',
    ])
      this.addSql(`-- permit ban-drop\ndrop function ${name}`);
    for (const table of ['app_documents', 'owner_documents'])
      this.addSql(`-- squawk-ignore ban-drop-table\ndrop table ${table}`);
  }
}

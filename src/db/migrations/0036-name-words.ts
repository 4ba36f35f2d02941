import { Migration } from '@mikro-orm/migrations';

/**
 * An index of the words of names alone (D307). Names that resemble a typed word were looked for in the index of all
 * words, which also finds the many apps that have such a word in a description.
 */
export class NameWords extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('drop index concurrently if exists app_search_name_words');
    this.addSql(`
      create index concurrently if not exists app_search_name_words
      on app_search using gin (ts_filter(headline, '{a}')) with (fastupdate = off)`);
    // Like the other indexes of app_search it is made at once, not row by row.
    this.addSql(`
      create or replace function rebuild_catalog() returns void language plpgsql as $$
      begin
        drop index if exists app_search_name_words;
        perform rebuild_catalog_lists();
        create index app_search_name_words on app_search using gin (ts_filter(headline, '{a}')) with (fastupdate = off);
        truncate app_names, app_documents;
        insert into app_names (app_id, name) select id, name from apps where listed;
        insert into app_documents (app_id, slug, developer_id, head, tail, developer)
        select app_id, slug, developer_id, head, tail, developer from listed_documents;
      end $$`);
  }
}

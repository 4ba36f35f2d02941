import { Migration } from '@mikro-orm/migrations';

/**
 * Every change of what the public sees is announced in its own transaction, whoever makes it: notifications are sent
 * when it commits, once for each word, and never when it does not.
 */
export class CatalogAnnouncements extends Migration {
  override up(): void {
    this.addSql(`
      create function announce_catalog() returns trigger language plpgsql as $$
      begin
        perform pg_notify('catalog', tg_argv[0]);
        return null;
      end $$`);
    this.addSql(`
      create trigger apps_announce_insert after insert on apps
      for each row when (new.status = 'APPROVED') execute function announce_catalog('listings')`);
    // All columns that somebody may see.
    this.addSql(`
      create trigger apps_announce_update after update of
        id, developer_id, slug, name, description, long_description, category, environment, logo_url, banner_url,
        website_url, oauth_client_id, screenshots, status, featured, review_count, average_rating, revision,
        submitted_at, approved_at, rejection, created_at, updated_at, listed, sort_name on apps
      for each row when (old.status = 'APPROVED' or new.status = 'APPROVED')
      execute function announce_catalog('listings')`);
    this.addSql(`
      create trigger app_figures_announce_count after update of install_count on app_figures
      for each row when (new.listed and old.install_count <> new.install_count)
      execute function announce_catalog('counts')`);
    this.addSql(`
      create trigger apps_announce_delete after delete on apps
      for each row when (old.status = 'APPROVED') execute function announce_catalog('listings')`);
    this.addSql(`
      create trigger apps_announce_truncate after truncate on apps
      for each statement execute function announce_catalog('listings')`);
    // What search and totals are made of follows the apps in their transactions; only `rebuild_catalog` makes it anew.
    this.addSql(`
      create trigger app_search_announce_truncate after truncate on app_search
      for each statement execute function announce_catalog('listings')`);
    this.addSql(`
      create trigger developers_announce_update after update of name, company_name, website_url, status on developers
      for each row when ((old.name, old.company_name, old.website_url, old.status = 'SUSPENDED')
        is distinct from (new.name, new.company_name, new.website_url, new.status = 'SUSPENDED'))
      execute function announce_catalog('listings')`);
  }
}

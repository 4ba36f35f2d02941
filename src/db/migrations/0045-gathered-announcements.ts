import { Migration } from '@mikro-orm/migrations';

/**
 * Ratings and profiles of developers are announced like counts, so that the changes of a short time invalidate cached
 * responses together (D350). Everything else that the public sees is announced as before.
 */
export class GatheredAnnouncements extends Migration {
  override up(): void {
    this.addSql(`
      create or replace trigger ratings_announce after insert or delete or update of
        id, app_id, account_user_id, rating, author_name, title, text, reply, hidden_at, removed_at, created_at, updated_at
      on ratings for each row execute function announce_catalog('counts')`);
    this.addSql(`
      create or replace trigger apps_announce_update after update of
        id, developer_id, slug, name, description, long_description, category, environment, logo_url, banner_url,
        website_url, oauth_client_id, screenshots, status, featured, revision, submitted_at, approved_at, rejection,
        created_at, updated_at, listed, sort_name on apps
      for each row when (old.status = 'APPROVED' or new.status = 'APPROVED')
      execute function announce_catalog('listings')`);
    this.addSql(`
      create or replace trigger apps_announce_ratings after update of review_count, average_rating, rating_counts on apps
      for each row when (old.status = 'APPROVED' or new.status = 'APPROVED')
      execute function announce_catalog('counts')`);
    this.addSql(`
      create or replace trigger developers_announce_update after update of status on developers
      for each row when ((old.status = 'SUSPENDED') is distinct from (new.status = 'SUSPENDED'))
      execute function announce_catalog('listings')`);
    this.addSql(`
      create or replace trigger developers_announce_profile after update of name, company_name, website_url, bio
      on developers for each row when (
        (old.name, old.company_name, old.website_url, old.bio)
        is distinct from (new.name, new.company_name, new.website_url, new.bio))
      execute function announce_catalog('counts')`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** The public sees the bio of developers, the names of the authors of ratings, and how many ratings have how many stars. */
export class PublicDevelopersAndRatings extends Migration {
  override up(): void {
    this.addSql('drop trigger developers_announce_update on developers');
    this.addSql(`
      create trigger developers_announce_update after update of name, company_name, website_url, bio, status
      on developers for each row when (
        (old.name, old.company_name, old.website_url, old.bio, old.status = 'SUSPENDED')
        is distinct from (new.name, new.company_name, new.website_url, new.bio, new.status = 'SUSPENDED'))
      execute function announce_catalog('listings')`);
    this.addSql(`
      alter table ratings add column author_name text,
        add constraint ratings_author_name_check check (author_name <> '')`);
    // The number of visible ratings with one star, with two stars and so on.
    this.addSql(`
      alter table apps add column rating_counts integer[] not null default '{0,0,0,0,0}',
        add constraint apps_rating_counts_check check (cardinality(rating_counts) = 5 and 0 <= all (rating_counts))`);
    this.addSql(`
      update apps set rating_counts = counted.stars
      from (
        select app_id, array[
          count(*) filter (where rating = 1), count(*) filter (where rating = 2),
          count(*) filter (where rating = 3), count(*) filter (where rating = 4),
          count(*) filter (where rating = 5)]::integer[] as stars
        from ratings where hidden_at is null group by app_id) counted
      where counted.app_id = apps.id`);
    this.addSql('drop trigger apps_announce_update on apps');
    this.addSql(`
      create trigger apps_announce_update after update of
        id, developer_id, slug, name, description, long_description, category, environment, logo_url, banner_url,
        website_url, oauth_client_id, screenshots, status, featured, review_count, average_rating, rating_counts,
        revision, submitted_at, approved_at, rejection, created_at, updated_at, listed, sort_name on apps
      for each row when (old.status = 'APPROVED' or new.status = 'APPROVED')
      execute function announce_catalog('listings')`);
    // A trigger, so that the counts are exact while gateways of the former release still write ratings.
    this.addSql(`
      create function count_rating() returns trigger language plpgsql as $$
      begin
        if tg_op <> 'INSERT' and old.hidden_at is null then
          update apps set rating_counts[old.rating] = rating_counts[old.rating] - 1 where id = old.app_id;
        end if;
        if tg_op <> 'DELETE' and new.hidden_at is null then
          update apps set rating_counts[new.rating] = rating_counts[new.rating] + 1 where id = new.app_id;
        end if;
        return null;
      end $$`);
    this.addSql(`
      create trigger ratings_count after insert or delete or update of rating, hidden_at on ratings
      for each row execute function count_rating()`);
  }
}

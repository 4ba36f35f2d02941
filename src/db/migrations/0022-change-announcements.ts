import { Migration } from '@mikro-orm/migrations';

/**
 * Announces changes for subscriptions on the channel `changes`, in the transaction of the change (D142): `event` with the
 * kind of an audit event, its app and the status of the app or version, `listing` with the slug of a public app, and
 * `listings` where too many changed.
 */
export class ChangeAnnouncements extends Migration {
  override up(): void {
    this.addSql(`
      create function announce_event() returns trigger language plpgsql as $$
      begin
        perform pg_notify('changes', concat_ws(' ', 'event', new.kind, new.app_id, coalesce(
          (select status from app_versions where id = (new.data->>'versionId')::uuid),
          (select status from apps where id = new.app_id))));
        return null;
      end $$`);
    this.addSql(`
      create trigger audit_events_announce after insert on audit_events
      for each row when (new.app_id is not null or new.kind like 'developer.%') execute function announce_event()`);
    this.addSql(`
      create function announce_listing() returns trigger language plpgsql as $$
      begin
        perform pg_notify('changes', 'listing ' || coalesce(new.slug, old.slug));
        return null;
      end $$`);
    this.addSql(`
      create trigger apps_announce_listing_insert after insert on apps
      for each row when (new.status = 'APPROVED') execute function announce_listing()`);
    this.addSql(`
      create trigger apps_announce_listing_update after update on apps
      for each row when ((old.status = 'APPROVED' or new.status = 'APPROVED') and old is distinct from new)
      execute function announce_listing()`);
    this.addSql(`
      create trigger apps_announce_listing_delete after delete on apps
      for each row when (old.status = 'APPROVED') execute function announce_listing()`);
    this.announceDevelopers();
  }

  /** The public fields of a developer are part of all their listings, and a suspension hides them. */
  private announceDevelopers(): void {
    this.addSql(`
      create function announce_listings_of_developer() returns trigger language plpgsql as $$
      declare
        slugs text[];
      begin
        select array_agg(slug) into slugs from (
          select slug from apps where developer_id = new.id and status = 'APPROVED' limit 101) public_apps;
        if cardinality(slugs) > 100 then
          perform pg_notify('changes', 'listings');
        else
          perform pg_notify('changes', 'listing ' || slug) from unnest(slugs) slug;
        end if;
        return null;
      end $$`);
    this.addSql(`
      create trigger developers_announce_listings after update of name, company_name, website_url, bio, status on developers
      for each row when ((old.name, old.company_name, old.website_url, old.bio, old.status = 'SUSPENDED')
        is distinct from (new.name, new.company_name, new.website_url, new.bio, new.status = 'SUSPENDED'))
      execute function announce_listings_of_developer()`);
  }
}

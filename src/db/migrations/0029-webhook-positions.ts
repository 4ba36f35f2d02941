import { Migration } from '@mikro-orm/migrations';

/**
 * The place of each webhook endpoint in the order of events (D266): an endpoint gets the events after it, whatever the
 * clocks of the gateways say. Endpoints without one are older than all events that are still to be sent.
 */
export class WebhookPositions extends Migration {
  override up(): void {
    this.addSql('alter table webhook_endpoints add column created_position bigint');
    this.addSql(`
      create function take_position_of_endpoint() returns trigger language plpgsql as $$
      begin
        new.created_position := nextval('audit_events_position');
        return new;
      end $$`);
    this.addSql(`
      create trigger webhook_endpoints_position before insert on webhook_endpoints
      for each row execute function take_position_of_endpoint()`);
    // Databases that ran an earlier form of migration 0022 do not announce a changed bio.
    this.addSql(`
      create or replace trigger developers_announce_listings
      after update of name, company_name, website_url, bio, status on developers
      for each row when ((old.name, old.company_name, old.website_url, old.bio, old.status = 'SUSPENDED')
        is distinct from (new.name, new.company_name, new.website_url, new.bio, new.status = 'SUSPENDED'))
      execute function announce_listings_of_developer()`);
  }
}

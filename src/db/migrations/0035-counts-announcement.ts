import { Migration } from '@mikro-orm/migrations';

/**
 * Changed install counts are announced once per statement instead of once per row: PostgreSQL sends the same payload
 * once per transaction anyway, and the calls took a fifth of the time of a batch of installs of many apps.
 */
export class CountsAnnouncement extends Migration {
  override up(): void {
    this.addSql(`
      create or replace trigger app_figures_announce_count after update of install_count on app_figures
      for each statement execute function announce_catalog('counts')`);
  }
}

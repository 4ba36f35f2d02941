import { Migration } from '@mikro-orm/migrations';

/**
 * Storage of tables whose rows are updated all the time (D267), and indexes by which old rows are found. An update
 * that changes no indexed column stays on its page if there is room, and leaves nothing for a vacuum.
 */
export class HotTables extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.set('rate_limits', 'fillfactor = 60');
    this.set('app_counts', 'fillfactor = 60');
    this.set('installs_daily', 'fillfactor = 80');
    this.set('api_keys', 'fillfactor = 75');
    this.set('webhook_deliveries', 'fillfactor = 85');
    // The order by popularity is an index on the count, so each install leaves dead rows here and in four indexes: they
    // are removed without pauses, and without the exclusive lock that giving pages back to the disk would take.
    this.set('app_figures', 'autovacuum_vacuum_cost_delay = 0, vacuum_truncate = false');
    this.indexes();
  }

  /** Can be repeated, although Squawk cannot know. */
  private set(table: string, parameters: string): void {
    this.addSql(`-- squawk-ignore prefer-robust-stmts\nalter table ${table} set (${parameters})`);
  }

  private indexes(): void {
    for (const [name, definition] of [
      ['webhook_deliveries_created_at', 'webhook_deliveries (created_at)'],
      ['rating_reports_closed', 'rating_reports (closed_at) where closed_at is not null'],
      ['installs_daily_by_version', "installs_daily (day) where version <> ''"],
    ] as const) {
      this.addSql(`drop index concurrently if exists ${name}`);
      this.addSql(`create index concurrently if not exists ${name} on ${definition}`);
    }
  }
}

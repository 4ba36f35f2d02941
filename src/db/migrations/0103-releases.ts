import { Migration } from '@mikro-orm/migrations';

/** Listings have the number of a release and its notes (D381). */
export class Releases extends Migration {
  override up(): void {
    for (const table of ['apps', 'app_versions']) {
      this.addSql(`alter table ${table} add column version_number text`);
      this.addSql(`alter table ${table} add column release_notes text`);
    }
  }
}

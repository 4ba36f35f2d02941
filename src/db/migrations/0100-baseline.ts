import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { Migration } from '@mikro-orm/migrations';

/** The files of the schema, in the order of their references. Each creates what does not exist. */
const files = [
  'upgrade',
  'developers',
  'apps',
  'review',
  'audit',
  'installs',
  'webhooks',
  'infrastructure',
  'catalog',
  'announcements',
  'derived',
];
const folder = join(findPackageJSON('..', import.meta.url)!, '..', 'src', 'db', 'migrations', 'baseline');

/** The schema of release 0.3.0, in an empty database or in one of release 0.2.0. */
export class Baseline extends Migration {
  override up(): void {
    for (const file of files) this.addSql(readFileSync(join(folder, `${file}.sql`), 'utf8'));
  }
}

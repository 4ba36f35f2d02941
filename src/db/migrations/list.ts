import type { Migration } from '@mikro-orm/migrations';
import { Baseline } from './0100-baseline.js';
import { PictureChecks } from './0101-picture-checks.js';
import { AppReports } from './0102-app-reports.js';
import { Releases } from './0103-releases.js';
import { TrustedPublishers } from './0110-trusted-publishers.js';
import { OtherEnvironments } from './0120-other-environments.js';
import { SimilarApps } from './0121-similar-apps.js';
import { EventsById } from './0122-events-by-id.js';
import { Administrators } from './0123-administrators.js';
import { AppsOfDevelopers } from './0124-apps-of-developers.js';

type MigrationClass = new (...args: ConstructorParameters<typeof Migration>) => Migration;

/** Every migration, oldest first. A released one is never edited. */
export const migrations: readonly { name: string; class: MigrationClass }[] = [
  { name: '0100-baseline', class: Baseline },
  { name: '0101-picture-checks', class: PictureChecks },
  { name: '0102-app-reports', class: AppReports },
  { name: '0103-releases', class: Releases },
  { name: '0110-trusted-publishers', class: TrustedPublishers },
  { name: '0120-other-environments', class: OtherEnvironments },
  { name: '0121-similar-apps', class: SimilarApps },
  { name: '0122-events-by-id', class: EventsById },
  { name: '0123-administrators', class: Administrators },
  { name: '0124-apps-of-developers', class: AppsOfDevelopers },
];

/** Returns what a migration does, without running it. Migrations only add statements, so they need no driver. */
export function textOf(migration: MigrationClass): { isTransactional: boolean; statements: string[] } {
  const instance = new migration(...([] as unknown as ConstructorParameters<typeof Migration>));
  instance.up();
  return { isTransactional: instance.isTransactional(), statements: instance.getQueries().map(String) };
}

import DataLoader from 'dataloader';
import type { LoaderSource } from '../../operations/context.js';
import { pagesByOwner, rowsById } from '../../operations/loaders.js';
import type { OwnedList } from '../../operations/owned-pages.js';
import type { App } from '../listings/app.entity.js';
import { AppVersion } from '../listings/app-version.entity.js';
import { changesBetween } from '../listings/listing-change.rules.js';
import { conflictsOf } from '../listings/rebase.rules.js';
import { openVersions } from '../listings/version-state.rules.js';

const versionsOfApp: OwnedList<AppVersion> = {
  entity: AppVersion,
  table: 'app_versions',
  ownerColumn: 'app_id',
  ownerOf: ({ app }) => app.id,
  newestFirst: true,
};

export function versionLoaders({ fork }: LoaderSource, { app }: { app: DataLoader<string, App> }) {
  return {
    version: rowsById(async (ids) => fork().find(AppVersion, { id: [...ids] })),
    versions: pagesByOwner(fork, versionsOfApp, (version) => version),
    versionChanges: new DataLoader(async (versions: readonly AppVersion[]) =>
      Promise.all(versions.map(async (version) => changesBetween(await app.load(version.app.id), version))),
    ),
    versionConflicts: new DataLoader(async (versions: readonly AppVersion[]) =>
      Promise.all(versions.map(async (version) => conflictsOf(await app.load(version.app.id), version))),
    ),
    openVersion: new DataLoader(async (appIds: readonly string[]) => {
      const rows = await fork().find(AppVersion, { app: [...appIds], status: [...openVersions] });
      return appIds.map((id) => rows.find((row) => row.app.id === id) ?? null);
    }),
  };
}

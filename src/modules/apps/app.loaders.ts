import { sql } from 'kysely';
import type { LoaderSource } from '../../operations/context.js';
import { pagesByOwner, rowsById, rowsIfAny } from '../../operations/loaders.js';
import type { OwnedList } from '../../operations/owned-pages.js';
import { App } from '../listings/app.entity.js';

const appsOfDeveloper: OwnedList<App> = {
  entity: App,
  table: 'apps',
  ownerColumn: 'developer_id',
  ownerOf: ({ developer }) => developer.id,
  columns: sql`*, (select f.install_count from app_figures f where f.id = apps.id) as install_count`,
  newestFirst: true,
};

export function appLoaders({ fork }: LoaderSource) {
  return {
    app: rowsById(async (ids) => fork().find(App, { id: [...ids] })),
    appIfAny: rowsIfAny(async (ids) => fork().find(App, { id: [...ids] })),
    apps: pagesByOwner(fork, appsOfDeveloper, (app) => app),
  };
}

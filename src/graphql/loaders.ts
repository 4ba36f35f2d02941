import type { EntityManager } from '@mikro-orm/postgresql';
import DataLoader from 'dataloader';
import type { App } from '../modules/apps/app.entity.js';
import type { Finding } from '../modules/apps/finding.types.js';
import { Developer } from '../modules/developers/developer.entity.js';
import type { Services } from '../services.js';

/** Relations of one request, each loaded in one query however long the list. */
export function createLoaders(fork: () => EntityManager, services: (em: EntityManager) => Services) {
  return {
    developer: new DataLoader(async (ids: readonly string[]) => {
      const rows = await fork().find(Developer, { id: [...ids] });
      const byId = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => byId.get(id) ?? new Error(`No developer ${id}`));
    }),
    findings: new DataLoader<App, Finding[], string>((apps) => services(fork()).preflight.known(apps), {
      cacheKeyFn: ({ id, revision }) => `${id} ${revision}`,
    }),
  };
}

export type Loaders = ReturnType<typeof createLoaders>;

import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import { notFound } from '../../errors.js';
import type { Connection } from '../../operations/connection.types.js';
import { inOrder, pageOfIds } from '../../operations/id-pages.js';
import { connection, defaultPageSize } from '../../operations/paging.js';
import { App } from '../listings/app.entity.js';
import type { ListAdminApps } from './app.input.js';
import { matchingApps } from './app.queries.js';
import { AdminAppSort } from './app.types.js';

/** Lists and reads the apps of all developers, in every state, for administrators. */
export class AppAdminService {
  constructor(private readonly em: EntityManager) {}

  async list({ first, after, sort, ...filter }: z.output<typeof ListAdminApps>): Promise<Connection<App>> {
    const by = sort === AdminAppSort.UPDATED ? 'updatedAt' : 'createdAt';
    const matching = matchingApps(filter, by === 'updatedAt' ? 'updated_at' : 'created_at');
    const direction = sort === AdminAppSort.OLDEST ? 'asc' : 'desc';
    const { ids, totalCount } = await pageOfIds(this.em, matching, direction, { first, after });
    return connection(inOrder(ids, await this.em.find(App, { id: ids })), {
      first: first ?? defaultPageSize,
      after,
      totalCount,
      position: (app) => ({ at: app[by], id: app.id }),
      node: (app) => app,
    });
  }

  async get(id: string): Promise<App> {
    const app = await this.em.findOne(App, { id });
    if (!app) throw notFound('app');
    return app;
  }
}

import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import { notFound } from '../../errors.js';
import { Category } from '../apps/listing.entity.js';
import type { BrowseApps, FeaturedApps } from './catalog.input.js';
import { appBySlug, countApps, countByCategory, pageOfApps } from './catalog.queries.js';
import { type AppPage, AppSort, type CategoryCount, type PublicApp } from './catalog.types.js';

const defaultLimit = 20;

/** What everybody sees: the approved apps. */
export class CatalogService {
  constructor(private readonly em: EntityManager) {}

  async browse({ sort, page, limit, ...filter }: z.output<typeof BrowseApps>): Promise<AppPage> {
    const pagination = { page: page ?? 1, limit: limit ?? defaultLimit };
    const order = sort ?? (filter.search ? AppSort.relevance : AppSort.popular);
    const db = this.em.getKysely();
    const {
      rows: [count],
    } = await countApps(filter).execute(db);
    const { rows: apps } = await pageOfApps(
      filter,
      order,
      pagination.limit,
      (pagination.page - 1) * pagination.limit,
    ).execute(db);
    const total = count?.total ?? 0;
    return { apps, pagination: { ...pagination, total, totalPages: Math.ceil(total / pagination.limit) } };
  }

  async featured({ environment, limit }: z.output<typeof FeaturedApps>): Promise<PublicApp[]> {
    const { rows } = await pageOfApps(
      { environment, featured: true },
      AppSort.popular,
      limit ?? defaultLimit,
      0,
    ).execute(this.em.getKysely());
    return rows;
  }

  async bySlug(slug: string): Promise<PublicApp> {
    const {
      rows: [app],
    } = await appBySlug(slug).execute(this.em.getKysely());
    if (!app) throw notFound('app');
    return app;
  }

  /** All categories in SPEC's order, the empty ones included. */
  async categories(): Promise<CategoryCount[]> {
    const { rows } = await countByCategory().execute(this.em.getKysely());
    const counts = new Map(rows.map(({ category, count }) => [category, count]));
    return Object.values(Category).map((category) => ({ category, count: counts.get(category) ?? 0 }));
  }
}

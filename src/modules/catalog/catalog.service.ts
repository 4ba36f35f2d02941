import type { z } from 'zod';
import { type PageIndex, pageIndexInterval, type SortKeys } from '../../cache/page-index.js';
import { batchedLookup } from '../../db/batched-lookup.js';
import { BatchedReader } from '../../db/batched-reader.js';
import type { StatementReader } from '../../db/reader.js';
import { notFound } from '../../errors.js';
import type { Brevity } from '../../operations/columns.js';
import { defaultPageSize } from '../../operations/paging.js';
import type { AppFacets, CategoryCount } from './app-facets.types.js';
import type { Apps, BrowseApps, FeaturedApps, SimilarApps, Suggest } from './catalog.input.js';
import {
  appsAfter,
  appsBySlug,
  countsOfApps,
  featuredPage,
  pageIndexKeys,
  pageOfApps,
  publicForms,
} from './catalog.queries.js';
import { AppConnection, type AppPage, type AppSuggestion, type PublicApp } from './catalog.types.js';
import {
  type AppCount,
  byCategory,
  facetCombinations,
  facetsOf,
  groupedFacets,
  sum,
} from './catalog-counts.rules.js';
import {
  type CatalogList,
  decodeAppCursor,
  encodeAppCursor,
  type ListedApp,
  type ListPosition,
  sortOf,
  startOfList,
} from './cursor.rules.js';
import { SearchService } from './search.service.js';
import { type SearchFilter, searchWindow } from './search-hits.queries.js';
import { similarApps } from './similar-apps.queries.js';
import type { CatalogFilter, PageWindow } from './statement-builder.queries.js';

const defaultSuggestions = 10;
const defaultSimilarApps = 3;
/** From this offset on, a page uses the page index, or checks first whether the list is that long. */
const deepOffset = pageIndexInterval;

/** Pages of lists take about the same time each. */
const listsPerStatement = 8;

/** The public form of an app, which may not be public. */
export type PublicForm = PublicApp & { listed: boolean };

/** One app of a page, with the total number of matches. */
type Counted = PublicApp & { total: number };

/** Reads the public catalog by prepared statements. */
export class CatalogService {
  private readonly appBySlug = batchedLookup((slugs) =>
    this.reader.rows<PublicApp & { key: string }>(appsBySlug(slugs)),
  );

  /** For statements that are sent often and take little time; those of one moment are sent together. */
  private readonly lists: StatementReader;
  private readonly search: SearchService;

  constructor(
    private readonly reader: StatementReader,
    /** For searches and pages that skip many rows: they never take the connections of all others (D360). */
    private readonly searchReader: StatementReader,
    private readonly pageIndex: PageIndex | null,
  ) {
    this.lists = new BatchedReader(reader, listsPerStatement);
    this.search = new SearchService(searchReader);
  }

  async browse({
    sort,
    page,
    limit,
    isBrief,
    ...filter
  }: z.output<typeof BrowseApps> & Brevity): Promise<AppPage> {
    const pagination = { page: page ?? 1, limit: limit ?? defaultPageSize };
    const offset = (pagination.page - 1) * pagination.limit;
    const window = { limit: pagination.limit, offset, isBrief };
    const { apps, total } = await this.page(filter, sortOf(sort, filter), window);
    return { apps, pagination: { ...pagination, total, totalPages: Math.ceil(total / pagination.limit) } };
  }

  async connection({
    sort,
    first,
    after,
    isBrief,
    ...filter
  }: z.output<typeof Apps> & Brevity): Promise<AppConnection> {
    const list: CatalogList = { sort: sortOf(sort, filter), filter };
    const start = after ? decodeAppCursor(list, after) : startOfList;
    const left = isSearch(filter) ? Math.max(0, searchWindow - start.before) : Infinity;
    const size = Math.min(first ?? defaultPageSize, left);
    // One more row than the page shows, to detect a next page.
    const { rows, total } = await this.rowsAfter(list, { limit: size + 1, position: start, isBrief });
    const edges = rows.slice(0, size).map((node, index) => ({
      node,
      cursor: encodeAppCursor(list, node, start.before + index + 1),
    }));
    const pageInfo = {
      hasNextPage: rows.length > size,
      hasPreviousPage: start.keys !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    };
    return new AppConnection(edges, pageInfo, {
      total: async () => total ?? this.total(filter),
      isExact: (total) => !isSearch(filter) || total < searchWindow,
      facets: () => this.facets(filter),
    });
  }

  async featured({
    environment,
    limit,
    isBrief,
  }: z.output<typeof FeaturedApps> & Brevity): Promise<PublicApp[]> {
    return this.reader.rows(featuredPage(environment, limit ?? defaultPageSize, isBrief));
  }

  async suggest({ prefix, first }: z.output<typeof Suggest>): Promise<AppSuggestion[]> {
    if (!prefix) return [];
    return this.search.suggest(prefix, first ?? defaultSuggestions);
  }

  async similar({ slug, first }: z.output<typeof SimilarApps>): Promise<PublicApp[]> {
    const { id } = await this.bySlug(slug);
    return this.searchReader.rows<PublicApp>(similarApps(id, first ?? defaultSimilarApps));
  }

  async bySlug(slug: string): Promise<PublicApp> {
    const app = await this.findBySlug(slug);
    if (!app) throw notFound('app');
    return app;
  }

  /** Reads apps in their public form. Those that are not `listed` are for their developers and administrators only. */
  publicForms(ids: readonly string[]): Promise<PublicForm[]> {
    return this.reader.rows<PublicForm>(publicForms(ids));
  }

  findBySlug(slug: string): Promise<PublicApp | null> {
    return this.appBySlug(slug);
  }

  async categories(): Promise<CategoryCount[]> {
    return byCategory(await this.counts({}));
  }

  /** Each row contains the total, so only an empty page needs a second statement for it. */
  private async page(
    filter: CatalogFilter,
    sort: CatalogList['sort'],
    { limit, offset, isBrief }: PageWindow & Brevity,
  ) {
    if (isSearch(filter)) {
      const page = { limit, offset, position: startOfList, isBrief };
      const { rows, total } = await this.search.page(filter, sort, page);
      return { apps: rows, total };
    }
    // A developer has too few apps for a page index.
    const isDeep = offset >= deepOffset && !filter.developer;
    const indexed = isDeep ? this.indexedWindow(filter, sort, { limit, offset }) : null;
    const knownTotal = isDeep && !indexed ? await this.total(filter) : null;
    if (knownTotal !== null && offset >= knownTotal) return { apps: [], total: knownTotal };
    const window = indexed ?? { limit, offset };
    const rows = await (isDeep && !indexed ? this.searchReader : this.lists).rows<Counted>(
      pageOfApps(filter, sort, window, isBrief),
    );
    return { apps: rows, total: rows[0]?.total ?? (offset === 0 ? 0 : await this.total(filter)) };
  }

  /** Reads the apps after a position. A search counts its results anyway. */
  private async rowsAfter(
    { sort, filter }: CatalogList,
    page: { limit: number; position: ListPosition } & Brevity,
  ): Promise<{ rows: ListedApp[]; total?: number }> {
    if (isSearch(filter)) return this.search.page(filter, sort, { ...page, offset: 0 });
    return {
      rows: await this.lists.rows(appsAfter(filter, sort, page.limit, page.position.keys, page.isBrief)),
    };
  }

  /** Returns the same page, counted from the last entry of the page index before it; null if there is none yet. */
  private indexedWindow(
    filter: CatalogFilter,
    sort: CatalogList['sort'],
    { limit, offset }: PageWindow,
  ): PageWindow | null {
    const { category, environment, featured } = filter;
    const list = JSON.stringify([sort, category, environment, featured]);
    const readKeys = async () => {
      const rows = await this.searchReader.rows<{ place: SortKeys }>(
        pageIndexKeys(filter, sort, pageIndexInterval),
      );
      return rows.map(({ place }) => place);
    };
    const entry = this.pageIndex?.before(list, offset, readKeys);
    return entry ? { limit, offset: entry.skip, after: entry.keys } : null;
  }

  private async total(filter: CatalogFilter): Promise<number> {
    return sum(await this.counts(filter));
  }

  /** Counts the apps for every value of a facet: it ignores its own filter and applies the others. */
  private async facets({ category, environment, ...others }: CatalogFilter): Promise<AppFacets> {
    const own = { category, environment };
    if (!isSearch(others)) return groupedFacets(await this.counts(others), own);
    return facetsOf(await this.search.counts(others, facetCombinations(own)));
  }

  private counts(filter: CatalogFilter): Promise<AppCount[]> {
    return this.reader.rows<AppCount>(countsOfApps(filter));
  }
}

const isSearch = (filter: CatalogFilter): filter is SearchFilter => Boolean(filter.search);

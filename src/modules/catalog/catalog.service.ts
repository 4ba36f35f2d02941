import type { z } from 'zod';
import { type PageIndex, pageIndexInterval, type SortKeys } from '../../cache/page-index.js';
import { maxStoredHits, type SearchOrder, type SearchResults } from '../../cache/search-results.js';
import { batchedLookup } from '../../db/batched-lookup.js';
import { BatchedReader } from '../../db/batched-reader.js';
import type { Statement, StatementReader } from '../../db/reader.js';
import { notFound } from '../../errors.js';
import { defaultPageSize } from '../../operations/paging.js';
import {
  type CatalogList,
  decodeAppCursor,
  encodeAppCursor,
  type ListedApp,
  sortOf,
} from './catalog.cursor.js';
import type { Apps, BrowseApps, FeaturedApps, Suggest } from './catalog.input.js';
import {
  appsAfter,
  appsBySlug,
  countsOfApps,
  featuredPage,
  pageIndexKeys,
  pageOfApps,
  pageOfIds,
  publicForms,
} from './catalog.queries.js';
import {
  AppConnection,
  type AppFacets,
  type AppPage,
  AppSort,
  type AppSuggestion,
  type CategoryCount,
  type PublicApp,
} from './catalog.types.js';
import { type AppCount, byCategory, facetsOf, sum } from './catalog-counts.rules.js';
import { searchAfter, searchCounts, searchOrder, searchPage } from './search.queries.js';
import type { SearchFilter, SearchRow, SearchVariant } from './search-hits.queries.js';
import type { CatalogFilter, PageWindow } from './statement-builder.queries.js';
import { suggestions } from './suggestions.queries.js';

const defaultSuggestions = 10;
/** From this offset on, a page uses the page index, or checks first whether the list is that long. */
const deepOffset = pageIndexInterval;

/** Pages of lists take about the same time each. */
const listsPerStatement = 8;
/** Some searches take twenty times as long as others. */
const searchesPerStatement = 4;

/** The public form of an app, which may not be public. */
export type PublicForm = PublicApp & { listed: boolean };

/** One app of a page, with the total number of matches. */
type Counted = PublicApp & { total: number };

/** Reads the public catalog. Every read is one prepared statement; a search with many hits takes two. */
export class CatalogService {
  private readonly appBySlug = batchedLookup((slugs) =>
    this.reader.rows<PublicApp & { key: string }>(appsBySlug(slugs)),
  );

  /** For statements that are sent often and take little time; those of one moment are sent together (D312). */
  private readonly lists: StatementReader;
  private readonly searches: StatementReader;

  constructor(
    private readonly reader: StatementReader,
    /** For searches, counts and pages that skip many rows: they never take the connections of all others (D360). */
    private readonly searchReader: StatementReader,
    private readonly pageIndex: PageIndex | null,
    private readonly searchResults: SearchResults | null,
  ) {
    this.lists = new BatchedReader(reader, listsPerStatement);
    this.searches = new BatchedReader(searchReader, searchesPerStatement);
  }

  async browse({ sort, page, limit, ...filter }: z.output<typeof BrowseApps>): Promise<AppPage> {
    const pagination = { page: page ?? 1, limit: limit ?? defaultPageSize };
    const offset = (pagination.page - 1) * pagination.limit;
    const { apps, total } = await this.page(filter, sortOf(sort, filter), pagination.limit, offset);
    return { apps, pagination: { ...pagination, total, totalPages: Math.ceil(total / pagination.limit) } };
  }

  async connection({ sort, first, after, ...filter }: z.output<typeof Apps>): Promise<AppConnection> {
    const list: CatalogList = { sort: sortOf(sort, filter), filter };
    const position = after ? decodeAppCursor(list, after) : null;
    const size = first ?? defaultPageSize;
    const rows = isSearch(filter)
      ? await this.search<ListedApp>((variant) => searchAfter(variant, filter, list.sort, size + 1, position))
      : await this.lists.rows<ListedApp>(appsAfter(filter, list.sort, size + 1, position));
    const edges = rows.slice(0, size).map((node) => ({ node, cursor: encodeAppCursor(list, node) }));
    const pageInfo = {
      hasNextPage: rows.length > size,
      hasPreviousPage: position !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    };
    return new AppConnection(edges, pageInfo, {
      total: () => this.total(filter),
      facets: () => this.facets(filter),
    });
  }

  async featured({ environment, limit }: z.output<typeof FeaturedApps>): Promise<PublicApp[]> {
    return this.reader.rows(featuredPage(environment, limit ?? defaultPageSize));
  }

  async suggest({ prefix, first }: z.output<typeof Suggest>): Promise<AppSuggestion[]> {
    if (!prefix) return [];
    const read = (limit: number): Promise<AppSuggestion[]> => {
      const statement = (variant: SearchVariant) => suggestions(variant, prefix, limit);
      // Many names start with a letter, so collecting them first would be in vain.
      return prefix.length === 1 ? this.searchReader.rows(statement('many')) : this.search(statement);
    };
    const limit = first ?? defaultSuggestions;
    return this.searchResults ? this.searchResults.suggestions(prefix, limit, read) : read(limit);
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
  private async page(filter: CatalogFilter, sort: CatalogList['sort'], limit: number, offset: number) {
    const stored = isSearch(filter) ? await this.storedPage(filter, sort, { limit, offset }) : null;
    if (stored) return stored;
    // A developer has too few apps for a page index.
    const isDeep = offset >= deepOffset && !isSearch(filter) && !filter.developer;
    const indexed = isDeep ? this.indexedWindow(filter, sort, { limit, offset }) : null;
    const knownTotal = isDeep && !indexed ? await this.total(filter) : null;
    if (knownTotal !== null && offset >= knownTotal) return { apps: [], total: knownTotal };
    const window = indexed ?? { limit, offset };
    const rows = isSearch(filter)
      ? await this.search<Counted>((variant) => searchPage(variant, filter, sort, window))
      : await (isDeep && !indexed ? this.searchReader : this.lists).rows<Counted>(
          pageOfApps(filter, sort, window),
        );
    return { apps: rows, total: rows[0]?.total ?? (offset === 0 ? 0 : await this.total(filter)) };
  }

  /** Sends the `few` variant, which suits nearly all searches, and the `many` variant if there are too many hits. */
  private async search<Row extends object>(statement: (variant: SearchVariant) => Statement): Promise<Row[]> {
    const rows = await this.searches.rows<Row & SearchRow>(statement('few'));
    return rows[0]?.isMany
      ? this.searchReader.rows<Row>(statement('many'))
      : rows.filter(({ id }) => id !== null);
  }

  /** Reads a page by the stored order of its search; null where there is none, or where it does not fit the apps any more. */
  private async storedPage(filter: SearchFilter, sort: CatalogList['sort'], window: PageWindow) {
    const { search, category, environment, featured, developer } = filter;
    if (!this.searchResults || developer) return null;
    const list = JSON.stringify([sort, search, category, environment, featured]);
    const found = await this.searchResults.page(list, window, async () => {
      const [order] = await this.search<SearchOrder>((variant) =>
        searchOrder(variant, filter, sort, maxStoredHits),
      );
      return order ?? { ids: '', total: 0 };
    });
    if (!found) return null;
    if (found.ids.length === 0) return { apps: [], total: found.total };
    const apps = await this.reader.rows<PublicApp>(pageOfIds(found.ids));
    const isSorted = apps.every((app, index) => app.installCount <= (apps[index - 1] ?? app).installCount);
    const fits = apps.length === found.ids.length && (isSorted || sort !== AppSort.popular);
    return fits ? { apps, total: found.total } : null;
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
    return facetsOf(await this.counts(others), { category, environment });
  }

  private counts(filter: CatalogFilter): Promise<AppCount[]> {
    return this.searchReader.rows<AppCount>(isSearch(filter) ? searchCounts(filter) : countsOfApps(filter));
  }
}

const isSearch = (filter: CatalogFilter): filter is SearchFilter => Boolean(filter.search);

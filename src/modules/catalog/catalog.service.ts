import type { z } from 'zod';
import { type PageIndex, pageIndexInterval, type SortKeys } from '../../cache/page-index.js';
import type { Reader, Statement } from '../../db/reader.js';
import { notFound } from '../../errors.js';
import { defaultPageSize } from '../../operations/paging.js';
import { Environment } from '../apps/app.entity.js';
import { Category } from '../apps/listing.entity.js';
import { cursorOf, type List, type ListedApp, placeOf, sortOf } from './catalog.cursor.js';
import type { Apps, BrowseApps, FeaturedApps, Suggest } from './catalog.input.js';
import {
  appBySlug,
  appsAfter,
  countsOfApps,
  featuredApps,
  pageOfApps,
  signposts,
} from './catalog.queries.js';
import type { Filter, Window } from './catalog.statement.js';
import {
  AppConnection,
  type AppFacets,
  type AppPage,
  type AppSuggestion,
  type CategoryCount,
  type PublicApp,
} from './catalog.types.js';
import {
  countsOfFound,
  type Extent,
  foundAfter,
  type OfExtent,
  pageOfFound,
  type Search,
  suggestions,
} from './search.queries.js';

const defaultSuggestions = 10;
/** From here on it is worth knowing a place on the way, or asking first whether the catalog goes that far. */
const deep = pageIndexInterval;

interface Count {
  category: Category;
  environment: Environment;
  count: number;
}

/** One app of a page, with the number of all that match. */
type Counted = PublicApp & { total: number };

/** What everybody sees: the approved apps. Every read is one prepared statement; a search that finds many takes two. */
export class CatalogService {
  constructor(
    private readonly reader: Reader,
    private readonly pageIndex: PageIndex | null,
  ) {}

  async browse({ sort, page, limit, ...filter }: z.output<typeof BrowseApps>): Promise<AppPage> {
    const pagination = { page: page ?? 1, limit: limit ?? defaultPageSize };
    const offset = (pagination.page - 1) * pagination.limit;
    const { apps, total } = await this.page(filter, sortOf(sort, filter), pagination.limit, offset);
    return { apps, pagination: { ...pagination, total, totalPages: Math.ceil(total / pagination.limit) } };
  }

  async connection({ sort, first, after, ...filter }: z.output<typeof Apps>): Promise<AppConnection> {
    const list: List = { sort: sortOf(sort, filter), filter };
    const place = after ? placeOf(list, after) : null;
    const size = first ?? defaultPageSize;
    const rows = isSearch(filter)
      ? await this.found<ListedApp>((extent) => foundAfter(extent, filter, list.sort, size + 1, place))
      : await this.reader.rows<ListedApp>(appsAfter(filter, list.sort, size + 1, place));
    const edges = rows.slice(0, size).map((node) => ({ node, cursor: cursorOf(list, node) }));
    const pageInfo = {
      hasNextPage: rows.length > size,
      hasPreviousPage: place !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    };
    return new AppConnection(edges, pageInfo, {
      total: () => this.total(filter),
      facets: () => this.facets(filter),
    });
  }

  featured({ environment, limit }: z.output<typeof FeaturedApps>): Promise<PublicApp[]> {
    return this.reader.rows<PublicApp>(featuredApps(environment, limit ?? defaultPageSize));
  }

  async suggest({ prefix, first }: z.output<typeof Suggest>): Promise<AppSuggestion[]> {
    return prefix
      ? this.found<AppSuggestion>((extent) => suggestions(extent, prefix, first ?? defaultSuggestions))
      : [];
  }

  async bySlug(slug: string): Promise<PublicApp> {
    const [app] = await this.reader.rows<PublicApp>(appBySlug(slug));
    if (!app) throw notFound('app');
    return app;
  }

  async categories(): Promise<CategoryCount[]> {
    return byCategory(await this.counts({}));
  }

  /** The page comes with the total; only where it is empty has the total to be asked for. */
  private async page(filter: Filter, sort: List['sort'], limit: number, offset: number) {
    const isDeep = offset >= deep && !isSearch(filter);
    const near = isDeep ? this.signpost(filter, sort, { limit, offset }) : null;
    const known = isDeep && !near ? await this.total(filter) : null;
    if (known !== null && offset >= known) return { apps: [], total: known };
    const window = near ?? { limit, offset };
    const apps = isSearch(filter)
      ? await this.found<Counted>((extent) => pageOfFound(extent, filter, sort, window))
      : await this.reader.rows<Counted>(pageOfApps(filter, sort, window));
    return { apps, total: apps[0]?.total ?? (offset === 0 ? 0 : await this.total(filter)) };
  }

  /** Asks for few, as nearly all searches find; where there are many, for those. */
  private async found<Row extends object>(ask: (extent: Extent) => Statement): Promise<Row[]> {
    const rows = await this.reader.rows<Row & OfExtent>(ask('few'));
    return rows[0]?.isMany ? this.reader.rows<Row>(ask('many')) : rows.filter(({ id }) => id !== null);
  }

  /** The same window, counted from the last signpost before it. */
  private signpost(filter: Filter, sort: List['sort'], { limit, offset }: Window): Window | null {
    const { category, environment, featured } = filter;
    const list = JSON.stringify([sort, category, environment, featured]);
    const walk = async () => {
      const rows = await this.reader.rows<{ place: SortKeys }>(signposts(filter, sort, pageIndexInterval));
      return rows.map(({ place }) => place);
    };
    const near = this.pageIndex?.before(list, offset, walk);
    return near ? { limit, offset: near.skip, place: near.keys } : null;
  }

  private async total(filter: Filter): Promise<number> {
    return sum(await this.counts(filter));
  }

  /** What each choice would show: a facet leaves its own filter out and keeps the others. */
  private async facets({ category, environment, ...others }: Filter): Promise<AppFacets> {
    const counts = await this.counts(others);
    return {
      categories: byCategory(counts.filter((row) => !environment || row.environment === environment)),
      environments: Object.values(Environment).map((value) => ({
        environment: value,
        count: sum(
          counts.filter((row) => row.environment === value && (!category || row.category === category)),
        ),
      })),
    };
  }

  private counts(filter: Filter): Promise<Count[]> {
    return this.reader.rows<Count>(isSearch(filter) ? countsOfFound(filter) : countsOfApps(filter));
  }
}

const isSearch = (filter: Filter): filter is Search => Boolean(filter.search);

const sum = (counts: readonly Count[]) => counts.reduce((total, { count }) => total + count, 0);

/** All categories in SPEC's order, the empty ones included. */
const byCategory = (counts: readonly Count[]): CategoryCount[] =>
  Object.values(Category).map((category) => ({
    category,
    count: sum(counts.filter((row) => row.category === category)),
  }));

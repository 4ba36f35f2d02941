import { LRUCache } from 'lru-cache';
import { runForNoRequest } from '../../db/payer.js';
import type { Statement, StatementReader } from '../../db/reader.js';
import type { AppSort, AppSuggestion } from './catalog.types.js';
import type { Combination } from './catalog-counts.rules.js';
import type { ListedApp } from './cursor.rules.js';
import {
  type HitNumber,
  type ResultPage,
  searchPage,
  searchPageWithSimilar,
  suggestions,
  suggestionsWithSimilar,
} from './search.queries.js';
import { searchCounts } from './search-counts.queries.js';
import { enoughHits, type SearchFilter, searchWindow } from './search-hits.queries.js';
import { type CommonTerms, commonTerms } from './term-statistics.queries.js';

/** The common terms of the catalog change slowly, and are known from the last analysis of the table anyway. */
const commonTermsMs = 10 * 60 * 1000;

/** Searches the public catalog. A search is one statement; with few hits, a second one adds apps with similar names. */
export class SearchService {
  private readonly common = new LRUCache<'terms', CommonTerms>({
    max: 1,
    ttl: commonTermsMs,
    fetchMethod: () => runForNoRequest(async () => (await this.reader.rows<CommonTerms>(commonTerms))[0]),
  });

  constructor(private readonly reader: StatementReader) {}

  /** Reads a page of the results and their total. Both end at the window (D320). */
  async page(filter: SearchFilter, sort: AppSort, page: ResultPage) {
    const places = searchWindow - page.position.before - page.offset;
    const inWindow = {
      ...page,
      offset: Math.min(page.offset, searchWindow),
      limit: Math.max(0, Math.min(page.limit, places)),
    };
    const common = await this.common.forceFetch('terms');
    const rows = await this.find<ListedApp>(enoughHits, searchPage(filter, sort, inWindow, common), () =>
      searchPageWithSimilar(filter, sort, inWindow),
    );
    return { rows: rows.filter(({ id }) => id !== null), total: Math.min(rows[0]!.hits, searchWindow) };
  }

  async suggest(prefix: string, limit: number): Promise<AppSuggestion[]> {
    const { apps } = await this.common.forceFetch('terms');
    const enough = Math.min(enoughHits, limit);
    const rows = await this.find<AppSuggestion>(enough, suggestions(prefix, limit, apps), () =>
      suggestionsWithSimilar(prefix, limit),
    );
    return rows.filter(({ slug }) => slug !== null);
  }

  /** Counts the results for each combination, in their order. */
  async counts(filter: SearchFilter, combinations: readonly Combination[]): Promise<number[]> {
    const rows = await this.reader.rows<{ count: number }>(searchCounts(filter, combinations));
    return rows.map(({ count }) => count);
  }

  private async find<Row extends object>(enough: number, statement: Statement, withSimilar: () => Statement) {
    const rows = await this.reader.rows<Row & HitNumber>(statement);
    return rows[0]!.hits < enough ? this.reader.rows<Row & HitNumber>(withSimilar()) : rows;
  }
}

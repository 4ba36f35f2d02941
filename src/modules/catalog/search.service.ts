import { LRUCache } from 'lru-cache';
import { runForNoRequest } from '../../db/payer.js';
import type { Statement, StatementReader } from '../../db/reader.js';
import type { AppSort, AppSuggestion } from './catalog.types.js';
import type { Combination } from './catalog-counts.rules.js';
import type { ListedApp } from './cursor.rules.js';
import {
  type HitNumber,
  type ResultPage,
  type SearchWay,
  searchPage,
  suggestions,
} from './search.queries.js';
import { searchCounts } from './search-counts.queries.js';
import {
  type CommonTerm,
  commonTerms,
  enoughHits,
  type SearchFilter,
  searchWindow,
} from './search-hits.queries.js';

/** The common terms of the catalog change slowly, and are known from the last analysis of the table anyway. */
const commonTermsMs = 10 * 60 * 1000;

/** Searches the public catalog. Most searches are one statement; those with very many or few hits are two. */
export class SearchService {
  private readonly common = new LRUCache<'terms', CommonTerm[]>({
    max: 1,
    ttl: commonTermsMs,
    fetchMethod: () => runForNoRequest(() => this.reader.rows<CommonTerm>(commonTerms())),
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
    const common = await this.common.fetch('terms');
    const { rows, hits } = await this.find<ListedApp>(
      (way) => searchPage(way, filter, sort, inWindow, common),
      enoughHits,
    );
    return {
      rows: rows.filter(({ id }) => id !== null),
      total: Math.min(hits ?? searchWindow, searchWindow),
    };
  }

  async suggest(prefix: string, limit: number): Promise<AppSuggestion[]> {
    const { rows } = await this.find<AppSuggestion>(
      (way) => suggestions(way, prefix, limit),
      Math.min(enoughHits, limit),
    );
    return rows.filter(({ slug }) => slug !== null);
  }

  /** Counts the results for each combination, in their order. */
  async counts(filter: SearchFilter, combinations: readonly Combination[]): Promise<number[]> {
    const rows = await this.reader.rows<{ count: number }>(searchCounts(filter, combinations));
    return rows.map(({ count }) => count);
  }

  private async find<Row extends object>(statement: (way: SearchWay) => Statement, enough: number) {
    const read = (way: SearchWay) => this.reader.rows<Row & HitNumber>(statement(way));
    const collected = await read('collected');
    const { hits } = collected[0]!;
    if (hits === null) return { rows: await read('walked'), hits };
    if (hits >= enough) return { rows: collected, hits };
    const rows = await read('similar');
    return { rows, hits: rows[0]!.hits };
  }
}

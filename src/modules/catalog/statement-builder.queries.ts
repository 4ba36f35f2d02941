import type { z } from 'zod';
import type { Statement } from '../../db/reader.js';
import type { AppFilter } from './catalog.input.js';
import type { AppSort } from './catalog.types.js';

/** Filters of the catalog. */
export type CatalogFilter = z.output<typeof AppFilter>;

/** The part of a list that a page shows. */
export interface PageWindow {
  limit: number;
  offset: number;
  /** Sort keys of the app after which the offset is counted; default: the start of the list. */
  after?: readonly unknown[];
}

/** A column that a list is sorted by. */
export interface SortKey {
  column: string;
  type: 'integer' | 'timestamptz' | 'uuid' | 'double precision' | 'text';
  descending: boolean;
}

const id: SortKey = { column: 'id', type: 'uuid', descending: false };
const installs: SortKey = { column: 'install_count', type: 'integer', descending: true };
const approved: SortKey = { column: 'approved_at', type: 'timestamptz', descending: true };
const popular = [installs, approved, id];

/** Returns the columns of a sort order. All of them end with the id, so that the order is total. */
export function sortKeys(sort: `${AppSort}`, search: string | null | undefined): readonly SortKey[] {
  switch (sort) {
    case 'newest':
      return [approved, id];
    case 'rating':
      return [
        { column: 'average_rating', type: 'double precision', descending: true },
        { column: 'review_count', type: 'integer', descending: true },
        id,
      ];
    case 'name':
      return [{ column: 'sort_name', type: 'text', descending: false }, id];
    case 'relevance':
      return search ? [{ column: 'relevance', type: 'integer', descending: true }, ...popular] : popular;
    case 'popular':
      return popular;
  }
}

/** Builds a prepared statement: binds all values as parameters, and gives each combination of filters its own name. */
export class StatementBuilder {
  private readonly values: unknown[] = [];
  private shape = '';

  bind(value: unknown, type: string): string {
    return `$${this.values.push(value)}::${type}`;
  }

  /** Adds only the filters that are set, so that one plan suits all values. */
  filterConditions({ category, environment, featured }: CatalogFilter, table: string): string {
    const given = [
      category ? `${table}.category = ${this.bind(category, 'text')}` : '',
      environment ? `${table}.environment = ${this.bind(environment, 'text')}` : '',
      // A literal instead of a parameter, because a partial index covers the featured apps.
      typeof featured === 'boolean' ? `${featured ? '' : 'not '}${table}.featured` : '',
    ];
    this.shape += given.map((condition) => condition.charAt(0) || '-').join('');
    return given.map((condition) => condition && ` and ${condition}`).join('');
  }

  /**
   * Returns the conditions under which a row comes after a position, to be combined with OR: equal in the first n columns
   * and beyond it in the next. Separate conditions let each one use a range of the index.
   */
  conditionsAfter(keys: readonly SortKey[], position: readonly unknown[], table: string): string[] {
    const bound = keys.map(({ type }, index) => this.bind(position[index], type));
    return keys
      .map((key, index) => [
        ...keys.slice(0, index).map(({ column }, equal) => `${table}.${column} = ${bound[equal]}`),
        `${table}.${key.column} ${key.descending ? '<' : '>'} ${bound[index]}`,
      ])
      .map((conditions) => `(${conditions.join(' and ')})`)
      .reverse();
  }

  build(name: string, text: string): Statement {
    return { name: `${name} ${this.shape}`, text, values: this.values };
  }
}

import type { z } from 'zod';
import type { Statement } from '../../db/reader.js';
import { Environment } from '../listings/app.entity.js';
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

/** Returns whether a list is sorted by installs; relevance counts them too. */
export const isByInstalls = (keys: readonly SortKey[]) =>
  keys.some(({ column }) => column === 'install_count');

/** The names of the statements by their texts. There is one for each combination of filters, order and form. */
const names = new Map<string, string>();

/** Builds a prepared statement: binds all values as parameters. */
export class StatementBuilder {
  private readonly values: unknown[] = [];

  bind(value: unknown, type: string): string {
    return `$${this.values.push(value)}::${type}`;
  }

  /**
   * Adds only the filters that are set, so that one plan suits all values. `ofDeveloper` is the condition on the developer;
   * null for a table that contains only the developer's apps.
   */
  filterConditions(
    { category, environment, featured, developer }: CatalogFilter,
    table: string,
    ofDeveloper: ((developer: string) => string) | null = (id) =>
      // An array, which is computed once and looked up by the table's primary key: a developer has few apps.
      `${table}.id = any(array(${this.appsOfDeveloper(id, 'own.id')}))`,
  ): string {
    const given = [
      category ? `${table}.category = ${this.bind(category, 'text')}` : '',
      environment ? `${table}.environment = ${this.bind(environment, 'text')}` : '',
      // A literal, because a partial index covers the apps of the other environments.
      environment && environment !== Environment.production ? `${table}.environment <> 'production'` : '',
      // A literal instead of a parameter, because a partial index covers the featured apps.
      typeof featured === 'boolean' ? `${featured ? '' : 'not '}${table}.featured` : '',
      developer && ofDeveloper ? ofDeveloper(developer) : '',
    ];
    return given.map((condition) => condition && ` and ${condition}`).join('');
  }

  /** Selects columns of the public apps of a developer, which are called `own`. */
  appsOfDeveloper(developer: string, columns: string): string {
    return `select ${columns} from apps own where own.listed and own.developer_id = ${this.bind(developer, 'uuid')}`;
  }

  /** Returns the counts of apps by category, environment and featured, as the table `c`; those of one developer are counted. */
  countsTable({ developer }: CatalogFilter): string {
    return developer
      ? `(${this.appsOfDeveloper(developer, 'own.category, own.environment, own.featured, 1 as apps')}) c`
      : 'app_counts c';
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

  build(what: string, text: string): Statement {
    const name = names.get(text) ?? `${what} ${names.size}`;
    names.set(text, name);
    return { name, text, values: this.values };
  }
}

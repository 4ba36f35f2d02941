import type { z } from 'zod';
import type { Statement } from '../../db/reader.js';
import type { AppFilter } from './catalog.input.js';
import type { AppSort } from './catalog.types.js';

/** What narrows the catalog. */
export type Filter = z.output<typeof AppFilter>;

/** Which part of a list is wanted. */
export interface Window {
  limit: number;
  offset: number;
  /** Where the offset is counted from; from the start unless told. */
  place?: readonly unknown[];
}

/** A column that an order looks at. */
export interface Key {
  column: string;
  type: 'integer' | 'timestamptz' | 'uuid' | 'double precision' | 'text';
  descending: boolean;
}

const id: Key = { column: 'id', type: 'uuid', descending: false };
const installs: Key = { column: 'install_count', type: 'integer', descending: true };
const approved: Key = { column: 'approved_at', type: 'timestamptz', descending: true };
const popular = [installs, approved, id];

/** The columns of each order. All of them end with the id, so that no two apps are equal. */
export function keysOf(sort: `${AppSort}`, search: string | null | undefined): readonly Key[] {
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

/** A statement being written: values are bound, never written into it, and each shape has a name of its own. */
export class Text {
  private readonly values: unknown[] = [];
  private shape = '';

  bind(value: unknown, type: string): string {
    return `$${this.values.push(value)}::${type}`;
  }

  /** Only the filters that are given stand in the text, so that one plan suits all values. */
  filters({ category, environment, featured }: Filter, table: string): string {
    const given = [
      category ? `${table}.category = ${this.bind(category, 'text')}` : '',
      environment ? `${table}.environment = ${this.bind(environment, 'text')}` : '',
      // Written out: an index of its own holds the featured apps.
      typeof featured === 'boolean' ? `${featured ? '' : 'not '}${table}.featured` : '',
    ];
    this.shape += given.map((condition) => condition.charAt(0) || '-').join('');
    return given.map((condition) => condition && ` and ${condition}`).join('');
  }

  /** Every way to come after a place: equal in the first columns, beyond it in the next. */
  after(keys: readonly Key[], place: readonly unknown[], table: string): string[] {
    const bound = keys.map(({ type }, index) => this.bind(place[index], type));
    return keys
      .map((key, index) => [
        ...keys.slice(0, index).map(({ column }, equal) => `${table}.${column} = ${bound[equal]}`),
        `${table}.${key.column} ${key.descending ? '<' : '>'} ${bound[index]}`,
      ])
      .map((conditions) => `(${conditions.join(' and ')})`)
      .reverse();
  }

  as(name: string, text: string): Statement {
    return { name: `${name} ${this.shape}`, text, values: this.values };
  }
}

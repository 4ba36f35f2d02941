import { UnderscoreNamingStrategy } from '@mikro-orm/core';
import { GraphQLISODateTime, getMetadataStorage } from 'type-graphql';
import { iso } from '../db/iso-time.js';

/** Part of an input: true if the response shows none of the operation's `detailFields`, so rows may leave them out. */
export interface Brevity {
  readonly isBrief?: boolean | undefined;
}

type AnyClass = abstract new (...values: never[]) => object;
/** SQL by the name of the field whose value it gives. */
type Expressions = Readonly<Record<string, string>>;

const naming = new UnderscoreNamingStrategy();

const declared = (type: AnyClass) =>
  getMetadataStorage().fields.filter(({ target }) => target === type || type.prototype instanceof target);

/** Returns the names of the fields that a type or its base types declare with `@Field`, in the order of the code. */
export const fieldsOf = (type: AnyClass): string[] => declared(type).map(({ name }) => name);

/**
 * Returns the SQL of every `@Field` of a type: the column of its name, as the entities name it, and times as text.
 * `elsewhere` has the fields that come from another table.
 */
const expressionsOf = (type: AnyClass, table: string, elsewhere: Expressions = {}): [string, string][] =>
  declared(type).map(({ name, getType }) => {
    const column = `${table}.${naming.propertyToColumnName(name)}`;
    return [name, elsewhere[name] ?? (getType() === GraphQLISODateTime ? iso(column) : column)];
  });

/** Returns the select list that reads the fields of a type, except `without`: a row of it is a value of the type. */
export const columnsOf = (
  type: AnyClass,
  table: string,
  elsewhere?: Expressions,
  without: readonly string[] = [],
): string =>
  expressionsOf(type, table, elsewhere)
    .filter(([name]) => !without.includes(name))
    .map(([name, expression]) => `${expression} as "${name}"`)
    .join(', ');

/** Returns SQL for the fields of a type as one JSON object, for an object inside a row. */
export const objectOf = (type: AnyClass, table: string): string =>
  `json_build_object(${expressionsOf(type, table)
    .map(([name, expression]) => `'${name}', ${expression}`)
    .join(', ')})`;

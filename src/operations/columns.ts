import { UnderscoreNamingStrategy } from '@mikro-orm/core';
import { type ClassType, GraphQLISODateTime, getMetadataStorage } from 'type-graphql';
import { iso } from '../db/iso-time.js';

/** SQL by the name of the field whose value it gives. */
type Expressions = Readonly<Record<string, string>>;

const naming = new UnderscoreNamingStrategy();

/**
 * Returns the SQL of every `@Field` of a type: the column of its name, as the entities name it, and times as text.
 * `elsewhere` has the fields that come from another table.
 */
function expressionsOf(type: ClassType, table: string, elsewhere: Expressions = {}): [string, string][] {
  return getMetadataStorage()
    .fields.filter(({ target }) => target === type || type.prototype instanceof target)
    .map(({ name, getType }) => {
      const column = `${table}.${naming.propertyToColumnName(name)}`;
      return [name, elsewhere[name] ?? (getType() === GraphQLISODateTime ? iso(column) : column)];
    });
}

/** Returns the select list that reads the fields of a type: a row of it is a value of the type. */
export const columnsOf = (type: ClassType, table: string, elsewhere?: Expressions): string =>
  expressionsOf(type, table, elsewhere)
    .map(([name, expression]) => `${expression} as "${name}"`)
    .join(', ');

/** Returns SQL for the fields of a type as one JSON object, for an object inside a row. */
export const objectOf = (type: ClassType, table: string): string =>
  `json_build_object(${expressionsOf(type, table)
    .map(([name, expression]) => `'${name}', ${expression}`)
    .join(', ')})`;

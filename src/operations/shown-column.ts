import 'reflect-metadata';
import { Property } from '@mikro-orm/decorators/legacy';
import { Field, GraphQLISODateTime, Int } from 'type-graphql';

/** Declares a column that is also a field of the API: its type and whether it may be null are said once. */
const shown =
  (type: () => unknown, column: { type: string; length?: number }, nullable = false) =>
  (description: string): PropertyDecorator =>
  (target, name) => {
    Field(type as () => StringConstructor, { nullable, description })(target, name);
    Property({ ...column, nullable })(target, String(name));
  };

const text = { type: 'text' };
const integer = { type: 'integer' };
const time = { type: 'datetime', length: 3 };

export const TextColumn = shown(() => String, text);
export const NullableTextColumn = shown(() => String, text, true);
export const IntegerColumn = shown(() => Int, integer);
export const NullableIntegerColumn = shown(() => Int, integer, true);
export const TimeColumn = shown(() => GraphQLISODateTime, time);
export const NullableTimeColumn = shown(() => GraphQLISODateTime, time, true);

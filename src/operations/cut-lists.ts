import type { MiddlewareFn } from 'type-graphql';
import type { z } from 'zod';
import { longestRead } from './problems.js';

/** How many items of each list of an input are looked at, by field. */
export const listsOf = ({ shape }: z.ZodObject): [string, number][] =>
  Object.entries<z.ZodType>(shape).flatMap(([field, schema]) => {
    const most = longestRead(schema);
    return most === null ? [] : [[field, most] satisfies [string, number]];
  });

/** More than any input reads of a list. */
const longestVariable = 1_000;

/**
 * A variable with its lists cut where they are longer than any that is read, so that graphql-js does not look at every
 * item. What is left is still too long for its operation. No input has a list further down.
 */
export function cutVariable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return cut(value);
  const long = Object.entries(value).filter(([, field]) => cut(field) !== field);
  return long.length === 0
    ? value
    : { ...value, ...Object.fromEntries(long.map(([name, field]) => [name, cut(field)])) };
}

const cut = (value: unknown) =>
  Array.isArray(value) && value.length > longestVariable + 1 ? value.slice(0, longestVariable + 1) : value;

/**
 * Cuts lists that are far too long, so that type-graphql does not make an object of a class of each item. One item more
 * than is looked at stays: the operation still refuses the list, after it has checked who is asking (D7, D100).
 */
export const cutLists =
  (lists: readonly [string, number][]): MiddlewareFn =>
  ({ args }, next) => {
    for (const holder of [args, args.input] as (Record<string, unknown> | null | undefined)[])
      for (const [field, most] of lists) {
        const value = holder?.[field];
        if (holder && Array.isArray(value) && value.length > most + 1)
          holder[field] = value.slice(0, most + 1);
      }
    return next();
  };

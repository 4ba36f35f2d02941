import type { MiddlewareFn } from 'type-graphql';
import type { z } from 'zod';
import { longestRead } from '../problems.js';

/** How many items of each list of an input are looked at, by field. */
export const listsOf = ({ shape }: z.ZodObject): [string, number][] =>
  Object.entries<z.ZodType>(shape).flatMap(([field, schema]) => {
    const most = longestRead(schema);
    return most === null ? [] : [[field, most] satisfies [string, number]];
  });

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

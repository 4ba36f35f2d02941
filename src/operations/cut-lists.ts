import type { MiddlewareFn } from 'type-graphql';
import type { z } from 'zod';
import type { AnyOperation } from './operation.js';
import { longestRead } from './problems.js';

/** Longer than any list that an input may have. */
const longestVariable = 1_000;

/**
 * Cuts the lists of a variable that are longer than any input allows, so that graphql-js does not coerce every item.
 * The rest is still too long, and the operation rejects it. Lists occur at the top level of an input only.
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
 * Returns a middleware that cuts lists which are far too long, so that type-graphql does not create an object for each
 * item. One item more than allowed is left, so that the operation still rejects the list, after it has authorized the
 * caller (D7, D100). Returns null for an input without lists.
 */
export function cutLists({ input, grouped }: AnyOperation): MiddlewareFn | null {
  const lists = Object.entries<z.ZodType>(input.shape).flatMap(([field, schema]) => {
    const most = longestRead(schema);
    return most === null ? [] : [[field, most] as const];
  });
  if (lists.length === 0) return null;
  return ({ args }, next) => {
    for (const holder of [args, grouped && args[grouped.argument]])
      for (const [field, most] of lists) {
        const value = holder?.[field];
        if (Array.isArray(value) && value.length > most + 1) holder[field] = value.slice(0, most + 1);
      }
    return next();
  };
}

import { z } from 'zod';

/** A string field of an input. */
export interface TextField {
  path: string[];
  schema: z.ZodType;
}

/** Returns a type without `optional` and `nullable`. */
export const unwrapped = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema;

/** Returns every string field of an input. */
export function textsOf(schema: z.ZodType, path: string[] = []): TextField[] {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodObject)
    return Object.entries<z.ZodType>(inner.shape).flatMap(([name, field]) => textsOf(field, [...path, name]));
  if (inner instanceof z.ZodArray) return textsOf(inner.element as z.ZodType, [...path, '0']);
  return inner instanceof z.ZodString ? [{ path, schema: inner }] : [];
}

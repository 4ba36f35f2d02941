import { z } from 'zod';

/** A field of an input. */
export interface InputField {
  path: string[];
  schema: z.ZodType;
}

/** Returns a type without `optional` and `nullable`. */
export const unwrapped = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema;

/** Returns every field of an input: those of nested objects, lists and the items of lists, too. */
export function fieldsOf(schema: z.ZodType, path: string[] = []): InputField[] {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodObject)
    return Object.entries<z.ZodType>(inner.shape).flatMap(([name, field]) =>
      fieldsOf(field, [...path, name]),
    );
  if (inner instanceof z.ZodArray)
    return [{ path, schema: inner }, ...fieldsOf(inner.element as z.ZodType, [...path, '0'])];
  return [{ path, schema: inner }];
}

/** Returns every string field of an input. */
export const textsOf = (input: z.ZodType): InputField[] =>
  fieldsOf(input).filter(({ schema }) => schema instanceof z.ZodString);

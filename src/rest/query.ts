import { z } from 'zod';

/** Converts query parameters to the types of the zod object. Unknown and empty parameters are ignored. */
export function coerceQuery(
  shape: Record<string, z.ZodType>,
  fields: readonly string[],
  query: Record<string, unknown>,
): Record<string, unknown> {
  const given = fields.filter((field) => query[field] !== undefined && query[field] !== '');
  return Object.fromEntries(given.map((field) => [field, coerce(shape[field], query[field])]));
}

function coerce(type: z.ZodType | undefined, value: unknown): unknown {
  if (type instanceof z.ZodOptional || type instanceof z.ZodNullable)
    return coerce(type.unwrap() as z.ZodType, value);
  if (type instanceof z.ZodNumber && typeof value === 'string' && /^-?\d+$/.test(value))
    return Math.min(Math.max(Number(value), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
  if (type instanceof z.ZodBoolean && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

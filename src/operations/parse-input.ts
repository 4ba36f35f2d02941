import { z } from 'zod';
import { type ErrorDetail, maxDetails, ServiceError } from '../errors.js';
import { outsizedLists, type Problems, problemsOf } from './problems.js';

/** Input as the client sent it, before validation. */
export type RawInput = { readonly [field: string]: unknown };

/**
 * Returns the parsed input, or rejects it with all its problems at once: those of the schema, then `others`, which were
 * found elsewhere, and those that `check` finds in the fields that are valid by the schema.
 */
export function parseInput<I extends z.ZodObject>(
  schema: I,
  raw: RawInput,
  others: readonly ErrorDetail[] = [],
  check?: (valid: Partial<z.output<I>>) => readonly ErrorDetail[],
): z.output<I> {
  const outsized = outsizedLists(schema, raw);
  const readable = withoutFields(raw, outsized);
  const { data, error } = strict(schema).safeParse(readable, { reportInput: true });
  const problems = error ? problemsOf(error, ({ path }) => !outsized.has(String(path[0]))) : noProblems;
  const checked = check?.((error ? validFields(schema, readable, error) : data) as Partial<z.output<I>>);
  const further = [...(checked ?? []), ...others];
  const total = outsized.size + problems.total + further.length;
  if (total === 0) return data as z.output<I>;
  // The further problems are few, and would be lost behind many others.
  const listed = [...outsized.values(), ...problems.listed].slice(0, maxDetails - further.length);
  throw new ServiceError(
    'VALIDATION_FAILED',
    'The input is not valid: see details.',
    [...listed, ...further],
    { total },
  );
}

const noProblems: Problems = { listed: [], total: 0 };

const withoutFields = (raw: RawInput, fields: ReadonlyMap<string, unknown>): RawInput =>
  fields.size === 0 ? raw : Object.fromEntries(Object.entries(raw).filter(([field]) => !fields.has(field)));

/** Parses the fields in which zod found no problem; zod itself returns nothing for an object that has any. */
function validFields({ shape }: z.ZodObject, raw: RawInput, { issues }: z.ZodError): RawInput {
  const invalid = new Set(issues.map(({ path }) => path[0]));
  const valid = Object.entries<z.ZodType>(shape).filter(
    ([field]) => Object.hasOwn(raw, field) && !invalid.has(field),
  );
  return Object.fromEntries(valid.map(([field, type]) => [field, type.parse(raw[field])]));
}

const strictForms = new WeakMap<z.ZodObject, z.ZodObject>();

/** Returns the schema in the form that rejects unknown fields, so that a misspelt field is never ignored. */
function strict(schema: z.ZodObject): z.ZodObject {
  const known = strictForms.get(schema) ?? z.strictObject(schema.shape);
  strictForms.set(schema, known);
  return known;
}

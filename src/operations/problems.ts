import { z } from 'zod';
import { type ErrorDetail, maxDetails } from '../errors.js';

/** Problems of an input: the details of the first ones, and the number of all (D100). */
export interface Problems {
  readonly listed: readonly ErrorDetail[];
  readonly total: number;
}

/** Converts zod's issues to the details of an error response. Only as many are described as the response lists. */
export function problemsOf(
  { issues }: z.ZodError,
  isReported: (issue: z.core.$ZodIssue) => boolean = () => true,
): Problems {
  const listed: ErrorDetail[] = [];
  let total = 0;
  for (const issue of issues.filter(isReported)) {
    const found = issue.code === 'unrecognized_keys' ? issue.keys.length : 1;
    total += found;
    const room = maxDetails - listed.length;
    if (room <= 0) continue;
    if (issue.code === 'unrecognized_keys')
      listed.push(...issue.keys.slice(0, room).map((key) => unknownField(issue.path, key)));
    else listed.push({ field: issue.path.join('.'), ...describe(issue, nameOf(issue.path)) });
  }
  return { listed, total };
}

const longestName = 100;

function unknownField(path: readonly PropertyKey[], key: string): ErrorDetail {
  const name = key.length > longestName ? `${key.slice(0, longestName).toWellFormed()}…` : key;
  return {
    field: [...path, name].join('.'),
    code: 'unknown_field',
    message: `${name} is not a field of this operation. Check its spelling.`,
  };
}

/** A list that exceeds its limit by this factor is rejected without validating its items (D100). */
const outsizedFactor = 4;

/** Returns one problem for each list that is too long for its items to be validated, by field. */
export function outsizedLists(
  { shape }: z.ZodObject,
  raw: { readonly [field: string]: unknown },
): Map<string, ErrorDetail> {
  const outsized = new Map<string, ErrorDetail>();
  for (const [field, schema] of Object.entries<z.ZodType>(shape)) {
    const value = raw[field];
    if (!Array.isArray(value)) continue;
    const most = longestRead(schema);
    if (most !== null && value.length > most)
      outsized.set(field, { field, code: 'too_many', message: tooMany(field, most / outsizedFactor) });
  }
  return outsized;
}

/** Returns the length up to which the items of a list are validated; null if the type is not a list. */
function longestRead(schema: z.ZodType): number | null {
  const max = maxItemsOf(schema);
  return max === null ? null : outsizedFactor * max;
}

/** Returns the maximum length of a list; null if the type is not a list. */
export function maxItemsOf(schema: z.ZodType): number | null {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return maxItemsOf(schema.unwrap() as z.ZodType);
  if (!(schema instanceof z.ZodArray)) return null;
  const bound = schema.def.checks?.find((check) => check instanceof z.core.$ZodCheckMaxLength);
  return bound?._zod.def.maximum ?? null;
}

const tooMany = (name: string, max: number | bigint) => `${name} must have at most ${max} items.`;

/** Returns the name of a field for messages: its own, or for an item of a list, the name of the list and the index. */
const nameOf = (path: readonly PropertyKey[]) =>
  path.slice(typeof path.at(-1) === 'number' ? -2 : -1).join('.') || 'The body';

function describe(issue: z.core.$ZodIssue, name: string): Omit<ErrorDetail, 'field'> {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input == null) return { code: 'required', message: `${name} is required.` };
      if (Array.isArray(issue.input) && issue.expected !== 'array')
        return {
          code: 'invalid_type',
          message: `${name} must be given once, as ${article(issue.expected)}.`,
        };
      return { code: 'invalid_type', message: `${name} must be ${article(issue.expected)}.` };
    case 'invalid_value':
      if (issue.input == null)
        return { code: 'required', message: `${name} is required: one of ${issue.values.join(', ')}.` };
      return { code: 'invalid_value', message: `${name} must be one of ${issue.values.join(', ')}.` };
    case 'too_small':
      return {
        code: issue.origin === 'array' ? 'too_few' : 'too_small',
        message:
          issue.origin === 'array'
            ? `${name} must have at least ${issue.minimum} item${issue.minimum === 1 ? '' : 's'}.`
            : `${name} must be at least ${issue.minimum}.`,
      };
    case 'too_big':
      return {
        code: issue.origin === 'array' ? 'too_many' : 'too_big',
        message:
          issue.origin === 'array'
            ? tooMany(name, issue.maximum)
            : `${name} must be at most ${issue.maximum}.`,
      };
    case 'custom':
      return { code: String(issue.params?.code ?? 'invalid'), message: `${name} ${issue.message}.` };
    default:
      return { code: 'invalid', message: `${name} is not valid: ${issue.message}.` };
  }
}

const expectedNames: Record<string, string> = { int: 'a whole number', array: 'a list', object: 'an object' };
const article = (expected: string) => expectedNames[expected] ?? `a ${expected}`;

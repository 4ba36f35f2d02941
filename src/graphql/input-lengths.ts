import { z } from 'zod';
import { contract, type OperationName, operations } from '../contract.js';
import { maxItemsOf } from '../operations/problems.js';

/** Characters of a number or of a value of an enum. */
const shortLength = 20;
const lengthOf = (text: z.ZodString): number => Number(text.meta()?.maxLength ?? 0);

/** Greatest lengths by the name of a field: of texts in characters, and of lists in items. Where inputs differ, the longest counts. */
export const inputLengths = { texts: new Map<string, number>(), lists: new Map<string, number>() };
for (const [, { input }] of operations) collect('', input);

function collect(name: string, schema: z.ZodType): void {
  const raise = (lengths: Map<string, number>, length: number) =>
    lengths.set(name, Math.max(length, lengths.get(name) ?? 0));
  const items = maxItemsOf(schema);
  if (items !== null) raise(inputLengths.lists, items);
  const inner = itemOf(schema);
  if (inner instanceof z.ZodObject)
    for (const [field, value] of Object.entries<z.ZodType>(inner.shape)) collect(field, value);
  else if (inner instanceof z.ZodString) raise(inputLengths.texts, lengthOf(inner));
}

/** Returns the greatest length of some fields of an operation's input together, with everything inside of them. */
export function inputLength(operation: OperationName, ...fields: readonly string[]): number {
  const shape: Record<string, z.ZodType> = contract[operation].input.shape;
  return fields.reduce((sum, field) => sum + totalOf(shape[field]!), 0);
}

function totalOf(schema: z.ZodType): number {
  const times = maxItemsOf(schema) ?? 1;
  const inner = itemOf(schema);
  if (inner instanceof z.ZodObject)
    return times * Object.values<z.ZodType>(inner.shape).reduce((sum, field) => sum + totalOf(field), 0);
  return times * (inner instanceof z.ZodString ? lengthOf(inner) : shortLength);
}

/** Removes what does not matter for lengths: optional, nullable, default, and the list around an item. */
function itemOf(schema: z.ZodType): z.ZodType {
  let inner = schema;
  for (;;) {
    if (inner instanceof z.ZodArray) inner = inner.element as z.ZodType;
    else if (
      inner instanceof z.ZodOptional ||
      inner instanceof z.ZodNullable ||
      inner instanceof z.ZodDefault
    )
      inner = inner.unwrap() as z.ZodType;
    else return inner;
  }
}

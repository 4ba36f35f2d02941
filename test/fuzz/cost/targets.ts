import { z } from 'zod';
import { type OperationName, operations } from '../../../src/contract.js';
import type { AnyOperation } from '../../../src/operations/operation.js';
import { fittingFor } from '../attacks.js';
import type { Credential } from '../cast.js';
import { Named, namable, type Schema } from '../hostile.js';
import type { Random } from './random.js';

/** One place of an operation's input that a hostile value can be put into. */
export interface Target {
  operation: OperationName;
  entry: AnyOperation;
  credential: Credential;
  schema: Schema;
  /** Where in the input; empty: in place of the whole input. */
  path: readonly string[];
}

/** Every field of every operation's input, at any depth, and each input as a whole. */
export const targets: readonly Target[] = operations.flatMap(([operation, entry]) => {
  const { expectedRevisions: _, ...shape } = entry.input.shape;
  const options = { io: 'input', unrepresentable: 'any', reused: 'inline' } as const;
  const schema = z.toJSONSchema(z.object(shape), options) as Schema & { $defs?: Record<string, Schema> };
  const whole = inlined(schema, schema.$defs ?? {}) as Schema;
  const credential = fittingFor[entry.policy.kind];
  return [[], ...pathsOf(whole)].map((path) => ({ operation, entry, credential, schema: whole, path }));
});

/** Returns a schema without references, which zod writes for named objects. */
function inlined(schema: unknown, defs: Record<string, Schema>): unknown {
  if (Array.isArray(schema)) return schema.map((part) => inlined(part, defs));
  if (typeof schema !== 'object' || schema === null) return schema;
  if ('$ref' in schema) return inlined(defs[String(schema.$ref).replace('#/$defs/', '')] ?? {}, defs);
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== '$defs')
      .map(([key, value]) => [key, inlined(value, defs)]),
  );
}

function pathsOf(schema: Schema): string[][] {
  const { properties, items } = concrete(schema);
  if (items) return [['0'], ...pathsOf(items as Schema).map((path) => ['0', ...path])];
  return Object.entries((properties ?? {}) as Record<string, Schema>).flatMap(([name, inner]) => [
    [name],
    ...pathsOf(inner).map((path) => [name, ...path]),
  ]);
}

/** Of a nullable schema, the one that is not null. */
function concrete(schema: Schema): Schema {
  if (!Array.isArray(schema.anyOf)) return schema;
  return (schema.anyOf as Schema[]).find(({ type }) => type !== 'null') ?? schema;
}

/** Returns a value that a schema allows; ids and slugs are those of the cast. */
export function example(schema: Schema, random: Random, name = ''): unknown {
  const {
    type,
    format,
    properties,
    required = [],
    items,
    minItems = 1,
    minimum = 1,
    ...rest
  } = concrete(schema);
  if (Array.isArray(rest.enum)) return random.pick(rest.enum as unknown[]);
  if (type === 'object') {
    const wanted = Object.entries((properties ?? {}) as Record<string, Schema>).filter(
      ([field]) => (required as string[]).includes(field) || random.chance(0.3),
    );
    return Object.fromEntries(wanted.map(([field, inner]) => [field, example(inner, random, field)]));
  }
  if (type === 'array')
    return [example(items as Schema, random, name)].slice(0, Math.max(1, Number(minItems)));
  if (type === 'integer' || type === 'number') return Math.max(1, Number(minimum));
  if (type === 'boolean') return random.chance(0.5);
  if (format === 'uuid' || name === 'slug') return new Named(random.pick(namable));
  if (format === 'uri') return 'https://a.example/picture.png';
  if (format === 'email') return `a${random.below(1e9)}@a.example`;
  if (format === 'date-time') return '2026-01-01T00:00:00Z';
  return `Text ${random.below(1e6)}`;
}

/** Returns the input with another value at a path, whatever was there before. */
export function replaceAt(input: unknown, [first, ...rest]: readonly string[], value: unknown): unknown {
  if (first === undefined) return value;
  if (first === '0') return [replaceAt(Array.isArray(input) ? input[0] : {}, rest, value)];
  const object = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
  return { ...object, [first]: replaceAt(object[first], rest, value) };
}

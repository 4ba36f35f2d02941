import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { publishedFields } from '../serializer.js';

export type JsonSchema = Record<string, unknown>;

const scalars: Record<string, JsonSchema> = {
  ID: { type: 'string', format: 'uuid' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer', format: 'int32', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  Float: { type: 'number' },
  DateTimeISO: { type: 'string', format: 'date-time' },
};

/** Converts a GraphQL output type to JSON Schema; objects are references by name. */
export function jsonSchemaOf(type: GraphQLOutputType): JsonSchema {
  if (isNonNullType(type)) return required(type.ofType);
  const schema = required(type);
  return typeof schema.type === 'string' && !schema.enum
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
}

function required(type: GraphQLOutputType): JsonSchema {
  if (isListType(type)) return { type: 'array', items: jsonSchemaOf(type.ofType) };
  if (isObjectType(type)) return { $ref: `#/components/schemas/${type.name}` };
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map((value) => value.name) };
  const scalar = scalars[getNamedType(type).name];
  if (!scalar) throw new Error(`No JSON Schema for ${String(type)}`);
  return scalar;
}

/** Returns the schemas of all object types that can be reached from these types, by name. */
export function objectSchemas(
  schema: GraphQLSchema,
  roots: readonly GraphQLOutputType[],
): Record<string, JsonSchema> {
  const found: Record<string, JsonSchema> = {};
  const visit = (type: GraphQLOutputType) => {
    const named = getNamedType(type);
    if (!isObjectType(named) || found[named.name]) return;
    found[named.name] = objectSchema(named);
    for (const field of publishedFields(named)) visit(field.type);
  };
  for (const root of roots) visit(schema.getType(getNamedType(root).name) as GraphQLObjectType);
  return found;
}

function objectSchema(type: GraphQLObjectType): JsonSchema {
  const fields = publishedFields(type);
  const describe = (text: string | null | undefined) => (text ? { description: text } : {});
  return {
    type: 'object',
    ...describe(type.description),
    required: fields.map((field) => field.name),
    properties: Object.fromEntries(
      fields.map((field) => [field.name, { ...jsonSchemaOf(field.type), ...describe(field.description) }]),
    ),
  };
}

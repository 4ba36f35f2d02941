import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';
import { GraphQLISODateTime } from 'type-graphql';

type ToJson = (value: unknown) => unknown;
const compiled = new WeakMap<GraphQLObjectType, ToJson>();

/** Returns the fields that REST sends: those without arguments that are not marked as GraphQL-only. */
export const publishedFields = (type: GraphQLObjectType) =>
  Object.values(type.getFields()).filter((field) => field.args.length === 0 && !field.extensions.graphqlOnly);

/** Returns the serializer of a GraphQL type, compiled once per type: REST sends the fields that the type publishes. */
export function serializer(type: GraphQLOutputType): ToJson {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const item = serializer(nullable.ofType);
    return orNull((value) => (value as unknown[]).map(item));
  }
  if (isLeafType(nullable))
    return orNull(nullable.name === GraphQLISODateTime.name ? time : (value) => nullable.serialize(value));
  if (isObjectType(nullable)) return objectSerializer(nullable);
  throw new Error(`REST has no form for ${String(type)}`);
}

function objectSerializer(type: GraphQLObjectType): ToJson {
  const known = compiled.get(type);
  if (known) return known;
  const fields = publishedFields(type).map((field) => [field.name, serializer(field.type)] as const);
  const toJson = orNull((value) => {
    const json: Record<string, unknown> = {};
    for (const [name, write] of fields) json[name] = write((value as Record<string, unknown>)[name]);
    return json;
  });
  compiled.set(type, toJson);
  return toJson;
}

/** A string was already formatted by the database. */
const time: ToJson = (value) => (typeof value === 'string' ? value : GraphQLISODateTime.serialize(value));

const orNull =
  (write: ToJson): ToJson =>
  (value) =>
    value === null || value === undefined ? null : write(value);

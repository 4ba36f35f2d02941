import {
  GraphQLID,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';
import { GraphQLISODateTime } from 'type-graphql';

type ToJson = (value: unknown) => string;
const compiled = new WeakMap<GraphQLObjectType, ToJson>();

/** Returns the fields that REST sends: those without arguments that are not marked as GraphQL-only. */
export const publishedFields = (type: GraphQLObjectType) =>
  Object.values(type.getFields()).filter((field) => field.args.length === 0 && !field.extensions.graphqlOnly);

/** Returns the function that writes values of a GraphQL type as JSON, built once per type: REST sends the fields that the type publishes. */
export function serializer(type: GraphQLOutputType): ToJson {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const item = serializer(nullable.ofType);
    // Not by join(), which would copy a long text once more.
    return orNull((value) => {
      let json = '';
      for (const element of value as unknown[]) json += json === '' ? item(element) : `,${item(element)}`;
      return `[${json}]`;
    });
  }
  if (isLeafType(nullable)) return orNull(nullable.name === GraphQLISODateTime.name ? time : leaf(nullable));
  if (isObjectType(nullable)) return objectSerializer(nullable);
  throw new Error(`REST has no form for ${String(type)}`);
}

function objectSerializer(type: GraphQLObjectType): ToJson {
  const known = compiled.get(type);
  if (known) return known;
  const fields = publishedFields(type).map(
    ({ name, type: fieldType }, index) =>
      [name, `${index === 0 ? '' : ','}${JSON.stringify(name)}:`, serializer(fieldType)] as const,
  );
  const toJson = orNull((value) => {
    let json = '';
    for (const [name, key, write] of fields) json += key + write((value as Record<string, unknown>)[name]);
    return `{${json}}`;
  });
  compiled.set(type, toJson);
  return toJson;
}

const leaf = (type: GraphQLLeafType): ToJson => {
  // A string needs no conversion, except that an enum has names of its own.
  if (type === GraphQLString || type === GraphQLID)
    return (value) => JSON.stringify(typeof value === 'string' ? value : type.serialize(value));
  return (value) => JSON.stringify(type.serialize(value));
};

/** A string was already formatted by the database. */
const time: ToJson = (value) =>
  JSON.stringify(typeof value === 'string' ? value : GraphQLISODateTime.serialize(value));

const orNull =
  (write: ToJson): ToJson =>
  (value) =>
    value === null || value === undefined ? 'null' : write(value);

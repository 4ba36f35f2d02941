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

type Copy = (value: unknown) => unknown;
const compiled = new WeakMap<GraphQLObjectType, Copy>();

/** Returns the fields that REST sends: those without arguments that are not marked as GraphQL-only. */
export const publishedFields = (type: GraphQLObjectType) =>
  Object.values(type.getFields()).filter((field) => field.args.length === 0 && !field.extensions.graphqlOnly);

/** Returns the function that writes values of a GraphQL type as JSON: REST sends the fields that the type publishes. */
export function serializer(type: GraphQLOutputType): (value: unknown) => string {
  const copy = copyOf(type);
  return (value) => JSON.stringify(copy(value));
}

function copyOf(type: GraphQLOutputType): Copy {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const item = copyOf(nullable.ofType);
    return orNull((value) => (value as unknown[]).map(item));
  }
  if (isLeafType(nullable)) return orNull(leaf(nullable));
  if (isObjectType(nullable)) return objectCopy(nullable);
  throw new Error(`REST has no form for ${String(type)}`);
}

/**
 * Compiles an object literal for a type: V8 creates it in one step, and JSON.stringify is fast for objects of one shape.
 * The names of fields are those of our schema, which are identifiers.
 */
function objectCopy(type: GraphQLObjectType): Copy {
  const known = compiled.get(type);
  if (known) return known;
  const fields = publishedFields(type);
  const literal = fields.map(({ name }, index) => `${name}: copy${index}(value.${name})`).join(', ');
  const compile = new Function(
    ...fields.map((_, index) => `copy${index}`),
    `return (value) => ({ ${literal} })`,
  );
  const copy = orNull(compile(...fields.map((field) => copyOf(field.type))));
  compiled.set(type, copy);
  return copy;
}

/** A string of these types needs no conversion: a time was already formatted by the database. */
const textual: ReadonlySet<GraphQLLeafType> = new Set([GraphQLString, GraphQLID, GraphQLISODateTime]);

const leaf = (type: GraphQLLeafType): Copy =>
  textual.has(type)
    ? (value) => (typeof value === 'string' ? value : type.serialize(value))
    : (value) => type.serialize(value);

const orNull =
  (copy: Copy): Copy =>
  (value) =>
    value === null || value === undefined ? null : copy(value);

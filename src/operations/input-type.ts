import { ArgsType, type ClassType, Field, Float, ID, InputType, Int } from 'type-graphql';
import { z } from 'zod';

const declared = new Map<string, ClassType>();

/** Returns the GraphQL input type of this name, whose fields are those of a zod object; declares it when first used. */
export function inputType(name: string, description: string | undefined, schema: z.ZodObject): ClassType {
  const known = declared.get(name);
  if (known) return known;
  const type = withFields(name, schema);
  declared.set(name, type);
  InputType(name, { ...(description && { description }) })(type);
  return type;
}

/** Returns a class whose fields are those of a zod object, as the arguments of a field. */
export function argumentsType(name: string, schema: z.ZodObject): ClassType {
  const type = withFields(name, schema);
  ArgsType()(type);
  return type;
}

function withFields(name: string, schema: z.ZodObject): ClassType {
  const type = { [name]: class {} }[name]!;
  for (const [field, value] of Object.entries<z.ZodType>(schema.shape)) {
    const { type: fieldType, options } = graphqlTypeOf(`${name}.${field}`, value);
    Field(fieldType, options)(type.prototype, field);
  }
  return type;
}

/** Returns the GraphQL type of a zod type, whether it is nullable, its default value and its description. */
export function graphqlTypeOf(place: string, schema: z.ZodType) {
  const { inner, ...options } = unwrap(schema);
  const description = schema.description ?? inner.description;
  return {
    type: graphqlType(place, inner) as () => ClassType,
    options: { ...options, ...(description && { description }) },
  };
}

function unwrap(schema: z.ZodType): { inner: z.ZodType; nullable: boolean; defaultValue?: unknown } {
  if (schema instanceof z.ZodDefault)
    return { ...unwrap(schema.unwrap() as z.ZodType), nullable: true, defaultValue: schema.def.defaultValue };
  let inner = schema;
  let nullable = false;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) {
    nullable = true;
    inner = inner.unwrap() as z.ZodType;
  }
  return { inner, nullable };
}

function graphqlType(place: string, schema: z.ZodType): () => unknown {
  if (schema instanceof z.ZodArray) {
    const item = graphqlType(place, schema.element as z.ZodType)();
    return () => [item];
  }
  const { id, format } = schema.meta() ?? {};
  if (schema instanceof z.ZodObject && id) {
    const nested = inputType(id, schema.description, schema);
    return () => nested;
  }
  if (schema instanceof z.ZodEnum) return () => schema.enum;
  if (schema instanceof z.ZodBoolean) return () => Boolean;
  if (schema instanceof z.ZodNumber) return schema.format === 'safeint' ? () => Int : () => Float;
  if (schema instanceof z.ZodString) return () => (format === 'uuid' ? ID : String);
  throw new Error(`${place} has no GraphQL type. A nested object names its own with meta({ id }).`);
}

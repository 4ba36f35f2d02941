import { ArgsType, type ClassType, Field, Float, ID, InputType, Int } from 'type-graphql';
import { z } from 'zod';

const declared = new Map<string, ClassType>();

/** Declares a GraphQL input type whose fields are those of a zod object, so that each input is written once. */
export function inputType<I extends z.ZodObject>(name: string, schema: I): ClassType<z.input<I>> {
  const known = declared.get(name);
  if (known) return known as ClassType<z.input<I>>;
  const type = declare(name, schema);
  InputType(name, describedBy(schema, `The input of ${name.replace(/Input$/, '')}.`))(type);
  return type as ClassType<z.input<I>>;
}

/** Declares the arguments of a field, which are the fields of a zod object. */
export function argumentsType<I extends z.ZodObject>(name: string, schema: I): ClassType<z.input<I>> {
  const known = declared.get(name);
  if (known) return known as ClassType<z.input<I>>;
  const type = declare(name, schema);
  ArgsType()(type);
  return type as ClassType<z.input<I>>;
}

function declare(name: string, schema: z.ZodObject): ClassType {
  const type = { [name]: class {} }[name]!;
  declared.set(name, type);
  for (const [key, value] of Object.entries<z.ZodType>(schema.shape)) {
    const { type: fieldType, options } = graphqlTypeOf(name, key, value);
    Field(fieldType, options)(type.prototype, key);
  }
  return type;
}

const describedBy = (schema: z.ZodType, otherwise?: string) => {
  const description = schema.description ?? otherwise;
  return description ? { description } : {};
};

/** What GraphQL calls a zod type, and whether it may be left out. */
export function graphqlTypeOf(owner: string, key: string, schema: z.ZodType) {
  const { inner, nullable, ...defaults } = unwrap(schema);
  return {
    type: graphqlType(owner, key, inner),
    options: { nullable, ...defaults, ...describedBy(schema, inner.description) },
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

function graphqlType(owner: string, key: string, schema: z.ZodType): () => ClassType | typeof Int | object {
  if (schema instanceof z.ZodArray) {
    const item = graphqlType(owner, key, schema.element as z.ZodType)();
    return () => [item];
  }
  if (schema instanceof z.ZodObject) {
    const nested = inputType(schema.meta()?.id ?? `${owner}${key}`, schema);
    return () => nested;
  }
  if (schema instanceof z.ZodEnum) return () => schema.enum;
  if (schema instanceof z.ZodBoolean) return () => Boolean;
  if (schema instanceof z.ZodNumber) return schema.format === 'safeint' ? () => Int : () => Float;
  if (schema instanceof z.ZodString) return () => (schema.meta()?.format === 'uuid' ? ID : String);
  throw new Error(`No GraphQL type for ${owner}.${key}`);
}

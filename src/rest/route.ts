import {
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isObjectType,
} from 'graphql';
import type { z } from 'zod';
import { type OperationName, type OperationTable, operations } from '../contract.js';
import type { AnyOperation, Method } from '../operations/operation.js';
import { publishedFields } from './serializer.js';

/** A REST route: what the router and the OpenAPI document derive from an operation of the contract. */
export interface Route {
  name: OperationName;
  operation: AnyOperation;
  method: Method;
  path: string;
  /** True if no credential is needed. */
  isPublic: boolean;
  pathFields: readonly string[];
  queryFields: readonly string[];
  bodyFields: readonly string[];
  /** True if the body is read, even where no field of it is. */
  takesBody: boolean;
  /** True if `If-Match` is checked. */
  takesIfMatch: boolean;
  outputType: GraphQLOutputType;
  /** All fields of the resource in any of its types: a client may send them back, without effect. */
  published: ReadonlySet<string>;
}

/** Groups of types that represent the same resource. */
const resources = [['Developer'], ['ApiKey', 'IssuedApiKey'], ['App', 'PublicApp'], ['InstallReceipt']];

/** Returns the routes of the contract, sorted by path. */
export function routesOf(schema: GraphQLSchema, table: OperationTable = operations): Route[] {
  return table
    .flatMap(([name, operation]) =>
      operation.rest ? [routeOf(schema, name, operation, operation.rest)] : [],
    )
    .sort((a, b) => a.path.localeCompare(b.path, 'en') || a.method.localeCompare(b.method, 'en'));
}

/** Returns the operation without the fields that only GraphQL takes: in a body they are unknown fields. */
function inRest(operation: AnyOperation): AnyOperation {
  const { graphqlFields, input } = operation;
  if (!graphqlFields || operation.kind === 'query') return operation;
  return { ...operation, input: input.omit(Object.fromEntries(graphqlFields.map((field) => [field, true]))) };
}

function routeOf(schema: GraphQLSchema, name: OperationName, declared: AnyOperation, rest: string): Route {
  const [method, path] = rest.split(' ') as [Method, string];
  const operation = inRest(declared);
  const shape: Record<string, z.ZodType> = operation.input.shape;
  const pathFields = [...path.matchAll(/:(\w+)/g)].map(([, field]) => field!);
  const others = Object.keys(shape).filter(
    (field) =>
      !pathFields.includes(field) &&
      !operation.graphqlFields?.includes(field) &&
      field !== 'expectedRevisions',
  );
  const named = objectType(schema, typeName(operation));
  return {
    name,
    operation,
    method,
    path,
    isPublic: operation.policy.kind === 'anyone',
    pathFields,
    queryFields: method === 'GET' ? others : [],
    bodyFields: method === 'GET' ? [] : others,
    takesBody: method === 'POST' || (method !== 'GET' && others.length > 0),
    takesIfMatch: 'expectedRevisions' in shape,
    outputType: new GraphQLNonNull(
      Array.isArray(operation.output) ? new GraphQLList(new GraphQLNonNull(named)) : named,
    ),
    published: publishedBy(schema, named),
  };
}

/** Returns the name of an operation's result type. */
export const typeName = ({ output }: AnyOperation): string =>
  'name' in output ? output.name : output[0].name;

export function objectType(schema: GraphQLSchema, name: string): GraphQLObjectType {
  const type: GraphQLNamedType | undefined = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`${name} is not a type of the schema`);
  return type;
}

function publishedBy(schema: GraphQLSchema, type: GraphQLObjectType): ReadonlySet<string> {
  const names = resources.find((types) => types.includes(type.name)) ?? [];
  return new Set(
    names.flatMap((name) => publishedFields(objectType(schema, name)).map((field) => field.name)),
  );
}

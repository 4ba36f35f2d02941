import { createRequire } from 'node:module';
import {
  type DocumentNode,
  type GraphQLCompositeType,
  GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  getNullableType,
  isIntrospectionType,
  isListType,
  isObjectType,
} from 'graphql';
import type { ComplexityEstimator } from 'graphql-query-complexity';
import { exceeded, limits } from './limits.js';

// Its module for `import` brings a second graphql along, which does not know our schema's types.
const { fieldExtensionsEstimator, getComplexity }: typeof import('graphql-query-complexity') = createRequire(
  import.meta.url,
)('graphql-query-complexity');

const defaultPage = 20;
const maxPage = 100;
/** What belongs to one of a list, such as the screenshots of an app: a few. */
const innerList = 3;
/** What describes the schema is as long as the schema has it, types counted by thirties: the standard introspection query passes, and several of them at once do not. */
const introspectionLists: Readonly<Record<string, number>> = {
  types: 3,
  fields: 10,
  inputFields: 3,
  enumValues: 3,
};
const introspectionRoots: Readonly<Record<string, number>> = { __schema: 1_000, __type: 100 };

type AnyField = GraphQLField<unknown, unknown>;

/** Every field costs one, and what is in a list as often as the list is long. */
const estimator: ComplexityEstimator = ({ field, type, args, childComplexity }) =>
  (introspectionRoots[field.name] ?? 1) + timesOf(field, type, args) * childComplexity;

function timesOf(field: AnyField, parent: GraphQLCompositeType, args: Record<string, unknown>): number {
  if (isPaged(field)) return pageSize(args.first ?? args.limit);
  if (!isListType(getNullableType(field.type))) return 1;
  if (isIntrospectionType(parent)) return introspectionLists[field.name] ?? 1;
  // What a page holds was counted where its size was asked for.
  if (isPage(parent)) return 1;
  return parent.name === 'Query' ? defaultPage : innerList;
}

const isPaged = ({ args }: AnyField) => args.some(({ name }) => name === 'first' || name === 'limit');

const isPage = (type: GraphQLCompositeType) =>
  isObjectType(type) && ('pageInfo' in type.getFields() || 'pagination' in type.getFields());

const pageSize = (asked: unknown) =>
  typeof asked === 'number' ? Math.min(Math.max(asked, 1), maxPage) : defaultPage;

interface Costed {
  schema: GraphQLSchema;
  document: DocumentNode;
  operationName: string | null;
  variables: Record<string, unknown>;
}

/** What an operation may cost at most, by the `complexity` of its fields; refuses what is beyond the limit. */
export function costOf(operation: Costed): number {
  const cost = complexityOf(operation);
  if (cost > limits.cost) throw exceeded('cost', cost);
  return cost;
}

function complexityOf({ schema, document, operationName, variables }: Costed): number {
  try {
    return getComplexity({
      schema,
      query: document,
      variables,
      ...(operationName && { operationName }),
      maxQueryNodes: limits.nodes,
      estimators: [fieldExtensionsEstimator(), estimator],
    });
  } catch (error) {
    if (error instanceof GraphQLError && /maximum allowed number of nodes/.test(error.message))
      throw exceeded('nodes', null);
    throw error;
  }
}

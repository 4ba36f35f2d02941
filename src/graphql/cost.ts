import { createRequire } from 'node:module';
import {
  type DocumentNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isIntrospectionType,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import type { ComplexityEstimator, ComplexityEstimatorArgs } from 'graphql-query-complexity';
import { limits } from './limits.js';

// Its module for `import` brings a second graphql along, which does not know our schema's types.
const { fieldExtensionsEstimator, getComplexity }: typeof import('graphql-query-complexity') = createRequire(
  import.meta.url,
)('graphql-query-complexity');

const defaultPage = 20;
const maxPage = 100;
/** What belongs to one of a list, such as the screenshots of an app: a few. */
const innerList = 3;
/** A developer may have some hundred apps (D101), each with lists of its own. */
const longLists: Readonly<Record<string, number>> = { myApps: maxPage };
/** What describes the schema is as long as the schema has it, types counted by thirties: the standard introspection query passes, and several of them at once do not. */
const introspectionLists: Readonly<Record<string, number>> = {
  types: 3,
  fields: 10,
  inputFields: 3,
  enumValues: 3,
};
const introspectionRoots: Readonly<Record<string, number>> = { __schema: 1_000, __type: 100 };

type AnyField = GraphQLField<unknown, unknown>;

/** A plain value costs little beside the object that it is of, unless it is a text of pages that anybody may ask for. */
const leafCost = 0.2;
const costsOfLongTexts: Readonly<Record<string, number>> = {
  'PublicApp.longDescription': 40,
  'PublicApp.description': 1,
  'PublicApp.logoUrl': 4,
  'PublicApp.bannerUrl': 4,
  'PublicApp.websiteUrl': 4,
  'Screenshot.url': 3,
};
/** A description of the schema has no need of aliases, and with them could be repeated many times in one response. */
const introspectionAliasCost = 2_000;

/** Every object costs one, each of a page one more, and what is in a list as often as the list is long. */
const estimator: ComplexityEstimator = ({ node, ...rest }) =>
  costOfField(rest) + (node.alias && isIntrospectionType(rest.type) ? introspectionAliasCost : 0);

function costOfField({ field, type, args, childComplexity }: Omit<ComplexityEstimatorArgs, 'node'>): number {
  if (isLeafType(getNamedType(field.type))) return costsOfLongTexts[`${type.name}.${field.name}`] ?? leafCost;
  if (isPaged(field)) return 1 + pageSize(args.first ?? args.last ?? args.limit) * (1 + childComplexity);
  return (introspectionRoots[field.name] ?? 1) + timesOf(field, type) * childComplexity;
}

function timesOf(field: AnyField, parent: GraphQLCompositeType): number {
  if (!isListType(getNullableType(field.type))) return 1;
  if (isIntrospectionType(parent)) return introspectionLists[field.name] ?? 1;
  // What a page holds was counted where its size was asked for.
  if (isPage(parent)) return 1;
  return parent.name === 'Query' ? (longLists[field.name] ?? defaultPage) : innerList;
}

const isPaged = ({ args }: AnyField) => args.some(({ name }) => name === 'first' || name === 'limit');

const isPage = (type: GraphQLCompositeType) =>
  isObjectType(type) && ('pageInfo' in type.getFields() || 'pagination' in type.getFields());

const pageSize = (asked: unknown) =>
  typeof asked === 'number' ? Math.min(Math.max(asked, 1), maxPage) : defaultPage;

interface Costed {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Record<string, unknown>;
}

/** Returns what an operation costs at most, by the `complexity` of its fields. */
export function costOf(costed: Costed): number {
  const { document, operation, variables } = costed;
  const known = knownCosts.get(operation) ?? { ...variablesOf(document, operation), costs: new Map() };
  knownCosts.set(operation, known);
  // Null may be no value at all for its argument, which is then refused.
  const nulls = known.declared.filter((name) => variables[name] === null);
  const key = JSON.stringify([nulls, known.deciding.map((name) => variables[name])]);
  const cost = known.costs.get(key) ?? complexityOf(costed);
  if (known.costs.size < maxKnownCosts) known.costs.set(key, cost);
  return cost;
}

interface Variables {
  /** All that count: whatever else is sent is anything at all, and must not fill the memory. */
  declared: readonly string[];
  /** Those that say how long a page is or what is left out. */
  deciding: readonly string[];
}

/** What an operation was found to cost, by the variables that decide on it. */
const knownCosts = new WeakMap<OperationDefinitionNode, Variables & { costs: Map<string, number> }>();
const maxKnownCosts = 20;

function variablesOf(
  document: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
): Variables {
  const names = new Set<string>();
  visit(document, {
    Argument({ name, value }) {
      if (value.kind === Kind.VARIABLE && ['first', 'last', 'limit', 'if'].includes(name.value))
        names.add(value.name.value);
    },
  });
  const declared = variableDefinitions.map(({ variable }) => variable.name.value);
  return { declared, deciding: declared.filter((name) => names.has(name)) };
}

function complexityOf({ schema, document, operation, variables }: Costed): number {
  const complexity = getComplexity({
    schema,
    query: document,
    variables,
    ...(operation.name && { operationName: operation.name.value }),
    // It refuses at the maximum; larger documents do not get here.
    maxQueryNodes: limits.nodes + 1,
    estimators: [fieldExtensionsEstimator(), estimator],
  });
  return Math.ceil(complexity);
}

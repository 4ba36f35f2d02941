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
// Its ES module would load a second copy of graphql, which does not know our schema's types.
import {
  type ComplexityEstimator,
  type ComplexityEstimatorArgs,
  fieldExtensionsEstimator,
  getComplexity,
} from 'graphql-query-complexity/cjs';
import { limits } from './limits.js';
import { greatestItems, greatestLength } from './text-lengths.js';

const defaultPage = 20;
const maxPage = 100;
/** The assumed length of a list without a page size, such as the screenshots of an app. */
const innerList = 3;
/** The greatest lengths of the lists that are queries. A developer may have more apps (D101), but few do. */
export const rootLists: Readonly<Record<string, number>> = {
  adminWebhooks: 20,
  administrators: 200,
  categories: 20,
  // Those that work, of people and of pipelines, and the hundred that ended last.
  myApiKeys: 200,
  myApps: maxPage,
  myWebhookEndpoints: 20,
  rejectionReasons: 20,
  trustedPublishers: 100,
};
/** The assumed lengths of introspection lists: the standard introspection query passes, several of them in one document do not. */
const introspectionLists: Readonly<Record<string, number>> = {
  types: 3,
  fields: 10,
  inputFields: 3,
  enumValues: 3,
};
const introspectionRoots: Readonly<Record<string, number>> = { __schema: 1_000, __type: 100 };

type AnyField = GraphQLField<unknown, unknown>;

/** The least cost of a scalar field. */
const leafCost = 0.2;
/**
 * Characters of a response for one point (D356): the largest page, 100 apps with all their fields, costs a little less than
 * the limit, and so no response is much larger.
 */
const charactersPerPoint = 640;
/** Introspection needs no aliases; with them one response could repeat the schema many times. */
const introspectionAliasCost = 2_000;

/** Every object costs one point, each item of a page one more; the cost below a list is multiplied by its length. */
const estimator: ComplexityEstimator = ({ node, ...rest }) =>
  costOfField(rest) + (node.alias ? costOfAlias(node.alias.value, rest.type) : 0);

/** The response repeats an alias with every item of a list. */
const costOfAlias = (alias: string, parent: GraphQLCompositeType): number =>
  alias.length / charactersPerPoint + (isIntrospectionType(parent) ? introspectionAliasCost : 0);

function costOfField({ field, type, args, childComplexity }: Omit<ComplexityEstimatorArgs, 'node'>): number {
  if (isLeafType(getNamedType(field.type))) return timesOf(field, type) * costOfLeaf(field, type);
  if (isPaged(field)) return 1 + pageSize(args.first ?? args.last ?? args.limit) * (1 + childComplexity);
  if (Array.isArray(args.ids)) return 1 + pageSize(args.ids.length) * (1 + childComplexity);
  return (introspectionRoots[field.name] ?? 1) + timesOf(field, type) * childComplexity;
}

/** A text costs by its greatest length. Other scalars are short. */
function costOfLeaf(field: AnyField, parent: GraphQLCompositeType): number {
  if (!texts.has(getNamedType(field.type).name) || isIntrospectionType(parent)) return leafCost;
  return Math.max(leafCost, (greatestLength(parent.name, field.name) ?? 0) / charactersPerPoint);
}

/** Scalars of any length. */
export const texts: ReadonlySet<string> = new Set(['String', 'JSONObject']);

function timesOf(field: AnyField, parent: GraphQLCompositeType): number {
  if (!isListType(getNullableType(field.type))) return greatestItems(parent.name, field.name) ?? 1;
  if (isIntrospectionType(parent)) return introspectionLists[field.name] ?? 1;
  // The items of a page were counted at the field that has the page size.
  if (isPage(parent)) return 1;
  if (parent.name === 'Query') return rootLists[field.name] ?? maxPage;
  return greatestItems(parent.name, field.name) ?? innerList;
}

const isPaged = ({ args }: AnyField) => args.some(({ name }) => name === 'first' || name === 'limit');

const isPage = (type: GraphQLCompositeType) =>
  isObjectType(type) && ('pageInfo' in type.getFields() || 'pagination' in type.getFields());

const pageSize = (asked: unknown) =>
  typeof asked === 'number' ? Math.min(Math.max(asked, 1), maxPage) : defaultPage;

/** An operation of a valid document, with its variables. */
export interface OperationToRun {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Record<string, unknown>;
}

/** Returns the highest possible cost of an operation, from the `complexity` of its fields. */
export function costOf(costed: OperationToRun): number {
  const { document, operation, variables } = costed;
  const known = knownCosts.get(operation) ?? { ...variablesOf(document, operation), costs: new Map() };
  knownCosts.set(operation, known);
  // Null may be invalid for its argument, which is rejected later.
  const nulls = known.declared.filter((name) => variables[name] === null);
  const key = JSON.stringify([nulls, known.deciding.map((name) => lengthOf(variables[name]))]);
  const cost = known.costs.get(key) ?? complexityOf(costed);
  if (known.costs.size < maxKnownCosts) known.costs.set(key, cost);
  return cost;
}

interface Variables {
  /** The variables that the document declares. Others are ignored, so that they cannot fill the memory. */
  declared: readonly string[];
  /** The variables that are page sizes, lists of ids or conditions of directives. */
  deciding: readonly string[];
}

/** Of a list of ids only the length affects the cost. A single id stands for a list of one, and may be long. */
const lengthOf = (value: unknown) =>
  Array.isArray(value) ? value.length : typeof value === 'string' ? 1 : value;

/** Costs of an operation by the values of the variables that affect them. */
const knownCosts = new WeakMap<OperationDefinitionNode, Variables & { costs: Map<string, number> }>();
/** All page sizes of a document with one of them. */
const maxKnownCosts = 128;

function variablesOf(
  document: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
): Variables {
  const names = new Set<string>();
  visit(document, {
    Argument({ name, value }) {
      if (value.kind === Kind.VARIABLE && ['first', 'last', 'limit', 'ids', 'if'].includes(name.value))
        names.add(value.name.value);
    },
  });
  const declared = variableDefinitions.map(({ variable }) => variable.name.value);
  return { declared, deciding: declared.filter((name) => names.has(name)) };
}

function complexityOf({ schema, document, operation, variables }: OperationToRun): number {
  const complexity = getComplexity({
    schema,
    query: document,
    variables,
    ...(operation.name && { operationName: operation.name.value }),
    // The library rejects at this maximum; larger documents are rejected earlier.
    maxQueryNodes: limits.nodes + 1,
    estimators: [fieldExtensionsEstimator(), estimator],
  });
  return Math.ceil(complexity);
}

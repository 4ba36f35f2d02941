import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  valueFromASTUntyped,
} from 'graphql';
import { operations } from '../contract.js';
import type { AnyOperation } from '../operations/operation.js';
import { rootSelections, selectedFields } from './root-fields.js';

/** Points of a search, in addition to those of its objects: its statement takes longer than that of a list. */
const searchCost = 300;
/** Points of `totalCount`, and of `facets`: each is a statement of its own. */
const countCost = 200;
const counts: readonly string[] = ['totalCount', 'facets'];

/** A root field whose statements have a price. */
interface PricedField {
  readonly operation: AnyOperation;
  readonly node: FieldNode;
  readonly countsSelected: number;
}

/** The number of searches that a document executes, and the points of its statements. */
export interface StatementCost {
  readonly searches: number;
  readonly cost: number;
}

/** Returns the searches of an operation, and the points of its statements (D321). A field is executed once for each alias. */
export function statementCostOf(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): StatementCost {
  const fields = known.get(operation) ?? pricedFields(document, operation);
  known.set(operation, fields);
  if (fields.length === 0) return nothing;
  const values = withDefaults(operation, variables);
  const searches = fields.filter((field) => field.operation.isSearch?.(inputOf(field, values))).length;
  const others = fields.map(
    (field) => (field.operation.statementCost ?? 0) + field.countsSelected * countCost,
  );
  return { searches, cost: others.reduce((sum, cost) => sum + cost, searches * searchCost) };
}

const nothing: StatementCost = { searches: 0, cost: 0 };
/** The priced fields of operations that were asked for before. An operation belongs to one document. */
const known = new WeakMap<OperationDefinitionNode, readonly PricedField[]>();

const priced: ReadonlyMap<string, AnyOperation> = new Map(
  operations.filter(([, { isSearch, statementCost }]) => isSearch || statementCost),
);

function pricedFields(document: DocumentNode, operation: OperationDefinitionNode): readonly PricedField[] {
  const selected = rootSelections(document, operation).filter(
    (selection) => selection.kind === Kind.FIELD && priced.has(selection.name.value),
  ) as FieldNode[];
  const byAlias = Map.groupBy(selected, ({ alias, name }) => (alias ?? name).value);
  // Fields of the same alias have the same arguments, and what they select is executed once.
  return [...byAlias.values()].map((same) => {
    const names = new Set(
      same.flatMap(({ selectionSet }) => (selectionSet ? selectedFields(document, selectionSet) : [])),
    );
    return {
      operation: priced.get(same[0]!.name.value)!,
      node: same[0]!,
      countsSelected: counts.filter((count) => names.has(count)).length,
    };
  });
}

/** Returns the arguments of a field as one object, in the form of the operation's input. */
function inputOf(
  { operation: { grouped }, node: { arguments: given = [] } }: PricedField,
  variables: Record<string, unknown>,
): Readonly<Record<string, unknown>> {
  const values = given.map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)] as const);
  return Object.fromEntries(
    values.flatMap(([name, value]) =>
      name === grouped?.argument ? Object.entries(value ?? {}) : [[name, value]],
    ),
  );
}

const withDefaults = (
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): Record<string, unknown> => ({
  ...Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  ),
  ...variables,
});

import {
  type DocumentNode,
  type FieldNode,
  type OperationDefinitionNode,
  valueFromASTUntyped,
} from 'graphql';
import { operations } from '../contract.js';
import type { AnyOperation } from '../operations/operation.js';
import { rootFields } from './root-fields.js';

/** Points of a search, in addition to those of its objects: its statement takes longer than that of a list. */
const searchCost = 300;
/** Points of `totalCount`, and of `facets`: each is a statement of its own. */
const countCost = 200;
const counts: readonly string[] = ['totalCount', 'facets'];

/** The number of searches that a document executes, and the points of its statements. */
export interface StatementCost {
  searches: number;
  cost: number;
}

const priced: ReadonlyMap<string, AnyOperation> = new Map(
  operations.filter(([, { isSearch, statementCost }]) => isSearch || statementCost),
);

/** Returns the searches of an operation, and the points of its statements (D321). */
export function statementCostOf(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): StatementCost {
  const sum: StatementCost = { searches: 0, cost: 0 };
  const fields = rootFields(document, operation).filter(({ name }) => priced.has(name));
  if (fields.length === 0) return sum;
  const values = withDefaults(operation, variables);
  for (const { name, node, selected } of fields) {
    const { isSearch, statementCost = 0, grouped } = priced.get(name)!;
    if (isSearch?.(inputOf(node, grouped?.argument, values))) sum.searches += 1;
    sum.cost += statementCost + counts.filter((count) => selected.has(count)).length * countCost;
  }
  return { ...sum, cost: sum.cost + sum.searches * searchCost };
}

/** Returns the arguments of a field as one object, in the form of the operation's input. */
function inputOf(
  { arguments: given = [] }: FieldNode,
  group: string | undefined,
  variables: Record<string, unknown>,
): Readonly<Record<string, unknown>> {
  const values = given.map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)] as const);
  return Object.fromEntries(
    values.flatMap(([name, value]) => (name === group ? Object.entries(value ?? {}) : [[name, value]])),
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

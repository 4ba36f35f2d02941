import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
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

/** A root field that searches if its text is not empty. */
interface Searching {
  /** Null: it has no such argument. */
  readonly text: ValueNode | null;
  /** The field of the argument that holds the text; null: the argument is the text. */
  readonly within: string | null;
  readonly countsSelected: number;
}

/** The number of searches that an operation executes, and the points of its statements. */
export interface SearchCost {
  readonly searches: number;
  readonly cost: number;
}

/** Returns the searches of an operation, and the points of their statements (D321). A field is executed once for each alias. */
export function searchesOf(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): SearchCost {
  const fields = known.get(operation) ?? searchingFields(document, operation);
  known.set(operation, fields);
  if (fields.length === 0) return nothing;
  const values = withDefaults(operation, variables);
  const searches = fields.filter((field) => hasText(field, values)).length;
  const countsSelected = fields.reduce((sum, field) => sum + field.countsSelected, 0);
  return { searches, cost: searches * searchCost + countsSelected * countCost };
}

const nothing: SearchCost = { searches: 0, cost: 0 };
/** The searching fields of operations that were asked for before. An operation belongs to one document. */
const known = new WeakMap<OperationDefinitionNode, readonly Searching[]>();

const searchable: ReadonlyMap<string, AnyOperation> = new Map(
  operations.filter(([, { searchedBy }]) => searchedBy !== undefined),
);

function searchingFields(document: DocumentNode, operation: OperationDefinitionNode): readonly Searching[] {
  const selected = rootSelections(document, operation).filter(
    (selection) => selection.kind === Kind.FIELD && searchable.has(selection.name.value),
  ) as FieldNode[];
  const byAlias = Map.groupBy(selected, ({ alias, name }) => (alias ?? name).value);
  // Fields of the same alias have the same arguments, and together select what one of them selects.
  return [...byAlias.values()].map((same) => {
    const { name, arguments: given = [] } = same[0]!;
    const { searchedBy = '', grouped } = searchable.get(name.value)!;
    const isGrouped = grouped !== undefined && searchedBy in grouped.fields.shape;
    const argument = isGrouped ? grouped.argument : searchedBy;
    const names = new Set(
      same.flatMap(({ selectionSet }) => (selectionSet ? selectedFields(document, selectionSet) : [])),
    );
    return {
      text: given.find((one) => one.name.value === argument)?.value ?? null,
      within: isGrouped ? searchedBy : null,
      countsSelected: counts.filter((count) => names.has(count)).length,
    };
  });
}

function hasText({ text, within }: Searching, variables: Record<string, unknown>): boolean {
  const value = text && valueFromASTUntyped(text, variables);
  const found = within === null ? value : (value as Record<string, unknown> | null | undefined)?.[within];
  return found !== null && found !== undefined && found !== '';
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

import {
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';

/** The root fields of operations that were asked for before. An operation belongs to one document. */
const known = new WeakMap<OperationDefinitionNode, readonly string[]>();

/** Returns the names of an operation's root fields, those in fragments included. */
export function rootFields(document: DocumentNode, operation: OperationDefinitionNode): readonly string[] {
  const fields = known.get(operation) ?? namesOf(rootSelections(document, operation));
  known.set(operation, fields);
  return fields;
}

const knownNames = new WeakMap<DocumentNode, ReadonlySet<string>>();

/** Returns the names of all fields of a document, at any depth. */
export function fieldNames(document: DocumentNode): ReadonlySet<string> {
  const known = knownNames.get(document);
  if (known) return known;
  const names = new Set<string>();
  visit(document, { Field: ({ name }) => void names.add(name.value) });
  knownNames.set(document, names);
  return names;
}

const namesOf = (selections: readonly SelectionNode[]): readonly string[] => [
  ...new Set(
    selections.flatMap((selection) => (selection.kind === Kind.FIELD ? [selection.name.value] : [])),
  ),
];

/** Counts how often an operation executes root fields of these names: a field is executed once for each alias. */
export function timesSelected(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  names: ReadonlySet<string>,
): number {
  const aliases = rootSelections(document, operation).flatMap((selection) =>
    selection.kind === Kind.FIELD && names.has(selection.name.value)
      ? [(selection.alias ?? selection.name).value]
      : [],
  );
  return new Set(aliases).size;
}

/** Returns true if `@skip` or `@include` decides whether a root field of an operation is selected. */
export const hasConditionalRoot = (document: DocumentNode, operation: OperationDefinitionNode): boolean =>
  rootSelections(document, operation).some(({ directives = [] }) =>
    directives.some(({ name }) => name.value === 'skip' || name.value === 'include'),
  );

/** Returns an operation's root fields, and the fragments that select them. */
export const rootSelections = (
  document: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
): readonly SelectionNode[] => selectionsIn(document, selectionSet);

/** Returns the names of the fields of a selection set, those in fragments included. */
export const selectedFields = (document: DocumentNode, selectionSet: SelectionSetNode): readonly string[] =>
  namesOf(selectionsIn(document, selectionSet));

/** Returns all selections of a selection set, and those of the fragments among them. Each fragment is visited once. */
function selectionsIn(document: DocumentNode, selectionSet: SelectionSetNode): readonly SelectionNode[] {
  const fragments = new Map(
    document.definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment.selectionSet]),
  );
  const found: SelectionNode[] = [];
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      found.push(selection);
      if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else if (selection.kind === Kind.FRAGMENT_SPREAD) collectFragment(selection.name.value);
    }
  };
  const collectFragment = (name: string): void => {
    const fragment = fragments.get(name);
    fragments.delete(name);
    if (fragment) collect(fragment);
  };
  collect(selectionSet);
  return found;
}

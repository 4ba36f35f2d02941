import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';

/** A field that an operation executes once: all root fields of one alias, which have the same name and arguments. */
export interface RootField {
  readonly name: string;
  readonly node: FieldNode;
  /** The names of the fields that are selected of its result. */
  readonly selected: ReadonlySet<string>;
}

/** The root fields of operations that were asked for before. An operation belongs to one document. */
const known = new WeakMap<OperationDefinitionNode, readonly RootField[]>();

/** Returns the root fields of an operation of a valid document, those in fragments included. */
export function rootFields(document: DocumentNode, operation: OperationDefinitionNode): readonly RootField[] {
  const found = known.get(operation) ?? executedFields(document, operation);
  known.set(operation, found);
  return found;
}

function executedFields(document: DocumentNode, operation: OperationDefinitionNode): readonly RootField[] {
  const fieldsIn = ({ selectionSet }: OperationDefinitionNode | FieldNode) =>
    selectionsIn(document, selectionSet).filter((selection) => selection.kind === Kind.FIELD);
  const byAlias = Map.groupBy(fieldsIn(operation), ({ alias, name }) => (alias ?? name).value);
  return [...byAlias.values()].map((nodes) => ({
    name: nodes[0]!.name.value,
    node: nodes[0]!,
    selected: new Set(nodes.flatMap(fieldsIn).map(({ name }) => name.value)),
  }));
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

/** Returns true if `@skip` or `@include` decides whether a root field of an operation is selected. */
export const hasConditionalRoot = (
  document: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
): boolean =>
  selectionsIn(document, selectionSet).some(({ directives = [] }) =>
    directives.some(({ name }) => name.value === 'skip' || name.value === 'include'),
  );

/** Returns all selections of a selection set, and those of the fragments among them. Each fragment is visited once. */
function selectionsIn(
  document: DocumentNode,
  selectionSet: SelectionSetNode | undefined,
): readonly SelectionNode[] {
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
  if (selectionSet) collect(selectionSet);
  return found;
}

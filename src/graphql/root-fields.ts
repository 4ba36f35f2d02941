import {
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** Returns the names of an operation's root fields, those in fragments included. */
export const rootFields = (document: DocumentNode, operation: OperationDefinitionNode): Set<string> =>
  new Set(
    rootSelections(document, operation).flatMap((selection) =>
      selection.kind === Kind.FIELD ? [selection.name.value] : [],
    ),
  );

/** Returns true if `@skip` or `@include` decides whether a root field of an operation is selected. */
export const hasConditionalRoot = (document: DocumentNode, operation: OperationDefinitionNode): boolean =>
  rootSelections(document, operation).some(({ directives = [] }) =>
    directives.some(({ name }) => name.value === 'skip' || name.value === 'include'),
  );

/** Returns an operation's root fields, and the fragments that select them. Each fragment is visited once. */
function rootSelections(
  document: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
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
  collect(selectionSet);
  return found;
}

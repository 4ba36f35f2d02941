import { type DocumentNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';

/** What an operation asks for at its root, each once, fragments included; each of them is looked at once, however often it is spread. */
export function rootFields(document: DocumentNode, { selectionSet }: OperationDefinitionNode): Set<string> {
  const fragments = new Map(
    document.definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment.selectionSet]),
  );
  const names = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) names.add(selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else collectFragment(selection.name.value);
    }
  };
  const collectFragment = (name: string): void => {
    const fragment = fragments.get(name);
    fragments.delete(name);
    if (fragment) collect(fragment);
  };
  collect(selectionSet);
  return names;
}

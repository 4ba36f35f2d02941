import type { ApolloServerPlugin } from '@apollo/server';
import { type DocumentNode, Kind, type SelectionSetNode } from 'graphql';
import type { Context } from '../context.js';
import { contract } from '../contract.js';
import { currentExchange } from '../http/exchange.js';

const maxFieldsNamed = 5;

/** Tells the log, the metrics and the limits what a document asks for: its root fields. It must stand first among the plugins. */
export const nameOperation: ApolloServerPlugin<Context> = {
  async requestDidStart() {
    return {
      async didResolveOperation({ document, operation }) {
        const exchange = currentExchange();
        if (!exchange || !operation) return;
        const fields = [...rootFields(document, operation.selectionSet)];
        exchange.isPublic = fields.every(isEverybodys);
        exchange.operation = fields.length === 1 ? nameOf(fields[0]!) : 'several';
        if (fields.length > 1) exchange.fields = listed(fields);
      },
    };
  },
};

const isOperation = (field: string): field is keyof typeof contract => Object.hasOwn(contract, field);

/** What is no operation of ours is the schema's own, such as `__typename`. */
const isEverybodys = (field: string) => !isOperation(field) || contract[field].policy.kind === 'anyone';

const nameOf = (field: string) => (isOperation(field) ? field : 'introspection');

const listed = (fields: readonly string[]) =>
  fields.length > maxFieldsNamed ? `${fields.slice(0, maxFieldsNamed).join(',')},…` : fields.join(',');

/** Each once, those in fragments included; a fragment is looked at once, however often it is spread. */
function rootFields(
  document: DocumentNode,
  { selections }: SelectionSetNode,
  names = new Set<string>(),
  seen = new Set<string>(),
): Set<string> {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) names.add(selection.name.value);
    else if (selection.kind === Kind.INLINE_FRAGMENT)
      rootFields(document, selection.selectionSet, names, seen);
    else if (!seen.has(selection.name.value)) {
      seen.add(selection.name.value);
      const fragment = fragmentOf(document, selection.name.value);
      if (fragment) rootFields(document, fragment.selectionSet, names, seen);
    }
  }
  return names;
}

const fragmentOf = (document: DocumentNode, name: string) =>
  document.definitions.find(
    (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
  ) as { selectionSet: SelectionSetNode } | undefined;

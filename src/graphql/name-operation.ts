import type { ApolloServerPlugin } from '@apollo/server';
import { Kind, type OperationDefinitionNode } from 'graphql';
import type { Context } from '../context.js';
import { contract } from '../contract.js';
import { currentExchange } from '../http/exchange.js';

const maxFieldsNamed = 5;

/** Tells the log and the metrics what a document asks for: its root fields. It must stand first among the plugins. */
export const nameOperation: ApolloServerPlugin<Context> = {
  async requestDidStart() {
    return {
      async didResolveOperation({ operation }) {
        const exchange = currentExchange();
        if (!exchange || !operation) return;
        const fields = rootFields(operation);
        exchange.operation = fields.length === 1 ? nameOf(fields[0]!) : 'several';
        if (fields.length > 1) exchange.fields = listed(fields);
      },
    };
  },
};

/** Whether all that a document asks for is everybody's; fragments at its root are looked at by nobody who is honest. */
export const isPublic = (operation: OperationDefinitionNode): boolean =>
  rootFields(operation).every((field) => !(field in contract) || policyOf(field) === 'anyone');

const policyOf = (field: string) => contract[field as keyof typeof contract].policy.kind;

/** Root fields by name, each once; what a fragment holds counts as one of its own. */
function rootFields({ selectionSet }: OperationDefinitionNode): string[] {
  const names = selectionSet.selections.map((selection) =>
    selection.kind === Kind.FIELD ? selection.name.value : 'fragment',
  );
  return [...new Set(names)];
}

const nameOf = (field: string) =>
  field in contract ? field : field.startsWith('__') ? 'introspection' : 'several';

const listed = (fields: readonly string[]) =>
  fields.length > maxFieldsNamed ? `${fields.slice(0, maxFieldsNamed).join(',')},…` : fields.join(',');

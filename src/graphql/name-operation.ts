import type { ApolloServerPlugin } from '@apollo/server';
import { contract } from '../contract.js';
import type { Context } from '../operations/context.js';
import { currentExchange } from '../server/request-context.js';
import { rootFields } from './root-fields.js';

const maxFieldsNamed = 5;

/** Tells the log, the metrics and the limits what a document asks for: its root fields. It must stand first among the plugins. */
export const nameOperation: ApolloServerPlugin<Context> = {
  async requestDidStart() {
    return {
      async didResolveOperation({ document, operation }) {
        const exchange = currentExchange();
        if (!exchange || !operation) return;
        const fields = [...rootFields(document, operation)];
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

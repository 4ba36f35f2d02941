import { GraphQLError, type ValidationRule } from 'graphql';

/** Refuses a kind of operation that the schema does not have, which GraphQL itself notices only when it runs. */
export const knownOperationTypes: ValidationRule = (context) => ({
  OperationDefinition(node) {
    if (context.getSchema().getRootType(node.operation)) return;
    context.reportError(new GraphQLError(`There is no ${node.operation} in this schema.`, { nodes: node }));
  },
});

import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError, getVariableValues } from 'graphql';
import type { Context } from '../context.js';
import { errorStatus, ServiceError } from '../errors.js';
import { costOf } from './cost.js';
import { refusal } from './limits.js';

/** Takes what an operation costs from what its caller may spend; refuses by a ServiceError. */
export type Charge = (context: Context, cost: number) => Promise<void>;

/** Between validation and execution: what does it cost, and may the caller spend that? */
export const admission = (charge?: Charge): ApolloServerPlugin<Context> => ({
  async requestDidStart() {
    return {
      async didResolveOperation({ schema, document, operation, request, contextValue }) {
        if (!operation) return;
        const variables = request.variables ?? {};
        // Execution tells all that is wrong with the variables, and runs nothing then.
        if (getVariableValues(schema, operation.variableDefinitions ?? [], variables).errors) return;
        try {
          await charge?.(contextValue, costOf({ schema, document, operation, variables }));
        } catch (error) {
          throw asRefusal(error);
        }
      },
    };
  },
});

function asRefusal(error: unknown): unknown {
  if (error instanceof ServiceError) return refusal(error);
  if (!(error instanceof GraphQLError)) return error;
  // An argument that is wrong by its variable, such as null where a value is needed.
  return new GraphQLError(error.message, {
    ...(error.nodes && { nodes: error.nodes }),
    extensions: { http: { status: errorStatus.VALIDATION_FAILED } },
  });
}

import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError } from 'graphql';
import { errorStatus, ServiceError } from '../errors.js';
import type { Context } from '../operations/context.js';
import { costOf } from './cost.js';
import type { ChargeParsing } from './document-gate.js';
import { exceeded, limits, refusal } from './limits.js';
import { variablesProblem } from './variables.js';

/** Takes what an operation costs from what its caller may spend; refuses by a ServiceError. */
export type Charge = (context: Context, cost: number) => Promise<void>;

interface AdmissionOptions {
  hidesSchema: boolean;
  charge: Charge;
  chargeParsing: ChargeParsing;
}

/** Between validation and execution: checks the variables, prices the operation and charges its caller. */
export const admission = ({
  hidesSchema,
  charge,
  chargeParsing,
}: AdmissionOptions): ApolloServerPlugin<Context> => ({
  async requestDidStart() {
    return {
      async didResolveOperation({ schema, document, operation, request, contextValue }) {
        if (!operation) return;
        const variables = request.variables ?? {};
        try {
          const problem = variablesProblem({ schema, operation, variables, hidesSchema });
          if (problem) throw problem;
          const cost = costOf({ schema, document, operation, variables });
          if (cost <= limits.cost) return await charge(contextValue, cost);
          // Finding out took time; who asked is not looked up for it.
          await chargeParsing(limits.cost);
          throw exceeded('cost', cost);
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

import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Context } from '../context.js';

type Gateway = ApolloServerOptionsWithGateway<Context>['gateway'];
type Executor = NonNullable<Awaited<ReturnType<Gateway['load']>>['executor']>;

/** Compiling takes some milliseconds: only what is asked for again and again is worth them. */
const compileAfter = 3;

/** What is known of one document: how often it was asked for, and each of its operations once compiled. */
interface Knowledge {
  asked: number;
  compiled: Map<string | null, CompiledQuery | null>;
}

/** Runs documents that come often as compiled functions, all others by graphql-js; what is compiled lives as long as its document is kept. */
function compilingExecutor(schema: GraphQLSchema): Executor {
  const known = new WeakMap<DocumentNode, Knowledge>();
  return async ({ document, operation, operationName, request, context }) => {
    const variables = request.variables ?? {};
    const compiled = operation ? compiledForm(schema, known, document, operationName) : null;
    if (compiled) {
      const result: ExecutionResult = await compiled.query(undefined, context, variables);
      // Without data nothing has run: the variables were refused, and graphql-js says that better.
      if (result.data !== undefined) return withErrorsOfGraphQL(result);
    }
    const args: ExecutionArgs = { schema, document, contextValue: context, variableValues: variables };
    return execute({ ...args, operationName: request.operationName ?? null });
  };
}

function compiledForm(
  schema: GraphQLSchema,
  known: WeakMap<DocumentNode, Knowledge>,
  document: DocumentNode,
  operationName: string | null,
): CompiledQuery | null {
  const knowledge = known.get(document) ?? { asked: 0, compiled: new Map() };
  known.set(document, knowledge);
  knowledge.asked += 1;
  if (knowledge.asked < compileAfter) return null;
  let compiled = knowledge.compiled.get(operationName);
  if (compiled === undefined) {
    const result = compileQuery(schema, document, operationName ?? undefined);
    compiled = isCompiledQuery(result) ? result : null;
    knowledge.compiled.set(operationName, compiled);
  }
  return compiled;
}

/** The compiler has errors of its own, without the extensions that Apollo counts on. */
const withErrorsOfGraphQL = (result: ExecutionResult): ExecutionResult =>
  result.errors
    ? {
        ...result,
        errors: result.errors.map(({ message, path, locations, originalError }) =>
          Object.assign(
            new GraphQLError(message, { path: path ?? null, originalError: originalError ?? null }),
            locations && { locations },
          ),
        ),
      }
    : result;

/** The schema and its executor, as Apollo takes another than graphql-js's. */
export const compilingGateway = (schema: GraphQLSchema): Gateway => ({
  load: async () => ({ executor: compilingExecutor(schema) }),
  onSchemaLoadOrUpdate(callback) {
    callback({ apiSchema: schema, coreSupergraphSdl: '' });
    return () => undefined;
  },
  stop: async () => undefined,
});

import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  visit,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.js';

type Gateway = ApolloServerOptionsWithGateway<Context>['gateway'];
type Executor = NonNullable<Awaited<ReturnType<Gateway['load']>>['executor']>;

/** Compiling takes some milliseconds: only what is asked for again and again is worth them. */
const compileAfter = 3;
/** What is compiled takes twice the room of what is parsed, and fragments are written out in it: only this many, and none that grows. */
const maxCompiled = 200;
const maxCharacters = 4_000;
const maxSpreads = 10;

/** What is known of one document: how often it was asked for, and each of its operations once compiled. */
interface Knowledge {
  asked: number;
  compiled: Map<string | null, CompiledQuery | null>;
}

/** Runs documents that come often as compiled functions, all others by graphql-js. */
function compilingExecutor(schema: GraphQLSchema): Executor {
  const known = new LRUCache<DocumentNode, Knowledge>({ max: maxCompiled });
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
  known: LRUCache<DocumentNode, Knowledge>,
  document: DocumentNode,
  operationName: string | null,
): CompiledQuery | null {
  const knowledge = known.get(document) ?? { asked: 0, compiled: new Map() };
  known.set(document, knowledge);
  knowledge.asked += 1;
  if (knowledge.asked < compileAfter) return null;
  let compiled = knowledge.compiled.get(operationName);
  if (compiled === undefined) {
    const result = staysSmall(document) && compileQuery(schema, document, operationName ?? undefined);
    compiled = result && isCompiledQuery(result) ? result : null;
    knowledge.compiled.set(operationName, compiled);
  }
  return compiled;
}

function staysSmall(document: DocumentNode): boolean {
  let spreads = 0;
  visit(document, {
    FragmentSpread() {
      spreads += 1;
    },
  });
  return spreads <= maxSpreads && (document.loc?.end ?? Infinity) <= maxCharacters;
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

import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import type { Context } from '../operations/context.js';

type Gateway = ApolloServerOptionsWithGateway<Context>['gateway'];
type Executor = NonNullable<Awaited<ReturnType<Gateway['load']>>['executor']>;

/** Compiling takes some milliseconds: only documents that are sent again and again are worth them. */
const compileAfter = 3;
/** Compiled documents take twice the room of parsed ones, and fragments are expanded in them: few, and none that grows. */
const maxCompiled = 200;
const maxCharacters = 4_000;
const maxSpreads = 10;

/** One document: how often it was sent, and each of its operations once compiled; null where one is not compiled. */
interface Entry {
  sent: number;
  compiled: Map<string | null, CompiledQuery | null>;
}

/**
 * Runs queries that are sent often as compiled functions, everything else by graphql-js. A compiled result counts only if
 * it is without errors: otherwise graphql-js runs the query again and its result is sent, so that errors are always its.
 */
function compilingExecutor(schema: GraphQLSchema): Executor {
  const entries = new LRUCache<DocumentNode, Entry>({ max: maxCompiled });
  return async ({ document, operation, operationName, request, context }) => {
    const variables = request.variables ?? {};
    const compiled = operation && compiledForm(schema, entries, document, operation, operationName);
    if (compiled) {
      const result: ExecutionResult = await compiled.query(undefined, context, variables);
      if (!result.errors?.length) return result;
    }
    const args: ExecutionArgs = { schema, document, contextValue: context, variableValues: variables };
    return execute({ ...args, operationName: request.operationName ?? null });
  };
}

function compiledForm(
  schema: GraphQLSchema,
  entries: LRUCache<DocumentNode, Entry>,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  operationName: string | null,
): CompiledQuery | null {
  const entry = entries.get(document) ?? { sent: 0, compiled: new Map() };
  entries.set(document, entry);
  entry.sent += 1;
  if (entry.sent < compileAfter) return null;
  let compiled = entry.compiled.get(operationName);
  if (compiled === undefined) {
    const result =
      canCompile(document, operation) && compileQuery(schema, document, operationName ?? undefined);
    compiled = result && isCompiledQuery(result) ? result : null;
    entry.compiled.set(operationName, compiled);
  }
  return compiled;
}

/**
 * Whether the compiler does with a document what graphql-js does, as far as a property test could tell: queries, since
 * they can be run again; no directives, of which it overlooks some; no `__proto__`, which it takes for the prototype.
 */
function canCompile(document: DocumentNode, { operation }: OperationDefinitionNode): boolean {
  let isSafe = operation === 'query' && (document.loc?.end ?? Infinity) <= maxCharacters;
  let spreads = 0;
  visit(document, {
    Directive() {
      isSafe = false;
    },
    Name({ value }) {
      if (value === '__proto__') isSafe = false;
    },
    FragmentSpread() {
      spreads += 1;
    },
  });
  return isSafe && spreads <= maxSpreads;
}

/** The schema and its executor, as Apollo takes another than graphql-js's. */
export const compilingGateway = (schema: GraphQLSchema): Gateway => ({
  load: async () => ({ executor: compilingExecutor(schema) }),
  onSchemaLoadOrUpdate(callback) {
    callback({ apiSchema: schema, coreSupergraphSdl: '' });
    return () => undefined;
  },
  stop: async () => undefined,
});

import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import type { Context } from '../operations/context.js';

type ApolloGateway = ApolloServerOptionsWithGateway<Context>['gateway'];
type Executor = NonNullable<Awaited<ReturnType<ApolloGateway['load']>>['executor']>;

/** Executes an operation of a validated document. */
export type RunOperation = (
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
  context: Context,
) => Promise<ExecutionResult>;

/** Compiling takes some milliseconds, so only documents that are sent repeatedly are compiled. */
const compileAfter = 3;
/** Compiled documents take twice the memory of parsed ones, and their fragments are expanded. */
const maxCompiled = 200;
const maxCharacters = 4_000;
const maxSpreads = 10;

/** A document: how often it was sent, and its compiled operations by name; null for one that cannot be compiled. */
interface Entry {
  sent: number;
  compiled: Map<string | null, CompiledQuery | null>;
}

/**
 * Runs frequent queries as compiled functions, and everything else by graphql-js. A compiled result with errors is
 * discarded and graphql-js runs the query again, so that all errors are those of graphql-js.
 */
export function compilingExecutor(schema: GraphQLSchema): RunOperation {
  const entries = new LRUCache<DocumentNode, Entry>({ max: maxCompiled });
  return async (document, operation, variables, context) => {
    const operationName = operation.name?.value ?? null;
    const compiled = compiledForm(schema, entries, document, operation, operationName);
    if (compiled) {
      const result: ExecutionResult = await compiled.query(undefined, context, variables);
      if (!result.errors?.length) return result;
    }
    return execute({ schema, document, operationName, contextValue: context, variableValues: variables });
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
 * Returns whether the compiler treats a document as graphql-js does; a property test compares them. Queries only, since
 * they can be run again; no directives, some of which it ignores; no `__proto__`, which it takes for the prototype.
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

/** Returns the outcome of an operation that was run before Apollo, or runs it. */
const executorOf =
  (schema: GraphQLSchema, run: RunOperation): Executor =>
  async ({ document, operation, request, context }) => {
    const { outcome } = context as Context;
    if (outcome && 'failure' in outcome) throw outcome.failure;
    if (outcome && 'result' in outcome) return outcome.result;
    const variables = request.variables ?? {};
    if (operation) return run(document, operation, variables, context as Context);
    // A document without such an operation: graphql-js returns the error.
    const operationName = request.operationName ?? null;
    return execute({ schema, document, operationName, contextValue: context, variableValues: variables });
  };

/** The form in which Apollo accepts an executor other than graphql-js: a gateway of Apollo Federation. */
export const compilingGateway = (schema: GraphQLSchema, run: RunOperation): ApolloGateway => ({
  load: async () => ({ executor: executorOf(schema, run) }),
  onSchemaLoadOrUpdate(callback) {
    callback({ apiSchema: schema, coreSupergraphSdl: '' });
    return () => undefined;
  },
  stop: async () => undefined,
});

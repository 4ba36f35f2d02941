import { type ApolloServerPlugin, HeaderMap } from '@apollo/server';
import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import type { Context } from '../operations/context.js';

/** Compiling takes some milliseconds, so only documents that are sent repeatedly are compiled. */
const compileAfter = 3;
/** Compiled documents take more memory than parsed ones, because their fragments are expanded. */
const maxCompiled = 200;
const maxCharacters = 4_000;
const maxSpreads = 10;

/** A document: how often it was sent, and its compiled operations by name; null for one that cannot be compiled. */
interface Entry {
  sent: number;
  compiled: Map<string | null, CompiledQuery | null>;
}

/**
 * Runs frequent queries as compiled functions. Everything else is left to Apollo, and so is a query whose compiled form
 * returns errors: Apollo runs it again, so that all errors are those of graphql-js.
 */
export function compiledQueries(schema: GraphQLSchema): ApolloServerPlugin<Context> {
  const entries = new LRUCache<DocumentNode, Entry>({ max: maxCompiled });
  return {
    async requestDidStart() {
      return {
        async responseForOperation({ document, operation, request, contextValue }) {
          // Apollo also asks for a document without the operation that the request names, although its types do not say so.
          const compiled = operation && compiledForm(schema, entries, document, operation);
          if (!compiled) return null;
          const result: ExecutionResult = await compiled.query(
            undefined,
            contextValue,
            request.variables ?? {},
          );
          if (result.errors?.length) return null;
          return {
            http: { headers: new HeaderMap() },
            body: { kind: 'single', singleResult: { data: result.data ?? null } },
          };
        },
      };
    },
  };
}

function compiledForm(
  schema: GraphQLSchema,
  entries: LRUCache<DocumentNode, Entry>,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): CompiledQuery | null {
  const operationName = operation.name?.value ?? null;
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

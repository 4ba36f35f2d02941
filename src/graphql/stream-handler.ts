import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  subscribe,
  validate,
} from 'graphql';
import { ServiceError, toServiceError } from '../errors.js';
import type { Context } from '../operations/context.js';
import type { EventStream } from '../operations/event-stream.js';
import type { StreamHub } from '../operations/stream-hub.js';
import type { HttpResponse } from '../server/http-response.js';
import type { RequestContext } from '../server/request-context.js';
import { respondWithEvents } from '../server/respond.js';
import { traced } from '../tracing/tracing.js';
import { type AdmissionOptions, admitOperation } from './admission.js';
import { type DocumentStore, hashOf } from './document-cache.js';
import type { DocumentGate } from './document-gate.js';
import { formatError } from './format-error.js';
import { maxValidationErrors } from './limits.js';
import { type GraphQLParameters, parametersOf } from './parameters.js';

interface StreamHandlerOptions extends AdmissionOptions {
  schema: GraphQLSchema;
  contextOf: (request: RequestContext, stream: EventStream) => Context;
  streams: StreamHub;
  documents: DocumentStore;
  gate: DocumentGate;
}

const allow = 'GET, POST, OPTIONS';
/** As much as a query string can have. A stream holds its request, and the parsed document, which is many times as large. */
const maxBodyBytes = 8 * 1024;
const eventStream = 'text/event-stream';
const headers = {
  'content-type': `${eventStream}; charset=utf-8`,
  'cache-control': 'no-store',
  // Otherwise nginx would hold events back until its buffer is full.
  'x-accel-buffering': 'no',
};

/** Serves subscriptions as server-sent events, in the protocol of graphql-sse with one connection for each (D142). */
export class StreamHandler {
  private readonly format: ReturnType<typeof formatError>;

  constructor(private readonly options: StreamHandlerOptions) {
    this.format = formatError(options.schema, options);
  }

  /** Returns the response to OPTIONS; rejects methods that a document cannot be sent by. */
  checkMethod({ request: { method, headers: sent }, responseHeaders }: RequestContext): HttpResponse | null {
    if (method === 'GET' || method === 'POST') return this.checkAccept(sent.accept);
    responseHeaders.allow = allow;
    if (method === 'OPTIONS') return { status: 204, headers: { 'cache-control': 'no-store' } };
    throw new ServiceError('METHOD_NOT_ALLOWED', `${method} is not possible here. Use one of: ${allow}.`);
  }

  async handle(context: RequestContext, bytes: Buffer | undefined, url: string): Promise<void> {
    const { request, response } = context;
    if (bytes && bytes.length > maxBodyBytes) throw tooLarge();
    const parameters = parametersOf(request, bytes, url);
    await this.options.gate.admit(parameters.query, bytes?.length ?? url.length);
    const stream = this.options.streams.open({
      address: context.address,
      isResumed: request.headers['last-event-id'] !== undefined,
      // Resets the connection, because what is buffered would otherwise be sent first.
      disconnect: () => void response.socket?.resetAndDestroy(),
    });
    response.once('close', () => stream.close());
    context.deadlineAt = Infinity;
    try {
      const subscription = await traced('GraphQL Operation', async () => ({
        results: await this.subscribe(parameters, this.options.contextOf(context, stream)),
        inSpan: AsyncLocalStorage.snapshot(),
      }));
      if (response.destroyed) return;
      await respondWithEvents(context, headers, this.eventsOf(subscription, stream), (isPaused) =>
        stream.setPaused(isPaused),
      );
    } finally {
      stream.close();
    }
  }

  private checkAccept(accept = '*/*'): null {
    if (accept.includes(eventStream) || accept.includes('*/*')) return null;
    throw new ServiceError('VALIDATION_FAILED', `This path sends events. Send "Accept: ${eventStream}".`);
  }

  /** Returns the results of a subscription. Whatever is wrong with it is a result, too. */
  private async subscribe(
    { query, variables = {}, operationName }: GraphQLParameters,
    contextValue: Context,
  ): Promise<Results> {
    const { schema } = this.options;
    try {
      const { document, errors } = await this.validated(query);
      if (errors.length > 0) return { errors };
      const operation = getOperationAST(document, operationName);
      if (!operation) throw unknownOperation(operationName);
      if (operation.operation !== 'subscription') throw subscriptionsOnly();
      await admitOperation({ schema, document, operation, variables }, contextValue, this.options);
      const args = { schema, document, operationName, variableValues: variables, contextValue };
      const results = await subscribe(args);
      if ('errors' in results)
        for (const { originalError } of results.errors ?? []) rethrowUnavailable(originalError);
      return results;
    } catch (error) {
      return resultOf(error);
    }
  }

  private async validated(
    text: string,
  ): Promise<{ document: DocumentNode; errors: readonly GraphQLError[] }> {
    const { documents, schema, hidesSchema } = this.options;
    const known = await documents.get(hashOf(text));
    if (known) return { document: known, errors: [] };
    const document = parse(text);
    const rules = hidesSchema ? [...specifiedRules, NoSchemaIntrospectionCustomRule] : specifiedRules;
    const options = { maxErrors: maxValidationErrors, hideSuggestions: hidesSchema };
    const errors = validate(schema, document, rules, options);
    if (errors.length === 0) await documents.set(hashOf(text), document);
    return { document, errors };
  }

  /** Writes results as events, until there are no more or the stream is closed. An error between two is the last result. */
  private async *eventsOf({ results, inSpan }: Subscription, stream: EventStream): AsyncGenerator<string> {
    if (!(Symbol.asyncIterator in results)) yield this.eventOf(results, stream);
    else
      try {
        for (;;) {
          const next = await stream.untilClosed(inSpan(() => results.next()));
          if (next === null) return;
          if (next.done) break;
          yield this.eventOf(next.value, stream);
        }
      } catch (error) {
        yield this.eventOf(resultOf(error), stream);
      } finally {
        await results.return(undefined);
      }
    yield 'event: complete\ndata:\n\n';
  }

  /** Formats the errors as Apollo does, and adds the id of the event, which clients of graphql-sse do not see otherwise. */
  private eventOf({ errors, data }: ExecutionResult, { eventId }: EventStream): string {
    const formatted = errors?.map((error): GraphQLFormattedError => this.format(error.toJSON(), error));
    const result = {
      ...(formatted && { errors: formatted }),
      ...(data && { data }),
      ...(eventId && { extensions: { eventId } }),
    };
    return `id: ${eventId}\nevent: next\ndata: ${JSON.stringify(result)}\n\n`;
  }
}

type Results = AsyncGenerator<ExecutionResult> | ExecutionResult;

interface Subscription {
  results: Results;
  /** Runs a function in the span of the subscription, to which the spans of its events link. */
  inSpan: <T>(work: () => T) => T;
}

const subscriptionsOnly = () =>
  new ServiceError('VALIDATION_FAILED', 'Only subscriptions are served here. Send all others to /graphql.');

const tooLarge = () =>
  new ServiceError(
    'PAYLOAD_TOO_LARGE',
    'A request for an event stream can have 8 KiB, because it is held while the stream is open. Select fewer fields, or read them with a query after each event.',
  );

/** Has the messages of Apollo. */
const unknownOperation = (name: string | null | undefined) =>
  new GraphQLError(
    name
      ? `Unknown operation named "${name}".`
      : 'Must provide operation name if query contains multiple operations.',
  );

/** Returns an error as a result; one because of the database is thrown. */
function resultOf(error: unknown): ExecutionResult {
  rethrowUnavailable(error);
  if (error instanceof GraphQLError) return { errors: [error] };
  const originalError = error instanceof Error ? error : new Error(String(error));
  return { errors: [new GraphQLError('', { originalError })] };
}

/** While the database is unreachable, streams end without a message: clients reconnect, which they do not after `complete`. */
function rethrowUnavailable(error: unknown): void {
  if (error && toServiceError(error).code === 'UNAVAILABLE') throw error;
}

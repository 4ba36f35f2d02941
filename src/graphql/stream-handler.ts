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
import { createHandler, type Handler, type RequestParams } from 'graphql-sse';
import { ServiceError, toServiceError } from '../errors.js';
import type { Context } from '../operations/context.js';
import type { EventStream } from '../operations/event-stream.js';
import type { StreamHub } from '../operations/stream-hub.js';
import type { HttpResponse } from '../server/http-response.js';
import type { RequestContext } from '../server/request-context.js';
import { respondInPieces } from '../server/respond.js';
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
  private readonly serve: Handler<null, Context>;

  constructor(private readonly options: StreamHandlerOptions) {
    this.serve = createHandler<null, Context, never>({
      // A token would allow several subscriptions on one connection, which are not bounded one by one.
      authenticate: () => null,
      context: (request) => request.context as never,
      onSubscribe: (request, params) => this.prepare(request.context, params) as Promise<never>,
      // Documents were validated by `prepare`.
      validate: () => [],
      subscribe: async (args) => endingWithErrors(await subscribe(args)),
      onNext: (context, _request, result) => this.message(context, result as ExecutionResult) as never,
    });
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
      const pieces = await traced('GraphQL Operation', () =>
        this.piecesOf(parameters, this.options.contextOf(context, stream)),
      );
      if (response.destroyed) return;
      await respondInPieces(context, { status: 200, headers }, withIds(pieces, stream), (isPaused) =>
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

  /** Returns the messages of a subscription. Whatever is wrong with it is reported in a message, too. */
  private async piecesOf(body: GraphQLParameters, context: Context): Promise<AsyncGenerator<string>> {
    const [pieces] = await this.serve({
      method: 'POST',
      url: '/graphql/stream',
      headers: new Headers({ accept: eventStream, 'content-type': 'application/json' }),
      body: { ...body },
      raw: null,
      context,
    });
    if (pieces === null || typeof pieces === 'string') throw new Error(`no stream: ${pieces}`);
    return pieces;
  }

  private async prepare(contextValue: Context, { query, variables = {}, operationName }: RequestParams) {
    const { schema } = this.options;
    try {
      const { document, errors } = await this.validated(query);
      if (errors.length > 0) return { data: null, errors };
      const operation = getOperationAST(document, operationName);
      if (!operation) throw unknownOperation(operationName);
      if (operation.operation !== 'subscription') throw subscriptionsOnly();
      await admitOperation({ schema, document, operation, variables }, contextValue, this.options);
      return { schema, document, operationName, variableValues: variables, contextValue };
    } catch (error) {
      rethrowUnavailable(error);
      return { data: null, errors: [asGraphQLError(error)] };
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

  /** Formats the errors as Apollo does, and adds the id of the event, which clients of graphql-sse do not see otherwise. */
  private message({ stream }: Context, { errors, data }: ExecutionResult): object {
    const format = formatError(this.options.schema, this.options);
    const formatted = errors?.map((error): GraphQLFormattedError => format(error.toJSON(), error));
    const eventId = stream?.eventId;
    return {
      ...(formatted && { errors: formatted }),
      ...(data && { data }),
      ...(eventId && { extensions: { eventId } }),
    };
  }
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

const asGraphQLError = (error: unknown): GraphQLError =>
  error instanceof GraphQLError
    ? error
    : new GraphQLError('', { originalError: error instanceof Error ? error : new Error(String(error)) });

type Results = AsyncIterable<ExecutionResult> | ExecutionResult;

/** An error between two events, such as a revoked key, is the last result. */
function endingWithErrors(results: Results): Results {
  if (Symbol.asyncIterator in results) return untilError(results);
  for (const { originalError } of results.errors ?? []) rethrowUnavailable(originalError);
  return results;
}

async function* untilError(results: AsyncIterable<ExecutionResult>): AsyncGenerator<ExecutionResult> {
  try {
    yield* results;
  } catch (error) {
    rethrowUnavailable(error);
    yield { errors: [asGraphQLError(error)] };
  }
}

/** While the database is unreachable, streams end without a message: clients reconnect, which they do not after `complete`. */
function rethrowUnavailable(error: unknown): void {
  if (error && toServiceError(error).code === 'UNAVAILABLE') throw error;
}

/** Adds its id to each event, and ends when the stream is closed. */
async function* withIds(pieces: AsyncGenerator<string>, stream: EventStream): AsyncGenerator<string> {
  try {
    for (;;) {
      const piece = await stream.untilClosed(pieces.next());
      if (!piece || piece.done) return;
      yield piece.value.startsWith('event: next') ? `id: ${stream.eventId}\n${piece.value}` : piece.value;
    }
  } finally {
    await pieces.return(undefined);
  }
}

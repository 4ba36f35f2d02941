import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { type Request, Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { ResponseCache } from '../cache/response-cache.js';
import type { Config } from '../config.js';
import type { RateLimits } from '../limits/rate-limits.js';
import type { Context } from '../operations/context.js';
import type { EventStream } from '../operations/event-stream.js';
import type { StreamHub } from '../operations/stream-hub.js';
import { readBody } from '../server/body.js';
import type { RequestGuard } from '../server/cross-site.js';
import { responding } from '../server/express-app.js';
import type { HttpResponse } from '../server/http-response.js';
import { currentRequest, type RequestContext } from '../server/request-context.js';
import { respond } from '../server/respond.js';
import { admission } from './admission.js';
import { DocumentStore, registeredTexts } from './document-cache.js';
import { type ChargeParsing, DocumentGate } from './document-gate.js';
import { compilingExecutor, compilingGateway, type RunOperation } from './executor.js';
import { formatError } from './format-error.js';
import { GraphQLHandler } from './handler.js';
import { KnownDocuments } from './known-documents.js';
import { maxValidationErrors } from './limits.js';
import { Safelist } from './safelist.js';
import { StreamHandler } from './stream-handler.js';

interface GraphQLOptions {
  schema: GraphQLSchema;
  config: Pick<Config, 'introspection' | 'playground' | 'graphqlSafelist'>;
  contextOf: (request: RequestContext, stream?: EventStream) => Context;
  log: Logger;
  responses: ResponseCache;
  limits: RateLimits;
  rejectCrossSite: RequestGuard;
  streams: StreamHub;
}

/** Creates Apollo Server and the handler around it. The handler is mounted at `/graphql` by the router, and used by the fast path. */
export function createGraphQL(options: GraphQLOptions): {
  handler: GraphQLHandler;
  router: Router;
  close(): Promise<void>;
} {
  const { config, limits } = options;
  const safelist = config.graphqlSafelist === null ? null : Safelist.read(config.graphqlSafelist);
  const documents = new DocumentStore();
  const chargeParsing = (points: number) => limits.chargeAddress(currentRequest(), 'graphql', points);
  const run = compilingExecutor(options.schema);
  const apollo = createApollo(options, safelist, documents, chargeParsing, run);
  const gate = new DocumentGate(documents, chargeParsing);
  const hidesSchema = !config.introspection;
  const known = new KnownDocuments(documents);
  const handler = new GraphQLHandler({
    ...options,
    apollo,
    safelist,
    gate,
    known,
    run,
    admission: { hidesSchema, chargeParsing },
  });
  const streams = new StreamHandler({ ...options, safelist, gate, documents, hidesSchema, chargeParsing });
  const router = Router().use(streamRouter(handler, streams), graphqlRouter(handler, config));
  return { handler, router, close: () => apollo.stop() };
}

function streamRouter(handler: GraphQLHandler, streams: StreamHandler): Router {
  const router = Router();
  const path = '/graphql/stream';
  router.use(path, async (_request, _response, next) => {
    const context = currentRequest();
    await handler.admit(context);
    const response = streams.checkMethod(context);
    if (response) respond(context, response);
    else next();
  });
  router.use(path, readBody, ({ body, originalUrl }) => streams.handle(currentRequest(), body, originalUrl));
  return router;
}

function graphqlRouter(handler: GraphQLHandler, { playground }: Pick<Config, 'playground'>): Router {
  const router = Router();
  router.use('/graphql', async (_request, _response, next) => {
    await handler.admit(currentRequest());
    next();
  });
  router.get('/graphql', (request, response, next) => {
    const { query, extensions } = request.query;
    if (!playground || query || extensions || !prefersHtml(request)) return next();
    return responding(() => toPlayground)(request, response, next);
  });
  router.use('/graphql', (_request, _response, next) => {
    const context = currentRequest();
    const response = handler.checkMethod(context);
    if (response) respond(context, response);
    else next();
  });
  router.use(
    '/graphql',
    readBody,
    responding(({ body, originalUrl }) => handler.handle(currentRequest(), body, originalUrl)),
  );
  return router;
}

/** A person who opens `/graphql` in a browser is sent to the playground. */
const prefersHtml = (request: Request) => request.accepts(['json', 'html']) === 'html';
const toPlayground: HttpResponse = {
  status: 302,
  headers: { location: 'playground', vary: 'Accept', 'content-type': 'text/plain; charset=utf-8' },
  body: 'Found. Redirecting to playground',
};

type ExecuteRequest = ApolloServer<Context>['executeHTTPGraphQLRequest'];

/**
 * Starts with the first document that it executes. It prints, hashes and validates the whole schema then, for which no
 * other request has to wait (D303).
 */
class LazyApolloServer extends ApolloServer<Context> {
  private started: Promise<void> | null = null;

  override async executeHTTPGraphQLRequest(...input: Parameters<ExecuteRequest>): ReturnType<ExecuteRequest> {
    this.started ??= this.start();
    await this.started;
    return super.executeHTTPGraphQLRequest(...input);
  }

  override async stop(): Promise<void> {
    if (!this.started) return;
    await this.started;
    await super.stop();
  }
}

function createApollo(
  { schema, config, log }: GraphQLOptions,
  safelist: Safelist | null,
  documents: DocumentStore,
  chargeParsing: ChargeParsing,
  run: RunOperation,
) {
  const hidesSchema = !config.introspection;
  return new LazyApolloServer({
    gateway: compilingGateway(schema, run),
    introspection: config.introspection,
    validationOptions: { maxErrors: maxValidationErrors, hideSuggestions: hidesSchema },
    documentStore: documents,
    persistedQueries: { cache: safelist?.registered ?? registeredTexts() },
    // Credentials are Bearer only and a body must be JSON, so a page of another site gains nothing by a plain request (D109).
    csrfPrevention: false,
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    formatError: formatError(schema, { hidesSchema }),
    logger: log,
    plugins: [
      admission({ hidesSchema, chargeParsing }),
      ApolloServerPluginLandingPageDisabled(),
      // It would visit every field of every response to compute a header that is always the same.
      ApolloServerPluginCacheControlDisabled(),
    ],
  });
}

import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { Router } from 'express';
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
import { currentRequest, type RequestContext } from '../server/request-context.js';
import { respond } from '../server/respond.js';
import { type RoutedRequest, requestScope, responding } from '../server/routing.js';
import { type AdmissionOptions, admission } from './admission.js';
import { compiledQueries } from './compiled-queries.js';
import { DocumentStore, registeredTexts } from './document-cache.js';
import { DocumentGate } from './document-gate.js';
import { formatError } from './format-error.js';
import { GraphQLHandler } from './handler.js';
import { maxValidationErrors } from './limits.js';
import { Safelist } from './safelist.js';
import { StreamHandler } from './stream-handler.js';

interface GraphQLOptions {
  schema: GraphQLSchema;
  config: Pick<Config, 'introspection' | 'playground' | 'graphqlSafelist' | 'web'>;
  contextOf: (request: RequestContext, stream?: EventStream) => Context;
  log: Logger;
  responses: ResponseCache;
  limits: RateLimits;
  rejectCrossSite: RequestGuard;
  streams: StreamHub;
}

/** Creates Apollo Server, and the router of `/graphql`. */
export function createGraphQL(options: GraphQLOptions): {
  router: Router;
  close(): Promise<void>;
} {
  const { config, limits } = options;
  const safelist = config.graphqlSafelist === null ? null : Safelist.read(config.graphqlSafelist, config.web);
  const documents = new DocumentStore();
  const chargeParsing = async (points: number) => {
    await limits.chargeAddress(currentRequest(), 'graphql', points);
  };
  const admissionOptions = { hidesSchema: !config.introspection, chargeParsing };
  const gate = new DocumentGate(documents, chargeParsing, safelist);
  const apollo = createApollo(options, safelist, documents, admissionOptions);
  const handler = new GraphQLHandler({ ...options, apollo, gate, playground: config.playground });
  const streams = new StreamHandler({ ...options, ...admissionOptions, gate, documents });
  const router = Router();
  router.use('/stream', requestScope, (request: RoutedRequest) => streamTo(request, handler, streams));
  router.use(responding((request) => handler.handle(request)));
  return { router, close: () => apollo.stop() };
}

async function streamTo(
  request: RoutedRequest,
  handler: GraphQLHandler,
  streams: StreamHandler,
): Promise<void> {
  const { context } = request;
  await handler.admit(context);
  const response = streams.checkMethod(context);
  if (response) respond(context, response);
  else await streams.handle(context, await readBody(request), request.originalUrl);
}

type ExecuteRequest = ApolloServer<Context>['executeHTTPGraphQLRequest'];

/**
 * Starts with the first document that it executes. It prints, hashes and validates the whole schema then, for which no
 * other request has to wait.
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
  options: AdmissionOptions,
) {
  return new LazyApolloServer({
    schema,
    introspection: config.introspection,
    validationOptions: { maxErrors: maxValidationErrors, hideSuggestions: options.hidesSchema },
    documentStore: documents,
    persistedQueries: { cache: safelist?.registered ?? registeredTexts() },
    // Credentials are Bearer only and a body must be JSON, so a page of another site gains nothing by a plain request (D109).
    csrfPrevention: false,
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    formatError: formatError(schema, options),
    logger: log,
    plugins: [
      admission(options),
      compiledQueries(schema),
      ApolloServerPluginLandingPageDisabled(),
      // It would visit every field of every response to compute a header that is always the same.
      ApolloServerPluginCacheControlDisabled(),
    ],
  });
}

import 'reflect-metadata';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import { type Backend, openBackend } from './app/backend.js';
import { exposeFigures } from './app/gauges.js';
import type { AppOptions, Gateway } from './app/options.js';
import type { AccountTokens } from './auth/account-token.js';
import { Authenticator, bearerOf } from './auth/authenticate.js';
import type { DevIssuer } from './auth/dev-issuer.js';
import { identity } from './auth/identity.js';
import { PipelineTokens } from './auth/pipeline-token.js';
import type { Door } from './auth/policy.js';
import { cachedReads } from './cache/cached-reads.js';
import { type Config, keepsMails } from './config.js';
import { buildGraphQLSchema, printSdl } from './graphql/schema.js';
import { createGraphQL } from './graphql/server.js';
import { MailboxService } from './modules/notifications/mailbox.service.js';
import { Context, type ReadRoute, type Runtime } from './operations/context.js';
import type { EventStream } from './operations/event-stream.js';
import { lazily } from './operations/lazily.js';
import { devIssuerRouter } from './pages/dev-issuer.js';
import { LocalOnly } from './pages/local-only.js';
import { pages } from './pages/pages.js';
import { loadOperations } from './pages/playground-presets.js';
import { computedPagePoints, type PageCache } from './pages/public-page.js';
import { openApiDocument } from './rest/openapi/openapi.js';
import { routesOf } from './rest/route.js';
import { restRouter } from './rest/router.js';
import { trustOf } from './server/client-address.js';
import { corsHeaders } from './server/cors.js';
import { crossSiteGuard } from './server/cross-site.js';
import { HealthChecks } from './server/health.js';
import { Metrics } from './server/metrics.js';
import { metricsEndpoint } from './server/metrics-endpoint.js';
import { pipeline } from './server/pipeline.js';
import { currentRequest, type RequestContext, requestId } from './server/request-context.js';
import { chargePages, type Handler, nameSiteRequest, requestScope } from './server/routing.js';
import { securityHeaders } from './server/security-headers.js';
import { createLoaders, createServices, type Services } from './services.js';
import { startTracing } from './tracing/tracing.js';

/** Builds the whole service from a configuration, without listening on a port. Tests use it too. */
export async function createApp(config: Config, options: AppOptions): Promise<Gateway> {
  const { log, publicUrl } = options;
  const stopTracing = await startTracing(config.tracing, log);
  const backend = await openBackend(config, options);
  const { limits, cache, streams } = backend;
  const { responses, wake: wakeCache } = cache;
  const { tokens, devIssuer } = await identity(config, publicUrl, log);
  const runtime = createRuntime(backend, config, tokens, publicUrl);
  const contextOf = (door: Door) => (request: RequestContext, stream?: EventStream) =>
    new Context(runtime, door, bearerOf(request.request.headers.authorization), request, stream);
  const schema = await buildGraphQLSchema();
  const rejectCrossSite = crossSiteGuard(config, publicUrl);
  const shared = { limits, responses, rejectCrossSite };
  const graphql = createGraphQL({ ...shared, schema, config, log, streams, contextOf: contextOf('graphql') });
  const routes = routesOf(schema);
  const metrics = new Metrics();
  exposeFigures(metrics.registry, backend);
  const health = new HealthChecks(() => backend.readiness.check());
  const localOnly = new LocalOnly(config, publicUrl);
  const readMetrics = () => options.cluster?.readMetrics() ?? metrics.registry.metrics();
  const parts = { schema, devIssuer, fork: backend.fork, localOnly };
  const pageCache: PageCache = {
    begin: (key) => responses.begin(key),
    charge: (context) => limits.chargeAddress(context, 'pages', computedPagePoints),
  };
  const pageContext = () => contextOf('graphql')(currentRequest());

  const router = Router();
  router.use('/graphql', graphql.router);
  router.use(requestScope);
  router.use(restRouter(routes, { ...shared, publicUrl, contextOf: contextOf('rest') }));
  router.use(nameSiteRequest);
  router.use(health.router());
  router.use(metricsEndpoint(readMetrics, config, (request) => localOnly.allows(request)));
  router.use(chargePages(limits));
  router.use(await createPages(config, options, { ...parts, contextOf: pageContext, cache: pageCache }));

  const common = { log, metrics, limits, wakeCache, trust: trustOf(config.trustProxy) };
  const commonHeaders = securityHeaders({ https: publicUrl.startsWith('https:') });
  const paths = new Map(routes.map(({ name, path }) => [name, path]));
  return {
    handler: pipeline(
      { ...common, commonHeaders, routes: paths, requestMs: config.requestSeconds * 1000 },
      corsHeaders(config),
      cachedReads(responses, limits),
      router as unknown as Handler,
    ),
    cache,
    metrics: () => metrics.registry.getMetricsAsJSON(),
    drain: () => health.drain(),
    endStreams: () => streams.close(),
    async close() {
      await streams.close();
      await cache.close();
      await graphql.close();
      await backend.close();
      await stopTracing();
    },
  };
}

interface PageParts {
  schema: GraphQLSchema;
  devIssuer: DevIssuer | null;
  fork: () => EntityManager;
  localOnly: LocalOnly;
  contextOf: () => Context;
  cache: PageCache;
}

/** Creates the routes of everything that is not the API: the pages, and in development the demo pages and the mailbox. */
async function createPages(
  config: Config,
  { log, publicUrl }: Pick<AppOptions, 'log' | 'publicUrl'>,
  { schema, devIssuer, fork, localOnly, contextOf, cache }: PageParts,
) {
  const router = Router();
  if (!config.production) {
    const { demoPages } = await import('./pages/demo-pages.js');
    router.use('/dev', localOnly.hostGuard, demoPages());
    router.use('/dev', localOnly.guard);
  }
  if (devIssuer) router.use(devIssuerRouter(devIssuer));
  const all = pages({
    config,
    log,
    publicUrl,
    openapi: () => openApiDocument(schema),
    sdl: () => printSdl(schema),
    operations: loadOperations,
    contextOf,
    cache,
    localOnly: localOnly.guard,
    mailbox: keepsMails(config) ? new MailboxService(fork) : null,
    devToken: devIssuer && ((account) => devIssuer.sign(account)),
  });
  return router.use(all);
}

function createRuntime(backend: Backend, config: Config, tokens: AccountTokens, publicUrl: string): Runtime {
  const { fork, limits, reader, catalogReader, searchReader, usage, administratorNames, cache, writes } =
    backend;
  const { pageIndex } = cache;
  const pipelineTokens = new PipelineTokens(config.publisherIssuers, publicUrl);
  const parts = { ...backend, config, requestId, publicUrl, pageIndex, replicas: null, pipelineTokens };
  // Only operations of the catalog search and count, so the other routes need no bound.
  const shared = { ...parts, searchReader: reader };
  const byRoute = {
    primary: shared,
    catalog: { ...shared, reader: catalogReader, searchReader },
    report: { ...shared, replicas: cache.replicas },
  };
  const services = (em: EntityManager, route: ReadRoute = 'primary') => createServices(em, byRoute[route]);
  const sharedServices = services(fork());
  const { ownApps } = sharedServices;
  const { catalog, publicDevelopers } = services(fork(), 'catalog');
  // These need no EntityManager, and most reads need no other service.
  const kept = { primary: { ownApps }, catalog: { catalog, publicDevelopers }, report: {} };
  return {
    limits,
    catalog: cache.catalog,
    writes,
    fork,
    services,
    readServices: (route) => lazily<Services>(kept[route], () => services(fork(), route)),
    createLoaders: () => createLoaders({ fork, services }),
    sharedServices,
    authenticator: new Authenticator(
      tokens,
      reader,
      (key) => usage.record(key),
      (account) => administratorNames.record(account),
    ),
  };
}

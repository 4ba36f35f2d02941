import 'reflect-metadata';
import type { RequestListener } from 'node:http';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Request } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import { ormOptions } from '../mikro-orm.config.js';
import type { AccountTokens } from './auth/account-token.js';
import { Authenticator, bearerOf } from './auth/authenticate.js';
import type { DevIssuer } from './auth/dev-issuer.js';
import { identity } from './auth/identity.js';
import type { Door } from './auth/policy.js';
import { type Memory, openMemory } from './cache/catalog-cache.js';
import { type Config, keepsMails } from './config.js';
import { Reader } from './db/reader.js';
import { openSecrets } from './db/secrets-key.js';
import { buildGraphQLSchema, printSdl } from './graphql/schema.js';
import { graphqlRouter } from './graphql/server.js';
import { Jobs } from './jobs.js';
import { RateLimits } from './limits/rate-limits.js';
import { KeyUsage } from './modules/api-keys/api-key.usage.js';
import { InstallBatch } from './modules/installs/install.batch.js';
import { MailboxService } from './modules/notifications/mailbox.service.js';
import { AssetChecker } from './modules/preflight/asset.checker.js';
import { requireSecretKeys } from './modules/webhooks/webhook.secrets.js';
import { AddressGuard, type GuardOptions } from './net/address-guard.js';
import { GuardedFetcher } from './net/guarded-fetch.js';
import { Context, type Runtime } from './operations/context.js';
import { devIssuerRouter } from './pages/dev-token.js';
import { LocalOnly } from './pages/local-only.js';
import { pages } from './pages/pages.js';
import { loadOperations } from './pages/playground-presets.js';
import { bursts } from './rest/bursts.js';
import { openApiDocument } from './rest/openapi/openapi.js';
import type { Route } from './rest/route.js';
import { restRouter } from './rest/router.js';
import { arriveAtGraphQL, arriveAtPages, arriveAtRest } from './server/arrival.js';
import { trustOf } from './server/client-address.js';
import { crossSiteGuard } from './server/cross-site.js';
import { errorHandler, refuseWith, unknownRoute } from './server/error-handler.js';
import { foundations } from './server/express-app.js';
import { front } from './server/front.js';
import { health } from './server/health.js';
import { tellKeyExpiry } from './server/key-expiry.js';
import { Metrics } from './server/metrics.js';
import { metricsPage } from './server/metrics-endpoint.js';
import { type Exchange, theExchange } from './server/request-context.js';
import { requestId } from './server/request-id.js';
import { observed } from './server/request-log.js';
import { securityHeaders } from './server/security-headers.js';
import { createServices } from './services.js';
import { startWorker, type WebhookOptions } from './worker.js';

/** The whole service, ready to be served by any HTTP server. */
export interface Gateway {
  readonly handler: RequestListener;
  readonly memory: Memory;
  close(): Promise<void>;
}

export interface AppOptions {
  databaseUrl: string;
  log: Logger;
  /** Where callers reach the service. */
  publicUrl: string;
  /** Whom the checks of pictures may ask beyond the public internet. Only the tests set this: no setting leads here. */
  assetChecks?: GuardOptions;
  /** Only the tests set this. */
  webhooks?: WebhookOptions;
  /** How long a count may lag in the catalog. Only the tests set this. */
  countsLagMs?: number;
}

/** Builds everything from a configuration; listens to nothing. The tests use it too. */
export async function createApp(config: Config, options: AppOptions): Promise<Gateway> {
  const { log, publicUrl } = options;
  const backend = await openBackend(config, options);
  const { limits, memory } = backend;
  const { answers } = memory;
  const { tokens, devIssuer } = await identity(config, publicUrl);
  const runtime = runtimeOn(backend, config, tokens);
  const contextAt = (door: Door) => (req: Request) =>
    new Context(runtime, door, bearerOf(req.get('authorization')), theExchange(), (caller) =>
      tellKeyExpiry(req.res, caller),
    );
  const schema = await buildGraphQLSchema();
  const charge = (context: Context, cost: number) => context.chargeCost(cost);
  const contextOf = contextAt('graphql');
  const chargeParsing = (points: number) => limits.chargeAddress(theExchange(), 'graphql', points);
  const graphql = await graphqlRouter({ schema, config, log, answers, contextOf, charge, chargeParsing });
  const metrics = metricsOf(backend);
  const headers = securityHeaders({ https: publicUrl.startsWith('https:') });
  const arrival = { limits, refuseCrossSite: crossSiteGuard(config, publicUrl) };
  const arrive = (route: Route | null) => arriveAtRest(arrival, route);
  const localOnly = new LocalOnly(config, publicUrl);
  const next = foundations(config, headers);
  next.use(health(() => backend.reader.ping()));
  next.use(metricsPage(() => metrics.registry.metrics(), config, localOnly));
  next.use('/graphql', arriveAtGraphQL(arrival));
  next.use(graphql.router);
  next.use(restRouter({ schema, publicUrl, arrive, answers, contextOf: contextAt('rest') }));
  next.use(arriveAtPages(limits));
  if (!config.production) next.use('/dev', localOnly.guard);
  if (devIssuer) next.use(devIssuerRouter(devIssuer));
  next.use(documents(config, schema, publicUrl, devIssuer, backend.fork, localOnly));
  next.use(unknownRoute, errorHandler(log));

  const refuse = refuseWith(headers, log);
  const anybody = (exchange: Exchange) => new Context(runtime, 'rest', null, exchange);
  const burst = bursts({ schema, limits, headers, refuse, next, contextOf: anybody });
  const trust = trustOf(config.trustProxy);
  return {
    handler: observed(front({ answers, limits, next, refuse, burst }), { log, metrics, trust }),
    memory,
    async close() {
      await memory.close();
      await graphql.close();
      await backend.close();
    },
  };
}

type Backend = Awaited<ReturnType<typeof openBackend>>;

/** What lives as long as the service: connections, and what is gathered in this process before it is written. */
async function openBackend(
  config: Config,
  { databaseUrl, log, publicUrl, assetChecks = {}, webhooks = {}, countsLagMs }: AppOptions,
) {
  const orm = await MikroORM.init(ormOptions(databaseUrl, config.databasePool));
  const fork = () => orm.em.fork() as EntityManager;
  const cipher = await openSecrets(config, log, orm, requireSecretKeys);
  const reader = new Reader(databaseUrl, config.databasePool, log);
  const jobs = await Jobs.open(databaseUrl, log, { works: config.worksInline });
  const worker = config.worksInline
    ? await startWorker(jobs, { fork, config, log, cipher, publicUrl, assetChecks, webhooks })
    : null;
  const fetcher = new GuardedFetcher(assetChecks);
  const usage = new KeyUsage(fork, log);
  const limits = new RateLimits(config.rateLimits, {
    databaseUrl: config.rateLimitsStore === 'postgres' ? databaseUrl : null,
    log,
  });
  const installBatch = new InstallBatch(databaseUrl, log);
  const execute = (sql: string, values: readonly string[]) => fork().execute(sql, [...values]);
  return {
    orm,
    fork,
    reader,
    jobs,
    usage,
    limits,
    installBatch,
    memory: openMemory({ databaseUrl, log, countsLagMs, execute }),
    assetChecker: new AssetChecker(fetcher),
    guard: new AddressGuard(webhooks),
    cipher,
    async close() {
      await limits.close();
      await installBatch.close();
      await usage.settled();
      await jobs.close();
      await worker?.close();
      await fetcher.close();
      await reader.close();
      await orm.close();
    },
  };
}

function runtimeOn(backend: Backend, config: Config, tokens: AccountTokens): Runtime {
  const { fork, limits, reader, usage, memory } = backend;
  const shared = { ...backend, config, requestId, signposts: memory.signposts };
  const services = (em: EntityManager) => createServices(em, shared);
  return {
    limits,
    catalog: memory.catalog,
    fork,
    services,
    sharedServices: services(fork()),
    authenticator: new Authenticator(tokens, reader, (key) => usage.record(key)),
  };
}

const metricsOf = ({ orm, jobs, memory }: Backend) =>
  new Metrics({
    pool: () => orm.driver.getConnection().getNativeClient(),
    queues: () => jobs.counts(),
    cache: () => memory.answers.figures,
  });

function documents(
  config: Config,
  schema: GraphQLSchema,
  publicUrl: string,
  devIssuer: DevIssuer | null,
  fork: () => EntityManager,
  localOnly: LocalOnly,
) {
  return pages({
    config,
    publicUrl,
    openapi: openApiDocument(schema),
    sdl: printSdl(schema),
    operations: loadOperations(),
    localOnly: localOnly.guard,
    mailbox: keepsMails(config) ? new MailboxService(fork) : null,
    devToken: devIssuer && ((account) => devIssuer.sign(account)),
  });
}

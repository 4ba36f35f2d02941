import 'reflect-metadata';
import type { RequestListener } from 'node:http';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import cors from 'cors';
import express, { type Express, type Request } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import { ormOptions } from '../mikro-orm.config.js';
import { type AccountTokenSettings, AccountTokens } from './auth/account-token.js';
import { Authenticator, bearerOf } from './auth/authenticate.js';
import { DevIssuer } from './auth/dev-issuer.js';
import type { Door } from './auth/policy.js';
import { ProviderKeys } from './auth/provider-keys.js';
import { type Memory, openMemory } from './cache/memory.js';
import { type Config, keepsMails } from './config.js';
import { Context, type Runtime } from './context.js';
import { Reader } from './db/reader.js';
import { buildGraphQLSchema, printSdl } from './graphql/schema.js';
import { graphqlRouter } from './graphql/server.js';
import { arriveAtGraphQL, arriveAtRest, arriveAtSite } from './http/arrival.js';
import { trustOf } from './http/client-address.js';
import { theExchange } from './http/exchange.js';
import { front } from './http/front.js';
import { health } from './http/health.js';
import { tellKeyExpiry } from './http/key-expiry.js';
import { Metrics } from './http/metrics.js';
import { metricsPage } from './http/metrics-page.js';
import { observed } from './http/observer.js';
import { loadOperations } from './http/operations.js';
import { pages } from './http/pages.js';
import { RateLimits } from './http/rate-limits.js';
import { requestId } from './http/request-id.js';
import { type Headers, securityHeaders } from './http/security-headers.js';
import { Jobs } from './jobs.js';
import { KeyUsage } from './modules/api-keys/api-key.usage.js';
import { InstallBatch } from './modules/installs/install.batch.js';
import { MailboxService } from './modules/notifications/mailbox.service.js';
import { AssetChecker } from './modules/preflight/asset.checker.js';
import { AddressGuard, type GuardOptions } from './net/address-guard.js';
import { GuardedFetcher } from './net/guarded-fetch.js';
import { bursts } from './rest/bursts.js';
import { errorHandler, refuseWith, unknownRoute } from './rest/error-handler.js';
import { openApiDocument } from './rest/openapi.js';
import { restRouter } from './rest/router.js';
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
export async function createApp(
  config: Config,
  { databaseUrl, log, publicUrl, assetChecks = {}, webhooks = {}, countsLagMs }: AppOptions,
): Promise<Gateway> {
  const orm = await MikroORM.init(ormOptions(databaseUrl, config.databasePool));
  const reader = new Reader(databaseUrl, config.databasePool, log);
  const jobs = await Jobs.open(databaseUrl, log, { works: config.worksInline });
  const worker = config.worksInline
    ? await startWorker(jobs, { fork: () => orm.em.fork(), config, log, publicUrl, assetChecks, webhooks })
    : null;
  const fetcher = new GuardedFetcher(assetChecks);
  const assetChecker = new AssetChecker(fetcher);
  const usage = new KeyUsage(() => orm.em.fork(), log);
  const { tokens, devIssuer } = await identity(config, publicUrl);
  const guard = new AddressGuard(webhooks);
  const limits = new RateLimits(config.rateLimits, {
    databaseUrl: config.rateLimitsStore === 'postgres' ? databaseUrl : null,
    log,
  });
  const installBatch = new InstallBatch(databaseUrl, log);
  const memory = openMemory({
    databaseUrl,
    log,
    countsLagMs,
    execute: (sql, values) => orm.em.fork().execute(sql, [...values]),
  });
  const { signposts } = memory;
  const services = (em: EntityManager) =>
    createServices(em, { reader, jobs, config, requestId, assetChecker, guard, installBatch, signposts });
  const runtime: Runtime = {
    limits,
    catalog: memory.catalog,
    fork: () => orm.em.fork() as EntityManager,
    services,
    sharedServices: services(orm.em.fork()),
    authenticator: new Authenticator(tokens, reader, (key) => usage.record(key)),
  };
  const contextAt = (door: Door) => (req: Request) =>
    new Context(runtime, door, bearerOf(req.get('authorization')), theExchange(), (caller) =>
      tellKeyExpiry(req.res, caller),
    );
  const schema = await buildGraphQLSchema();
  const graphql = await graphqlRouter({
    schema,
    config,
    log,
    answers: memory.answers,
    contextOf: contextAt('graphql'),
    charge: (context, cost) => context.chargeCost(cost),
  });
  const metrics = new Metrics({
    pool: () => orm.driver.getConnection().getNativeClient(),
    queues: () => jobs.counts(),
    cache: () => memory.answers.figures,
  });
  const handler = express();
  const headers = securityHeaders({ https: publicUrl.startsWith('https:') });
  serveFoundations(handler, config, headers);
  handler.use(health(() => reader.ping()));
  handler.use(metricsPage(() => metrics.registry.metrics(), config));
  if (devIssuer) handler.use(devIssuer.router());
  handler.use('/graphql', arriveAtGraphQL(limits));
  handler.use(graphql.router);
  handler.use(
    restRouter({
      schema,
      publicUrl,
      arrive: (route) => arriveAtRest(limits, route),
      answers: memory.answers,
      contextOf: contextAt('rest'),
    }),
  );
  const mailbox = keepsMails(config) ? new MailboxService(runtime.fork) : null;
  handler.use(documents(config, schema, publicUrl, devIssuer, mailbox));
  handler.use(unknownRoute, errorHandler(log));

  const refuse = refuseWith(headers, log);
  const burst = bursts({
    schema,
    limits,
    headers,
    refuse,
    next: handler,
    contextOf: (exchange) => new Context(runtime, 'rest', null, exchange),
  });
  return {
    handler: observed(front({ answers: memory.answers, limits, next: handler, refuse, burst }), {
      log,
      metrics,
      trust: trustOf(config.trustProxy),
    }),
    memory,
    async close() {
      await memory.close();
      await graphql.close();
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

/** What every answer has, whatever it answers. */
function serveFoundations(handler: Express, config: Config, headers: Headers): void {
  handler.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  if (config.trustProxy !== null) handler.set('trust proxy', config.trustProxy);
  handler.use(arriveAtSite, (_req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value);
    next();
  });
  if (config.corsOrigins.length > 0) {
    const origin = config.corsOrigins.includes('*') ? '*' : [...config.corsOrigins];
    handler.use(
      cors({
        origin,
        exposedHeaders: [
          ...['ratelimit', 'ratelimit-policy', 'retry-after'],
          ...['etag', 'link', 'x-request-id', 'x-ignored-fields', 'www-authenticate', 'x-api-key-expires'],
          ...['idempotent-replayed', 'deprecation', 'sunset'],
        ],
      }),
    );
  }
}

/** Who signs account tokens: the configured provider, or in development this service itself. */
async function identity(
  config: Config,
  publicUrl: string,
): Promise<{ tokens: AccountTokens; devIssuer: DevIssuer | null }> {
  const settings: AccountTokenSettings = { ...config.oidc, issuer: config.oidc.issuer ?? publicUrl };
  if (config.oidc.issuer)
    return { tokens: new AccountTokens(settings, new ProviderKeys(settings.issuer).getKey), devIssuer: null };
  const devIssuer = await DevIssuer.open(config.dataDir, settings);
  return { tokens: new AccountTokens(settings, devIssuer.keys), devIssuer };
}

function documents(
  config: Config,
  schema: GraphQLSchema,
  publicUrl: string,
  devIssuer: DevIssuer | null,
  mailbox: MailboxService | null,
) {
  return pages({
    config,
    publicUrl,
    openapi: openApiDocument(schema),
    sdl: printSdl(schema),
    operations: loadOperations(),
    mailbox,
    devToken: devIssuer && ((account) => devIssuer.sign(account)),
  });
}

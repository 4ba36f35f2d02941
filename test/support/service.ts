import { rm } from 'node:fs/promises';
import pg from 'pg';
import { type Logger, pino } from 'pino';
import type { AppOptions } from '../../src/app/options.js';
import { createApp } from '../../src/app.js';
import type { CatalogCache } from '../../src/cache/catalog-cache.js';
import { loadConfig } from '../../src/config.js';
import { buildGraphQLSchema } from '../../src/graphql/schema.js';
import { type ListenerTimeouts, listen } from '../../src/server/listener.js';
import { Actors } from './actors.js';
import { ApiClient } from './api-client.js';
import { createTestDatabase } from './database.js';
import { aFolder } from './folder.js';
import { shared } from './shared.js';

/** The whole service on a database of its own, served over real HTTP, with people who use it. */
export interface Service extends Actors, AsyncDisposable {
  readonly url: string;
  readonly databaseUrl: string;
  readonly cache: CatalogCache;
  /** Runs SQL, to check the database or to make what no caller could: an expired key, an old date. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

interface ServiceOptions
  extends Pick<
    AppOptions,
    'assetChecks' | 'webhooks' | 'maxPendingEvents' | 'databaseTimeouts' | 'writeBounds'
  > {
  /** Maximum age of counts in the catalog: 0 here, so that tests need not wait. */
  countsLagMs?: number;
  /** Another route to the same database, such as a proxy that can be cut. */
  databaseVia?: (databaseUrl: string) => Promise<string>;
  /** Timeouts of the listener. */
  timeouts?: Partial<ListenerTimeouts>;
}

const noQuotas = {
  QUOTA_APPS: '0',
  QUOTA_APPS_UNVERIFIED: '0',
  QUOTA_KEYS: '0',
  QUOTA_MESSAGES: '0',
  QUOTA_VERSIONS: '0',
  QUOTA_REPORTS: '0',
  QUOTA_PREFLIGHTS: '0',
  QUOTA_WEBHOOK_TESTS: '0',
  QUOTA_IDEMPOTENCY_KEYS: '0',
};

/** Returns the address of a database through the connection pooler of `test/cluster/pgbouncer.test.ts`; null without one. */
const poolerUrl = (databaseUrl: string): string | null =>
  process.env.TEST_POOLER ? databaseUrl.replace(new URL(databaseUrl).host, process.env.TEST_POOLER) : null;

/** Serves a gateway on a database over real HTTP, in this process. */
async function serveGateway(
  databaseUrl: string,
  settings: Record<string, string>,
  { log = silent, timeouts = {}, ...options }: Partial<AppOptions> & Pick<ServiceOptions, 'timeouts'>,
) {
  const dataDir = await aFolder();
  const listener = await listen('127.0.0.1', 0, timeouts);
  const url = `http://127.0.0.1:${listener.port}`;
  // Tests make more requests than any honest caller; those of limits and quotas switch them on.
  const environment = {
    DATA_DIR: dataDir,
    WORKER: 'off',
    RATE_LIMITS: 'off',
    WEB: 'off',
    // A busy machine may need longer than any honest caller would wait.
    REQUEST_SECONDS: '120',
    ...noQuotas,
    ...settings,
  };
  const gateway = await createApp(loadConfig(environment), {
    databaseUrl,
    log,
    publicUrl: settings.PUBLIC_URL ?? url,
    // No test uses a name server: names that a test does not define do not exist.
    assetChecks: { resolve: async () => [] },
    ...options,
  });
  listener.serve(gateway.handler);
  const close = async () => {
    await listener.close({ withinMs: 0, signal: AbortSignal.abort() });
    await gateway.close();
    await rm(dataDir, { recursive: true });
  };
  return { url, gateway, listener, close, [Symbol.asyncDispose]: close };
}

const silent = pino({ level: 'silent' });

/** Starts a service as `createApp` composes it; settings are those of the environment. */
export async function startService(
  settings: Record<string, string> = {},
  log: Logger = silent,
  { databaseVia, ...options }: ServiceOptions = {},
): Promise<Service> {
  const database = await createTestDatabase();
  const pooled = databaseVia ? null : poolerUrl(database.url);
  const served = await serveGateway(
    pooled ?? (await databaseVia?.(database.url)) ?? database.url,
    { ...(pooled && { DATABASE_URL: pooled, DATABASE_DIRECT_URL: database.url }), ...settings },
    { log, countsLagMs: 0, ...options },
  );
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  const { url, gateway } = served;
  // The database may be dropped before the last connection is closed.
  pool.on('error', () => undefined);
  const client = new ApiClient(url, await buildGraphQLSchema());
  const sql = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) => {
    const { rows } = await pool.query<Row>(text, values);
    // Invalidates the cache at once, so that the test need not wait for the notification.
    gateway.cache.catalog.raise();
    return rows;
  };
  const close = async () => {
    await served.close();
    await pool.end();
    await database.drop();
  };
  const { cache } = gateway;
  const databaseUrl = database.url;
  return Object.assign(new Actors(client, sql), {
    ...{ url, databaseUrl, cache, sql, close },
    [Symbol.asyncDispose]: close,
  });
}

/** One more gateway on the service's database. Account tokens are valid at the gateway that issued them; API keys at both. */
export async function secondGateway(
  service: Service,
  settings: Record<string, string> = {},
  options: Pick<AppOptions, 'writeBounds' | 'databaseTimeouts'> = {},
) {
  const served = await serveGateway(service.databaseUrl, settings, options);
  return Object.assign(
    new Actors(new ApiClient(served.url, await buildGraphQLSchema()), service.sql),
    served,
  );
}

/** One service with default settings for all test files of a folder that need neither settings nor an empty database. */
export const sharedService = shared(() => startService());

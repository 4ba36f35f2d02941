import { type ClientConfig, Pool, type PoolConfig } from 'pg';
import type { Logger } from 'pino';
import { DatabaseClient } from './client.js';
import { reclaimLostConnections } from './lost-connections.js';

/** What connections are for. Each has its share of DATABASE_POOL, its time-outs and its application_name. */
export type Purpose = 'writes' | 'reads' | 'installs' | 'jobs' | 'limits' | 'listen' | 'replica' | 'tools';

/** Time-outs of connections. Null: none. */
export interface Timeouts {
  /** Runtime of a statement, including its waits for locks. PostgreSQL ends it, so the connection stays usable. */
  readonly statementMs: number | null;
  /** Wait of a statement for a lock. */
  readonly lockMs: number | null;
  /** Pause of a transaction between two statements: after it, a frozen process holds its locks no longer. */
  readonly idleInTransactionMs: number | null;
  /** Wait of the client for an answer. Longer than `statementMs`, so it ends only connections that are dead. */
  readonly silenceMs: number | null;
}

/** Opening a connection: a server that runs answers within milliseconds, one that restarts within seconds. */
const CONNECT_TIMEOUT_MS = 5_000;
/** A router that forgets idle connections does so after minutes; TCP's own probes would begin after two hours. */
const KEEP_ALIVE_AFTER_MS = 10_000;

const none: Timeouts = { statementMs: null, lockMs: null, idleInTransactionMs: null, silenceMs: null };
/** A statement takes milliseconds; one that takes longer than ten seconds waits for a lock or has a bad plan. */
const usual: Timeouts = { statementMs: 10_000, lockMs: null, idleInTransactionMs: 20_000, silenceMs: 12_000 };

const timeouts: Record<Purpose, Timeouts> = {
  // Whoever waits for a held row holds a connection meanwhile, so waiters give up early. A transaction of ours pauses for
  // the statements of another pool at most.
  writes: { ...usual, lockMs: 5_000 },
  // Reads wait for no locks, and `/readyz` is one of them: it should notice dead connections early.
  reads: { ...usual, statementMs: 5_000, silenceMs: 6_000 },
  replica: { ...usual, statementMs: 5_000, silenceMs: 6_000 },
  // A batch waits for its turn among the batches of other gateways, and for nothing else (D243).
  installs: usual,
  jobs: usual,
  // Every request waits for its count; without one in time, the process counts by itself.
  limits: { ...usual, statementMs: 2_000, silenceMs: 3_000 },
  // The heartbeats of the listener find a dead connection.
  listen: none,
  // Migrations, backups and checks take as long as they need.
  tools: none,
};

interface ConnectionOptions {
  readonly url: string;
  readonly purpose: Purpose;
  /** Time-outs that differ from those of the purpose. Only tests set this. */
  readonly timeouts?: Partial<Timeouts> | undefined;
}

export interface PoolOptions extends ConnectionOptions {
  readonly max: number;
  readonly log: Logger;
  /** SQL that sets the session of each new connection. */
  readonly sessionSettings?: string;
}

/** Figures of the pools of a purpose, for the metrics. */
export interface PoolFigures {
  readonly pool: Purpose;
  readonly used: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
  readonly max: number;
}

interface OpenPool {
  readonly url: string;
  readonly purpose: Purpose;
  readonly pool: Pool;
  readonly idle: Set<DatabaseClient>;
}
const openPools = new Set<OpenPool>();

/** Opens a pool. Nothing connects before the first use. */
export function openPool({ max, log, sessionSettings, ...options }: PoolOptions): Pool {
  const pool = new Pool({
    ...poolConfig(options),
    max,
    ...(sessionSettings && { onConnect: async (client) => void (await client.query(sessionSettings)) }),
  });
  // A broken connection fails its statement and also emits an error event, which would end the process without a listener.
  pool.on('connect', (client) => client.on('error', () => undefined));
  // The pool opens a new connection when it needs one.
  pool.on('error', (error) =>
    log.warn({ err: error, pool: options.purpose }, 'an idle connection to the database was lost'),
  );
  register(pool, options);
  return pool;
}

/** Options with which MikroORM opens its pool like `openPool`. */
export const ormPool = (options: ConnectionOptions) => ({
  ...poolConfig(options),
  onPoolCreated: (pool: Pool) => {
    reclaimLostConnections(pool);
    register(pool, options);
  },
});

/** Creates a single connection, to be opened by the caller. Its loss fails the running statement, which reports it. */
export function createClient({
  url,
  purpose,
  timeouts: given,
  ...options
}: ConnectionOptions & Pick<ClientConfig, 'connectionTimeoutMillis' | 'stream'>): DatabaseClient {
  const config = { ...clientConfig({ url, purpose, timeouts: given }), ...options };
  const client = new DatabaseClient(config, rulesOf({ url, purpose, timeouts: given }));
  client.on('error', () => undefined);
  return client;
}

/** Returns the figures of all open pools of this process, by purpose. */
export function poolFigures(): PoolFigures[] {
  const figures = new Map<Purpose, PoolFigures>();
  for (const open of openPools) {
    const { pool, purpose } = open;
    if (pool.ending) openPools.delete(open);
    else {
      const { used, idle, waiting, max } = figures.get(purpose) ?? { used: 0, idle: 0, waiting: 0, max: 0 };
      figures.set(purpose, {
        pool: purpose,
        used: used + pool.totalCount - pool.idleCount,
        idle: idle + pool.idleCount,
        waiting: waiting + pool.waitingCount,
        max: max + pool.options.max,
      });
    }
  }
  return [...figures.values()];
}

/** Closes the idle connections to a server after one was found dead: otherwise one request after the other would try them. */
export function closeIdleConnections(url: string): void {
  for (const open of openPools)
    if (open.url === url)
      for (const client of open.idle) client.abandon('another connection to the database is dead');
}

function register(pool: Pool, { url, purpose }: ConnectionOptions): void {
  const idle = new Set<DatabaseClient>();
  pool.on('release', (_error, client) => void idle.add(client as unknown as DatabaseClient));
  for (const event of ['acquire', 'remove'] as const)
    pool.on(event, (client: unknown) => void idle.delete(client as DatabaseClient));
  for (const open of openPools) if (open.pool.ending) openPools.delete(open);
  openPools.add({ url, purpose, pool, idle });
}

const rulesOf = ({ url, purpose, timeouts: given }: ConnectionOptions) => ({
  silenceMs: { ...timeouts[purpose], ...given }.silenceMs,
  onSilence: () => closeIdleConnections(url),
});

function poolConfig(options: ConnectionOptions): PoolConfig {
  const rules = rulesOf(options);
  class PooledClient extends DatabaseClient {
    constructor(config: ClientConfig = {}) {
      super(config, rules);
    }
  }
  return { ...clientConfig(options), Client: PooledClient };
}

function clientConfig({ url, purpose, timeouts: given }: ConnectionOptions): ClientConfig {
  const { statementMs, lockMs, idleInTransactionMs } = { ...timeouts[purpose], ...given };
  return {
    connectionString: url,
    application_name: `marketplace-gateway ${purpose}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    // Sent with the login, so they need no statement.
    ...(statementMs !== null && { statement_timeout: statementMs }),
    ...(lockMs !== null && { lock_timeout: lockMs }),
    ...(idleInTransactionMs !== null && { idle_in_transaction_session_timeout: idleInTransactionMs }),
  };
}

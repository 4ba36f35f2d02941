import { type ClientConfig, Pool, type PoolConfig } from 'pg';
import type { Logger } from 'pino';
import { hostUrls } from '../config/formats.js';
import { type ClientRules, DatabaseClient, requireWritable } from './client.js';
import { DatabaseHosts } from './hosts.js';
import { chargedTo } from './payer.js';
import { keepContext, reclaimLostConnections } from './pool-waits.js';
import { noTimeouts, type Purpose, purposeTimeouts, type Timeouts } from './timeouts.js';

/** Asking a server whether it accepts writes; several are asked at once. Shorter than opening, of which it is a part. */
const PROBE_TIMEOUT_MS = 3_000;
/** A router that forgets idle connections does so after minutes; TCP's own probes would begin after two hours. */
const KEEP_ALIVE_AFTER_MS = 10_000;

/** The first search of a connection is planned for 10 to 20 ms, so idle ones with plans are kept for longer than 10 s. */
const IDLE_WITH_PLANS_MS = 10 * 60_000;

interface ConnectionOptions {
  readonly url: string;
  readonly purpose: Purpose;
  /** True: the URL leads to a pooler in transaction mode, where a session belongs to one transaction only. */
  readonly pooled?: boolean;
  /** Time-outs that differ from those of the purpose. Only tests set this. */
  readonly timeouts?: Partial<Timeouts> | undefined;
}

export interface PoolOptions extends ConnectionOptions {
  readonly max: number;
  readonly log: Logger;
  /** SQL that sets the session of each new connection. A pooler has no sessions, so it is left out there. */
  readonly sessionSettings?: string;
  /** A connection that has prepared more statements than this is closed after its use; default: any number. */
  readonly maxPrepared?: number;
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
export function openPool({ max, log, sessionSettings, maxPrepared, ...options }: PoolOptions): Pool {
  const pool = new Pool({
    ...poolConfig(options),
    max,
    ...(maxPrepared && { idleTimeoutMillis: IDLE_WITH_PLANS_MS }),
    ...(sessionSettings &&
      !options.pooled && {
        onConnect: async (client) => void (await chargedTo(null, () => client.query(sessionSettings))),
      }),
  });
  // A broken connection fails its statement and also emits an error event, which would end the process without a listener.
  pool.on('connect', (client) => client.on('error', () => undefined));
  // The pool opens a new connection when it needs one.
  pool.on('error', (error) =>
    log.warn({ err: error, pool: options.purpose }, 'an idle connection to the database was lost'),
  );
  // Through a pooler statements have no names, and nothing is kept of them.
  if (maxPrepared && !options.pooled)
    pool.on('release', (_error, client) => {
      if ((client as unknown as DatabaseClient).parsedCount > maxPrepared) void client.end();
    });
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
  pooled = false,
  timeouts: given,
  ...options
}: ConnectionOptions & Pick<ClientConfig, 'connectionTimeoutMillis' | 'stream'>): DatabaseClient {
  const connection = { url, purpose, pooled, timeouts: given };
  const client = new DatabaseClient({ ...clientConfig(connection), ...options }, rulesOf(connection));
  client.on('error', () => undefined);
  return client;
}

/** Opens a connection for some work, and closes it afterwards. */
export async function withClient<T>(
  options: Parameters<typeof createClient>[0],
  work: (client: DatabaseClient) => Promise<T>,
): Promise<T> {
  const client = createClient(options);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
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
function closeIdleConnections(url: string): void {
  for (const open of openPools)
    if (open.url === url)
      for (const client of open.idle) client.abandon('another connection to the database is dead');
}

function register(pool: Pool, options: ConnectionOptions): void {
  const { url, purpose } = options;
  keepContext(pool, timeoutsOf(options).connectMs);
  const idle = new Set<DatabaseClient>();
  pool.on('release', (_error, client) => void idle.add(client as unknown as DatabaseClient));
  for (const event of ['acquire', 'remove'] as const)
    pool.on(event, (client: unknown) => void idle.delete(client as DatabaseClient));
  for (const open of openPools) if (open.pool.ending) openPools.delete(open);
  openPools.add({ url, purpose, pool, idle });
}

function rulesOf(options: ConnectionOptions): ClientRules {
  const { url, purpose, pooled } = options;
  return {
    silenceMs: timeoutsOf(options).silenceMs,
    onSilence: () => closeIdleConnections(url),
    hosts: hostsOf(url),
    adapt: pooled ? forPooler(timeoutsOf(options)) : null,
    isForRequests: requestPurposes.has(purpose),
    statementMs: timeoutsOf(options).statementMs,
  };
}

/** Purposes whose statements requests pay for. Installs and rate limits have connections of their own, and are free (D321). */
const requestPurposes: ReadonlySet<Purpose> = new Set(['writes', 'reads', 'replica']);

const timeoutsOf = ({ purpose, timeouts: given }: ConnectionOptions): Timeouts => ({
  ...purposeTimeouts[purpose],
  ...given,
});

/** The pools of a URL share what one of them has found out about its servers. */
const knownHosts = new Map<string, DatabaseHosts>();

/** Returns the servers of a URL that has several, and null for a plain URL. */
function hostsOf(url: string): DatabaseHosts | null {
  const [first, ...others] = hostUrls(url);
  if (others.length === 0 && first === url) return null;
  const hosts = knownHosts.get(url) ?? new DatabaseHosts(url, probe);
  knownHosts.set(url, hosts);
  return hosts;
}

/** Rejects if a server cannot be reached or is read-only. */
async function probe(url: string): Promise<void> {
  const options = { url, purpose: 'tools', timeouts: { silenceMs: PROBE_TIMEOUT_MS } } as const;
  const client = createClient({ ...options, connectionTimeoutMillis: PROBE_TIMEOUT_MS });
  try {
    await client.connect();
    await requireWritable(client);
  } finally {
    client.end().catch(() => undefined);
  }
}

/**
 * Adapts statements to a pooler in transaction mode: without names, since the next statement may run in another session,
 * and with the time-outs of a transaction in the statement that begins it, which costs no further round trip.
 */
function forPooler({ statementMs, lockMs, idleInTransactionMs }: Timeouts): (statement: unknown) => unknown {
  const settings = Object.entries({
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  }).map(([name, value]) => (value === null ? '' : `; set local ${name} = ${value}`));
  return (statement) => {
    if (typeof statement === 'string')
      return /^(begin|start transaction)\b/i.test(statement) ? statement + settings.join('') : statement;
    const isNamed = typeof statement === 'object' && statement !== null && 'name' in statement;
    return isNamed && !('submit' in statement) ? { ...statement, name: undefined } : statement;
  };
}

function poolConfig(options: ConnectionOptions): PoolConfig {
  const rules = rulesOf(options);
  class PooledClient extends DatabaseClient {
    constructor(config: ClientConfig = {}) {
      super(config, rules);
    }
  }
  return { ...clientConfig(options), Client: PooledClient };
}

function clientConfig(options: ConnectionOptions): ClientConfig {
  const { url, purpose, pooled } = options;
  // A pooler refuses them at the login.
  const { statementMs, lockMs, idleInTransactionMs } = pooled ? noTimeouts : timeoutsOf(options);
  return {
    connectionString: hostUrls(url)[0],
    application_name: `marketplace-gateway ${purpose}`,
    connectionTimeoutMillis: timeoutsOf(options).connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    // Sent with the login, so they need no statement.
    ...(statementMs !== null && { statement_timeout: statementMs }),
    ...(lockMs !== null && { lock_timeout: lockMs }),
    ...(idleInTransactionMs !== null && { idle_in_transaction_session_timeout: idleInTransactionMs }),
  };
}

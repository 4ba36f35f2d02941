import { type Aggregator, Counter, Gauge, type Registry } from 'prom-client';
import type { PoolFigures } from '../db/pool.js';
import type { QueueFigures } from '../db/queue-figures.js';
import type { ReplicaFigures } from '../db/replica.js';

/** The sources that are read at each scrape. Those that ask the database limit the time that it takes to respond. */
export interface MetricSources {
  pools(): readonly PoolFigures[];
  queues(): Promise<readonly QueueFigures[]>;
  cache(): { hits: number; misses: number; entries: number; bytes: number };
  streams(): { open: number; max: number };
  writes(): { running: number; waiting: number };
  searches(): { running: number; waiting: number };
  installs(): { queued: number; locked: number };
  replicas(): readonly ReplicaFigures[];
  /** Milliseconds of database time that were charged to requests, by the kind of the payer. */
  databaseTime(): Readonly<Record<string, number>>;
  /** True: changes of the catalog by other processes are noticed. */
  isListening(): boolean;
  database(): Promise<{ isReady: boolean; missing: number }>;
}

interface Sample {
  readonly labels?: Record<string, string>;
  readonly value: number;
}

interface MetricOptions {
  labels?: string[];
  /** Combines the values of the processes of one gateway: their sum, unless all of them report the same fact. */
  aggregator?: Aggregator;
}

/** Registers a metric that is read at each scrape. */
type Expose = (
  name: string,
  help: string,
  read: () => readonly Sample[] | Promise<readonly Sample[]>,
  options?: MetricOptions,
) => void;

/** Registers the metrics that are read from other parts of the service. */
export function exposeSources(registry: Registry, sources: MetricSources): void {
  const optionsOf = ({ labels = [], aggregator = 'sum' }: MetricOptions) => ({
    labelNames: labels,
    aggregator,
    registers: [registry],
  });
  const gauge: Expose = (name, help, read, options = {}) =>
    void new Gauge({
      name,
      help,
      ...optionsOf(options),
      async collect() {
        const samples = await read();
        this.reset();
        for (const { labels = {}, value } of samples) this.set(labels, value);
      },
    });
  const counter: Expose = (name, help, read, options = {}) =>
    void new Counter({
      name,
      help,
      ...optionsOf(options),
      async collect() {
        const samples = await read();
        this.reset();
        for (const { labels = {}, value } of samples) this.inc(labels, value);
      },
    });
  exposeDatabase(sources, gauge, counter);
  exposeReplicas(sources, gauge, counter);
  exposeJobs(sources, gauge);
  exposeCache(sources, gauge, counter);
  exposeQueues(sources, gauge);
}

const one = (value: number | boolean): readonly Sample[] => [{ value: Number(value) }];

function exposeDatabase(
  { pools, database, databaseTime, isListening }: MetricSources,
  gauge: Expose,
  counter: Expose,
): void {
  gauge(
    'marketplace_database_connections',
    'Database connections by pool: in use, idle, the most that may be open, and callers that wait for one.',
    () =>
      pools().flatMap(({ pool, ...states }) =>
        Object.entries(states).map(([state, value]) => ({ labels: { pool, state }, value })),
      ),
    { labels: ['pool', 'state'] },
  );
  counter(
    'marketplace_database_charged_seconds_total',
    'Time of statements that was charged to requests, by payer: address or developer.',
    () => Object.entries(databaseTime()).map(([payer, ms]) => ({ labels: { payer }, value: ms / 1000 })),
    { labels: ['payer'] },
  );
  gauge(
    'marketplace_database_ready',
    '1 if the database responds, accepts writes and has the schema of this release; otherwise 0.',
    async () => one((await database()).isReady),
    { aggregator: 'min' },
  );
  gauge(
    'marketplace_schema_missing',
    'Migrations or columns of this release that the database lacks.',
    async () => one((await database()).missing),
    { aggregator: 'max' },
  );
  gauge(
    'marketplace_listener_connected',
    '1 if the process receives the notifications of the database; otherwise 0, and nothing is cached.',
    () => one(isListening()),
    { aggregator: 'min' },
  );
}

function exposeReplicas({ replicas }: MetricSources, gauge: Expose, counter: Expose): void {
  const labels = ['replica'];
  const each = (figure: (replica: ReplicaFigures) => number | boolean | null) => () =>
    replicas().flatMap((replica) => {
      const value = figure(replica);
      return value === null ? [] : [{ labels: { replica: replica.replica }, value: Number(value) }];
    });
  gauge(
    'marketplace_replica_used',
    '1 if reads go to the replica; 0 if it is left out because it lags or does not respond. Absent for the primary.',
    each(({ isUsed }) => isUsed),
    { labels, aggregator: 'min' },
  );
  gauge(
    'marketplace_replica_lag_seconds',
    'Age of the oldest position of the primary that the replica has not replayed. Absent if it is no standby.',
    each(({ lagSeconds }) => lagSeconds),
    { labels, aggregator: 'max' },
  );
  gauge(
    'marketplace_replica_lag_bytes',
    'Bytes of the write-ahead log after the last position that the replica has reported. Absent if it is no standby.',
    each(({ lagBytes }) => lagBytes),
    { labels, aggregator: 'max' },
  );
  counter(
    'marketplace_replica_reads_total',
    'Statements that the replica has answered.',
    each(({ reads }) => reads),
    { labels },
  );
}

function exposeJobs({ queues }: MetricSources, gauge: Expose): void {
  gauge(
    'marketplace_jobs',
    'Jobs by queue and state: waiting, to be retried, running, failed. Absent while the database is unreachable.',
    async () =>
      (await queues()).flatMap(({ queue, oldestSeconds: _, ...states }) =>
        Object.entries(states).map(([state, value]) => ({ labels: { queue, state }, value })),
      ),
    { labels: ['queue', 'state'], aggregator: 'max' },
  );
  gauge(
    'marketplace_jobs_oldest_seconds',
    'Seconds since the job that waits longest was due; 0 if none is. Absent while the database is unreachable.',
    async () =>
      (await queues()).map(({ queue, oldestSeconds }) => ({ labels: { queue }, value: oldestSeconds })),
    { labels: ['queue'], aggregator: 'max' },
  );
}

function exposeCache({ cache }: MetricSources, gauge: Expose, counter: Expose): void {
  counter('marketplace_cache_hits_total', 'Responses served from the response cache.', () =>
    one(cache().hits),
  );
  counter(
    'marketplace_cache_misses_total',
    'Responses that may be cached and were not in the response cache.',
    () => one(cache().misses),
  );
  gauge('marketplace_cache_entries', 'Responses in the response cache.', () => one(cache().entries));
  gauge('marketplace_cache_bytes', 'Size of the response cache.', () => one(cache().bytes));
}

function exposeQueues({ writes, searches, installs, streams }: MetricSources, gauge: Expose): void {
  gauge(
    'marketplace_writes',
    'Write transactions that run, and that wait for their turn.',
    () => Object.entries(writes()).map(([state, value]) => ({ labels: { state }, value })),
    { labels: ['state'] },
  );
  gauge(
    'marketplace_searches',
    'Statements of searches and counts that run, and that wait for their turn.',
    () => Object.entries(searches()).map(([state, value]) => ({ labels: { state }, value })),
    { labels: ['state'] },
  );
  gauge('marketplace_installs_queued', 'Installs that wait to be recorded.', () => one(installs().queued));
  gauge('marketplace_installs_locked', 'Installs that wait for an app that is locked.', () =>
    one(installs().locked),
  );
  gauge('marketplace_streams', 'Open event streams of subscriptions.', () => one(streams().open));
  gauge('marketplace_streams_max', 'The most event streams that may be open.', () => one(streams().max));
}

import { type Aggregator, Counter, Gauge, type Registry } from 'prom-client';
import { poolFigures } from '../db/pool.js';
import type { ReplicaFigures } from '../db/replica.js';
import type { Backend } from './backend.js';

interface Sample {
  readonly labels?: Record<string, string>;
  readonly value: number | boolean;
}

type Read = () => readonly Sample[] | Promise<readonly Sample[]>;

interface MetricOptions {
  labels?: string[];
  /** Combines the values of the processes of one gateway: their sum, unless all of them report the same fact. */
  aggregator?: Aggregator;
}

/** Registers the metrics that are read from the parts of a gateway at each scrape. Those that ask the database limit its time. */
export function exposeFigures(registry: Registry, backend: Backend): void {
  const exposeAs =
    (Metric: typeof Gauge | typeof Counter) =>
    (name: string, help: string, read: Read, { labels = [], aggregator = 'sum' }: MetricOptions = {}) =>
      void new Metric({
        name,
        help,
        labelNames: labels,
        aggregator,
        registers: [registry],
        async collect() {
          const samples = await read();
          this.reset();
          for (const { labels: of = {}, value } of samples) this.inc(of, Number(value));
        },
      });
  const gauge = exposeAs(Gauge);
  const counter = exposeAs(Counter);
  exposeDatabase(backend, gauge, counter);
  exposeReplicas(backend, gauge, counter);
  exposeQueues(backend, gauge);
  exposeCache(backend, gauge, counter);
}

type Expose = (name: string, help: string, read: Read, options?: MetricOptions) => void;

const one = (value: number | boolean): readonly Sample[] => [{ value }];

/** Returns a sample for each figure, whose name is the label `state`. */
const byState = (figures: object, labels: Record<string, string> = {}): readonly Sample[] =>
  Object.entries(figures).map(([state, value]) => ({ labels: { ...labels, state }, value }));

function exposeDatabase({ limits, readiness, listener }: Backend, gauge: Expose, counter: Expose): void {
  gauge(
    'marketplace_database_connections',
    'Database connections by pool: in use, idle, the most that may be open, and callers that wait for one.',
    () => poolFigures().flatMap(({ pool, ...states }) => byState(states, { pool })),
    { labels: ['pool', 'state'] },
  );
  counter(
    'marketplace_database_charged_seconds_total',
    'Time of statements that was charged to requests, by payer: address or developer.',
    () => Object.entries(limits.databaseMs).map(([payer, ms]) => ({ labels: { payer }, value: ms / 1000 })),
    { labels: ['payer'] },
  );
  gauge(
    'marketplace_database_ready',
    '1 if the database responds, accepts writes and has the schema of this release; otherwise 0.',
    async () => one((await readiness.figures()).isReady),
    { aggregator: 'min' },
  );
  gauge(
    'marketplace_schema_missing',
    'Migrations or columns of this release that the database lacks.',
    async () => one((await readiness.figures()).missing),
    { aggregator: 'max' },
  );
  gauge(
    'marketplace_listener_connected',
    '1 if the process receives the notifications of the database; otherwise 0, and nothing is cached.',
    () => one(listener.isConnected()),
    { aggregator: 'min' },
  );
}

function exposeReplicas({ cache }: Backend, gauge: Expose, counter: Expose): void {
  const labels = ['replica'];
  const each = (figure: (replica: ReplicaFigures) => number | boolean | null) => () =>
    (cache.replicas?.figures ?? []).flatMap((replica) => {
      const value = figure(replica);
      return value === null ? [] : [{ labels: { replica: replica.replica }, value }];
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

function exposeQueues({ jobs, writes, searchReader, installBatcher, streams }: Backend, gauge: Expose): void {
  gauge(
    'marketplace_jobs',
    'Jobs by queue and state: waiting, to be retried, running, failed. Absent while the database is unreachable.',
    async () =>
      (await jobs.figures()).flatMap(({ queue, oldestSeconds: _, ...states }) => byState(states, { queue })),
    { labels: ['queue', 'state'], aggregator: 'max' },
  );
  gauge(
    'marketplace_jobs_oldest_seconds',
    'Seconds since the job that waits longest was due; 0 if none is. Absent while the database is unreachable.',
    async () =>
      (await jobs.figures()).map(({ queue, oldestSeconds }) => ({ labels: { queue }, value: oldestSeconds })),
    { labels: ['queue'], aggregator: 'max' },
  );
  gauge(
    'marketplace_writes',
    'Write transactions that run, and that wait for their turn.',
    () => byState(writes.figures),
    { labels: ['state'] },
  );
  gauge(
    'marketplace_searches',
    'Statements of searches and counts that run, and that wait for their turn.',
    () => byState(searchReader.figures),
    { labels: ['state'] },
  );
  gauge('marketplace_installs_queued', 'Installs that wait to be recorded.', () =>
    one(installBatcher.figures.queued),
  );
  gauge('marketplace_installs_locked', 'Installs that wait for an app that is locked.', () =>
    one(installBatcher.figures.locked),
  );
  gauge('marketplace_streams', 'Open event streams of subscriptions.', () => one(streams.figures.open));
  gauge('marketplace_streams_max', 'The most event streams that may be open.', () =>
    one(streams.figures.max),
  );
}

function exposeCache({ cache: { responses } }: Backend, gauge: Expose, counter: Expose): void {
  counter('marketplace_cache_hits_total', 'Responses served from the response cache.', () =>
    one(responses.figures.hits),
  );
  counter(
    'marketplace_cache_misses_total',
    'Responses that may be cached and were not in the response cache.',
    () => one(responses.figures.misses),
  );
  gauge('marketplace_cache_entries', 'Responses in the response cache.', () =>
    one(responses.figures.entries),
  );
  gauge('marketplace_cache_bytes', 'Size of the response cache.', () => one(responses.figures.bytes));
}

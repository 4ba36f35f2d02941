import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { PoolFigures } from '../db/pool.js';
import type { RequestContext } from './request-context.js';

/** The sources that are read at each scrape. */
interface MetricSources {
  pools(): readonly PoolFigures[];
  queues(): Promise<readonly { queue: string; state: string; count: number }[]>;
  cache(): { hits: number; bytes: number };
  streams(): number;
}

/** Finer below a millisecond, where cached responses are. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics for Prometheus. All labels are from fixed sets. */
export class Metrics {
  readonly registry = new Registry();
  private readonly requests: Counter;
  private readonly durations: Histogram;
  /** The metrics by labels: prom-client would look them up again for each request. */
  private readonly byLabels = new Map<string, { inc(): void; observe(seconds: number): void }>();

  constructor(sources: MetricSources) {
    const registers = [this.registry];
    this.requests = new Counter({
      name: 'marketplace_requests_total',
      help: 'Requests by API (door), operation and error code.',
      labelNames: ['door', 'operation', 'code'],
      registers,
    });
    this.durations = new Histogram({
      name: 'marketplace_request_duration_seconds',
      help: 'Seconds from the first byte of a request to the last byte of its response.',
      labelNames: ['door', 'operation'],
      buckets,
      registers,
    });
    gaugePools(this.registry, sources);
    gaugeJobs(this.registry, sources);
    gaugeCache(this.registry, sources);
    gaugeStreams(this.registry, sources);
    collectDefaultMetrics({ register: this.registry });
  }

  /** Counts a response and its duration. */
  count({ door, operation, code }: RequestContext, seconds: number): void {
    const label = code ?? 'OK';
    const kind = `${door} ${operation} ${label}`;
    let known = this.byLabels.get(kind);
    if (!known) {
      const { inc } = this.requests.labels(door, operation, label);
      known = { inc, observe: this.durations.labels(door, operation).observe };
      this.byLabels.set(kind, known);
    }
    known.inc();
    known.observe(seconds);
  }
}

function gaugePools(registry: Registry, { pools }: MetricSources): void {
  new Gauge({
    name: 'marketplace_database_connections',
    help: 'Database connections by pool: in use, idle, the most that may be open, and callers that wait for one.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const { pool, ...states } of pools())
        for (const [state, count] of Object.entries(states)) this.set({ pool, state }, count);
    },
  });
}

function gaugeJobs(registry: Registry, { queues }: MetricSources): void {
  new Gauge({
    name: 'marketplace_jobs',
    help: 'Jobs by queue and state: waiting, to be retried, running, failed. Absent while the database is unreachable.',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { queue, state, count } of await queues().catch(() => [])) this.set({ queue, state }, count);
    },
  });
}

function gaugeCache(registry: Registry, { cache }: MetricSources): void {
  new Counter({
    name: 'marketplace_cache_hits_total',
    help: 'Responses served from the response cache.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(cache().hits);
    },
  });
  new Gauge({
    name: 'marketplace_cache_bytes',
    help: 'Size of the response cache.',
    registers: [registry],
    collect() {
      this.set(cache().bytes);
    },
  });
}

function gaugeStreams(registry: Registry, { streams }: MetricSources): void {
  new Gauge({
    name: 'marketplace_streams',
    help: 'Open event streams of subscriptions.',
    registers: [registry],
    collect() {
      this.set(streams());
    },
  });
}

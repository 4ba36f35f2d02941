import type { Pool } from 'pg';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { QueueCount } from '../jobs.js';
import type { Exchange } from './request-context.js';

/** What the metrics ask for when somebody reads them. */
interface MetricSources {
  pool(): Promise<Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>>;
  queues(): Promise<readonly QueueCount[]>;
  cache(): { hits: number; answers: number; bytes: number };
}

/** Finer where most answers are: cached ones take less than a millisecond. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What is counted and measured, for Prometheus. All labels are from fixed sets. */
export class Metrics {
  readonly registry = new Registry();
  private readonly requests: Counter;
  private readonly durations: Histogram;
  /** prom-client looks its labels up anew each time; we do it once for each kind of answer. */
  private readonly known = new Map<string, { inc(): void; observe(seconds: number): void }>();

  constructor(sources: MetricSources) {
    const registers = [this.registry];
    this.requests = new Counter({
      name: 'marketplace_requests_total',
      help: 'Answered requests, by door, operation and error code.',
      labelNames: ['door', 'operation', 'code'],
      registers,
    });
    this.durations = new Histogram({
      name: 'marketplace_request_duration_seconds',
      help: 'From the first byte of a request to the last of its answer.',
      labelNames: ['door', 'operation'],
      buckets,
      registers,
    });
    gaugePool(this.registry, sources);
    gaugeJobs(this.registry, sources);
    gaugeCache(this.registry, sources);
    collectDefaultMetrics({ register: this.registry });
  }

  /** Counts an answer, and how long it took. */
  count({ door, operation, code }: Exchange, seconds: number): void {
    const label = code ?? 'OK';
    const kind = `${door} ${operation} ${label}`;
    let known = this.known.get(kind);
    if (!known) {
      const { inc } = this.requests.labels(door, operation, label);
      known = { inc, observe: this.durations.labels(door, operation).observe };
      this.known.set(kind, known);
    }
    known.inc();
    known.observe(seconds);
  }
}

function gaugePool(registry: Registry, { pool }: MetricSources): void {
  new Gauge({
    name: 'marketplace_database_connections',
    help: 'Connections to the database in use and idle, and requests that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const { totalCount, idleCount, waitingCount } = await pool();
      this.set({ state: 'used' }, totalCount - idleCount);
      this.set({ state: 'idle' }, idleCount);
      this.set({ state: 'waiting' }, waitingCount);
    },
  });
}

function gaugeJobs(registry: Registry, { queues }: MetricSources): void {
  new Gauge({
    name: 'marketplace_jobs',
    help: 'Recorded jobs by queue: waiting, to be tried again, being done, given up. Missing while the database is away.',
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
    help: 'Answers given from memory.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(cache().hits);
    },
  });
  new Gauge({
    name: 'marketplace_cache_bytes',
    help: 'What the answers in memory take.',
    registers: [registry],
    collect() {
      this.set(cache().bytes);
    },
  });
}

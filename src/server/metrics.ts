import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { RequestContext } from './request-context.js';

/** Finer below a millisecond, where cached responses are. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics for Prometheus. All labels are from fixed sets. */
export class Metrics {
  readonly registry = new Registry();
  private readonly requests: Counter;
  private readonly durations: Histogram;
  /** Durations that are not counted yet, by API, then by operation; those of failures by operation and code. */
  private readonly pending: Record<RequestContext['door'], Map<string, Pending>> = {
    rest: new Map(),
    graphql: new Map(),
    site: new Map(),
  };

  constructor() {
    const registers = [this.registry];
    this.requests = new Counter({
      name: 'marketplace_requests_total',
      help: 'Requests by API (door), operation and error code.',
      labelNames: ['door', 'operation', 'code'],
      registers,
      collect: () => this.countPending(),
    });
    this.durations = new Histogram({
      name: 'marketplace_request_duration_seconds',
      help: 'Seconds from the first byte of a request to the last byte of its response.',
      labelNames: ['door', 'operation'],
      buckets,
      registers,
      collect: () => this.countPending(),
    });
    collectDefaultMetrics({ register: this.registry });
  }

  /** Counts a response and its duration. Many are counted together, because prom-client is slow for one. */
  count({ door, operation, code }: RequestContext, seconds: number): void {
    const kind = code === null ? operation : `${operation} ${code}`;
    let pending = this.pending[door].get(kind);
    if (!pending) {
      pending = this.pendingOf(door, operation, code ?? 'OK');
      this.pending[door].set(kind, pending);
    }
    if (pending.durations.push(seconds) === maxPending) pending.count();
  }

  private countPending(): void {
    for (const door of Object.values(this.pending)) for (const pending of door.values()) pending.count();
  }

  private pendingOf(...[door, operation, code]: [door: string, operation: string, code: string]): Pending {
    const requests = this.requests.labels(door, operation, code);
    const histogram = this.durations.labels(door, operation);
    const durations: number[] = [];
    return {
      durations,
      count() {
        requests.inc(durations.length);
        for (const seconds of durations) histogram.observe(seconds);
        durations.length = 0;
      },
    };
  }
}

const maxPending = 200;

/** The durations of requests with the same labels, in seconds. */
interface Pending {
  readonly durations: number[];
  /** Adds them to the metrics. */
  count(): void;
}

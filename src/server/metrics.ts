import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { RequestContext } from './request-context.js';

/** Finer below a millisecond, where cached responses are. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics for Prometheus. All labels are from fixed sets. */
export class Metrics {
  readonly registry = new Registry();
  private readonly requests: Counter;
  private readonly durations: Histogram;

  constructor() {
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
    collectDefaultMetrics({ register: this.registry });
  }

  /** Counts a response and its duration. */
  count({ door, operation, code }: RequestContext, seconds: number): void {
    this.requests.inc({ door, operation, code: code ?? 'OK' });
    this.durations.observe({ door, operation }, seconds);
  }
}

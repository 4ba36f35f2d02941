import type { Interval, LoadOrder, LoadResult } from './load.types.js';
import type { MeasuredResponse } from './response-reader.js';

const MAX_DESCRIBED = 5;

/** Returns the value below which this share of the sorted values is. */
export const percentile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** Checks the responses of a window, and collects their latencies and when they came. */
export class Recorder {
  errors = 0;
  private installed = 0;
  private readonly wrong: string[] = [];
  private readonly latencies: number[] = [];
  private readonly times: number[] = [];

  constructor(private readonly order: LoadOrder) {}

  get measured(): number {
    return this.latencies.length;
  }

  check(index: number, { status, length, start }: MeasuredResponse): void {
    const request = this.order.requests[index]!;
    const expected = this.order.lengths?.[index];
    if (status !== request.status) this.fail(`${request.path} responded ${status}`);
    else if (expected !== undefined && length !== expected)
      this.fail(`${request.path} responded with ${length} bytes instead of ${expected}`);
    else if (request.start !== undefined && !start.startsWith(request.start))
      this.fail(`${request.path} responded with ${start}…`);
    else if (request.installs) this.installed += 1;
  }

  fail(what: string): void {
    this.errors += 1;
    if (this.wrong.length < MAX_DESCRIBED) this.wrong.push(what);
  }

  /** Adds a latency; `atMs` is counted from the start of the measured time. */
  measure(atMs: number, latencyMs: number): void {
    this.times.push(atMs);
    this.latencies.push(latencyMs);
  }

  result(seconds: number, sent: number): LoadResult {
    const sorted = Float64Array.from(this.latencies).sort();
    const responses = sorted.length;
    return {
      responses,
      perSecond: responses / seconds,
      p50Ms: percentile(sorted, 0.5),
      p99Ms: percentile(sorted, 0.99),
      maxMs: sorted.at(-1) ?? 0,
      errors: this.errors,
      wrong: this.wrong,
      installed: this.installed,
      sent,
      intervals: this.intervals(),
    };
  }

  private intervals(): Interval[] {
    const { intervalMs } = this.order;
    if (intervalMs === undefined) return [];
    const groups = new Map<number, number[]>();
    for (const [index, atMs] of this.times.entries()) {
      const at = Math.floor(atMs / intervalMs) * intervalMs;
      const group = groups.get(at) ?? [];
      group.push(this.latencies[index]!);
      groups.set(at, group);
    }
    return [...groups.entries()]
      .sort(([a], [b]) => a - b)
      .map(([atMs, group]) => {
        const sorted = Float64Array.from(group).sort();
        return {
          atMs,
          p50Ms: percentile(sorted, 0.5),
          p99Ms: percentile(sorted, 0.99),
          maxMs: sorted.at(-1) ?? 0,
        };
      });
  }
}

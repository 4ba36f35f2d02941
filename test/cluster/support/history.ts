import { until } from '../../support/mail-server.js';

/** The kinds of writes that the load consists of. */
export type WriteKind =
  | 'create'
  | 'update'
  | 'install'
  | 'installOnce'
  | 'installKeyed'
  | 'rate'
  | 'message'
  | 'submit'
  | 'claim';

/** The response to one attempt. `unknown`: the write may have happened or not, so it may be repeated. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';

interface Attempt {
  readonly kind: WriteKind | 'read';
  readonly gateway: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: Outcome;
}

/** Everything that clients have seen: every attempt with its outcome, and every response that should not exist. */
export class History {
  readonly attempts: Attempt[] = [];
  /** Responses that a client should never see, such as a 500, a 503 without Retry-After, or none in time. */
  readonly problems: string[] = [];
  /** Reads that lacked a write acknowledged more than a second before. */
  staleReads = 0;

  record(attempt: Attempt): void {
    this.attempts.push(attempt);
  }

  problem(text: string): void {
    // A defect repeats itself hundreds of times.
    if (this.problems.length < 1_000) this.problems.push(text);
  }

  get acknowledged(): number {
    return this.attempts.filter(({ kind, outcome }) => kind !== 'read' && outcome === 'acknowledged').length;
  }

  /** Requests that got a 503 or, while gateways are killed, no response. */
  get unavailable(): number {
    return this.attempts.filter(({ outcome }) => outcome === 'unknown').length;
  }

  /** The number of attempts of one kind by outcome. */
  count(kind: Attempt['kind'], outcome: Outcome): number {
    return this.attempts.filter((attempt) => attempt.kind === kind && attempt.outcome === outcome).length;
  }

  /** The longest time that a client waited for a response, in seconds. */
  get longestSeconds(): number {
    return Math.max(0, ...this.attempts.map(({ startedAt, endedAt }) => endedAt - startedAt)) / 1_000;
  }

  /** Attempts since a time, such as the beginning of a fault. */
  since(time: number): readonly Attempt[] {
    return this.attempts.filter(({ startedAt }) => startedAt >= time);
  }

  /**
   * Waits until each of the gateways has acknowledged a write of each of these kinds that was sent after the given time.
   * Returns the seconds from that time to the last of them.
   */
  async recovered(
    since: number,
    gateways: readonly number[],
    withinMs: number,
    kinds: readonly WriteKind[] = ['create', 'update', 'install'],
  ): Promise<number> {
    const first = () =>
      gateways.flatMap((gateway) =>
        kinds.map((kind) =>
          this.attempts.find(
            (attempt) =>
              attempt.kind === kind &&
              attempt.gateway === gateway &&
              attempt.outcome === 'acknowledged' &&
              attempt.startedAt >= since,
          ),
        ),
      );
    await until(
      () => first().every((attempt) => attempt !== undefined),
      () =>
        `writes have not recovered: ${JSON.stringify(first().map((attempt) => attempt?.kind ?? null))}, the last problems: ${this.problems.slice(-3).join('; ')}`,
      withinMs,
    );
    return Math.max(...first().map((attempt) => attempt!.endedAt - since)) / 1_000;
  }
}

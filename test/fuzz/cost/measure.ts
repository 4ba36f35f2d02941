import { errors, Pool } from 'undici';
import { type Candidate, render } from './candidate.js';
import type { MeasuredGateway } from './gateway.js';
import type { Kit, Rendered } from './recipe.js';

/** The cost of one request, and its response. */
export interface Measurement {
  /** Of the gateway and of PostgreSQL together. */
  ms: number;
  postgresMs: number;
  /** 0: no response. */
  status: number;
  /** The code of the refusal, or of the first error. */
  code: string | null;
  bytes: number;
  /** The fault of the response, whatever it cost; null: none. */
  fault: string | null;
  /** Number of times that the same bytes had been sent, this time included. */
  time: number;
}

export const maxAnonymousBytes = 1024 * 1024;
/** A request is sent this often: documents are compiled and responses cached from the second or third time on. */
const repetitions = 10;
/** A candidate is measured on this many variants; garbage of earlier requests is not in all of them. */
const tries = 5;
/** A gateway that does not respond for this long is killed, which ends the search. */
const patienceMs = 60_000;
/** A request that costs this many budgets needs no further repetition. */
const farTooDear = 4;

/** Sends requests one at a time and reads the processor time that the gateway and PostgreSQL used for each. */
export class Meter {
  private readonly pool: Pool;
  private salt = 0;
  /** Requests sent so far. */
  sent = 0;

  constructor(
    private readonly gateway: MeasuredGateway,
    readonly kit: Kit,
  ) {
    this.pool = new Pool(gateway.client.url, {
      connections: 1,
      headersTimeout: patienceMs,
      bodyTimeout: patienceMs,
    });
  }

  /** True if there is nothing left to measure. */
  get hasEnded(): boolean {
    return this.gateway.ended() !== null;
  }

  close(): Promise<void> {
    return this.pool.destroy();
  }

  /** Measures bytes that the gateway has not seen, up to `times` in a row; the dearest counts. */
  async look(candidate: Candidate, times = 1): Promise<Measurement> {
    const rendered = this.render(candidate);
    return dearest(await this.repeat(rendered, times));
  }

  /**
   * Measures what a candidate costs for sure: each of ten repetitions is measured on up to five variants, of which the
   * least counts, and of the ten the dearest. Stops as soon as it is clear that the budget is kept, or by far not.
   */
  async confirm(candidate: Candidate, budgetMs: number): Promise<Measurement> {
    let least: Measurement[] = [];
    for (let i = 0; i < tries; i += 1) {
      const round = await this.repeat(this.render(candidate), repetitions, budgetMs * farTooDear);
      least = i === 0 ? round : leastOf(least, round);
      const { ms, fault } = dearest(least);
      if (ms <= budgetMs || fault || (i > 0 && ms > budgetMs * farTooDear)) break;
    }
    return dearest(least);
  }

  render(candidate: Candidate): Rendered {
    this.salt += 1;
    return render(candidate, this.kit, this.salt);
  }

  private async repeat(rendered: Rendered, times: number, enoughMs = Infinity): Promise<Measurement[]> {
    const measured: Measurement[] = [];
    for (let time = 1; time <= times; time += 1) {
      measured.push({ ...(await this.send(rendered)), time });
      if (measured.at(-1)!.ms > enoughMs) break;
    }
    return measured;
  }

  private async send({ method, path, headers, body, credential }: Rendered): Promise<Measurement> {
    const bearer = this.kit.cast.bearer(credential);
    const before = await this.gateway.usedMs();
    let status = 0;
    let text = '';
    let fault: string | null = null;
    try {
      const answer = await this.pool.request({
        method: method as 'GET',
        path,
        headers: { ...(bearer && { authorization: `Bearer ${bearer}` }), ...headers },
        body,
      });
      status = answer.statusCode;
      text = await answer.body.text();
    } catch (error) {
      // The response to a body that was not read completely may be cut off when the connection closes.
      text = String(error);
      fault = await this.faultOfFailure(error);
    }
    const after = this.gateway.ended() === null ? await this.gateway.usedMs() : null;
    const postgresMs = after ? after.postgres - before.postgres : 0;
    const ms = after ? after.gateway - before.gateway + postgresMs : patienceMs;
    this.sent += 1;
    const isAnonymous = bearer === null || credential === 'nonsense' || credential === 'revokedKey';
    const bytes = status === 0 ? 0 : Buffer.byteLength(text);
    const code = /"code":"([A-Z_]+)"/.exec(text)?.[1] ?? null;
    fault ??= this.faultOf(status, text, isAnonymous ? bytes : 0);
    return { ms, postgresMs, status, code, bytes, fault, time: 1 };
  }

  /** The fault where there is no response; kills a gateway that was busy for too long. */
  private async faultOfFailure(error: unknown): Promise<string | null> {
    if (error instanceof errors.HeadersOverflowError) return 'the headers of its answer are too long';
    if (!(error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError))
      return null;
    await this.gateway.kill();
    return `no answer within ${patienceMs / 1_000} s`;
  }

  private faultOf(status: number, text: string, anonymousBytes: number): string | null {
    const ended = this.gateway.ended();
    if (ended !== null) return `the gateway ended (${ended})`;
    if (status >= 500 || /^\{"errors?":.*"code":"(INTERNAL|UNAVAILABLE)"/.test(text))
      return `it failed with ${status}`;
    if (/call stack|allocation failed/i.test(text)) return 'it tells of its stack';
    if (anonymousBytes > maxAnonymousBytes) return `it answers anybody with ${anonymousBytes} bytes`;
    return null;
  }
}

/** Of each repetition the cheaper one; a round that was broken off has fewer. */
const leastOf = (one: readonly Measurement[], other: readonly Measurement[]): Measurement[] =>
  one.slice(0, other.length).map((left, i) => (other[i]!.ms < left.ms ? other[i]! : left));

const dearest = (measured: readonly Measurement[]): Measurement =>
  measured.find(({ fault }) => fault) ?? measured.reduce((worst, one) => (one.ms > worst.ms ? one : worst));

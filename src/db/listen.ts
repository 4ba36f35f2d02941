import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Logger } from 'pino';

/** How old a beat may be before the connection no longer counts as alive. */
const ALIVE_MS = 500;
const BEAT_EVERY_MS = 150;
/** A beat that takes longer will not come back: the line is dead, though nobody says so. */
const BEAT_GIVEN_UP_AFTER_MS = 2_000;
/** Nobody asks, so nobody needs to know: a service at rest does not keep its database awake. */
const AT_REST_AFTER_MS = 5_000;
const CONNECT_WITHIN_MS = 5_000;
const RECONNECT_AFTER_MS = 100;
const RECONNECT_AT_MOST_AFTER_MS = 5_000;

interface ListenOptions {
  databaseUrl: string;
  channel: string;
  log: Logger;
  /** Hears every word of the channel. */
  onWord(word: string): void;
  /** Whatever was said before may have been missed. */
  onConnected(): void;
  /** Says a word on the channel over another connection. */
  say(word: string): Promise<unknown>;
}

/**
 * A connection that hears a channel of PostgreSQL, and knows whether it does: an answered beat proves that whatever was
 * committed before the beat was sent has been heard, because PostgreSQL sends words that wait before it answers.
 */
export class DatabaseListener {
  private client: Client | null = null;
  /** When the last beat that was answered was sent. */
  private heardUntil = Number.NEGATIVE_INFINITY;
  private beatSentAt: number | null = null;
  private askedAt = Number.NEGATIVE_INFINITY;
  private beating: NodeJS.Timeout | null = null;
  private expected: { word: string; heard: () => void } | null = null;
  private readonly closing = new AbortController();
  private readonly running: Promise<void>;

  constructor(private readonly options: ListenOptions) {
    this.running = this.run();
  }

  /** Whether everything that was committed half a second ago has been heard. Asking keeps the beats going. */
  isAlive(): boolean {
    const now = performance.now();
    this.askedAt = now;
    if (!this.beating) {
      this.beating = setInterval(() => this.tick(), BEAT_EVERY_MS).unref();
      this.beat(now);
    }
    return now - this.heardUntil < ALIVE_MS;
  }

  async close(): Promise<void> {
    this.closing.abort();
    if (this.beating) clearInterval(this.beating);
    await this.running;
  }

  private tick(): void {
    const now = performance.now();
    if (now - this.askedAt > AT_REST_AFTER_MS && this.beating) {
      clearInterval(this.beating);
      this.beating = null;
    } else this.beat(now);
  }

  private beat(now: number): void {
    const { client } = this;
    if (!client) return;
    if (this.beatSentAt !== null) {
      // With a statement under way this cuts the line, and does not wait for an answer.
      if (now - this.beatSentAt > BEAT_GIVEN_UP_AFTER_MS) void client.end().catch(() => undefined);
      return;
    }
    this.beatSentAt = now;
    client.query('').then(
      () => {
        if (this.client !== client) return;
        this.heardUntil = now;
        this.beatSentAt = null;
      },
      // The end of the connection is told by its own event.
      () => undefined,
    );
  }

  /** Connects, again and again. */
  private async run(): Promise<void> {
    const { signal } = this.closing;
    let pause = RECONNECT_AFTER_MS;
    while (!signal.aborted) {
      try {
        await this.listenUntilLost(() => {
          pause = RECONNECT_AFTER_MS;
        });
      } catch (error) {
        if (!signal.aborted)
          this.options.log.warn({ err: error }, 'changes of the catalog cannot be heard: nothing is cached');
      }
      await delay(pause, undefined, { signal, ref: false }).catch(() => undefined);
      pause = Math.min(pause * 2, RECONNECT_AT_MOST_AFTER_MS);
    }
  }

  private async listenUntilLost(onListening: () => void): Promise<void> {
    const { databaseUrl, channel, onConnected } = this.options;
    const client = new Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      application_name: `marketplace-gateway: ${channel}`,
    });
    const lost = new Promise<void>((resolve) => client.once('end', resolve));
    const end = () => void client.end().catch(() => undefined);
    this.closing.signal.addEventListener('abort', end);
    // A broken connection also ends, and that is where it is dealt with.
    client.on('error', () => undefined);
    client.on('notification', ({ payload = '' }) => this.hear(payload));
    try {
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      await this.prove(lost);
      onConnected();
      onListening();
      this.client = client;
      this.beat(performance.now());
      await lost;
    } finally {
      this.client = null;
      this.heardUntil = Number.NEGATIVE_INFINITY;
      this.beatSentAt = null;
      this.closing.signal.removeEventListener('abort', end);
      end();
    }
  }

  /** A pooler between us may take LISTEN and lose every word: what is said elsewhere has to arrive before it is trusted. */
  private async prove(lost: Promise<void>): Promise<void> {
    const word = `hello ${crypto.randomUUID()}`;
    const heard = new Promise<true>((resolve) => {
      this.expected = { word, heard: () => resolve(true) };
    });
    const tooLate = delay(BEAT_GIVEN_UP_AFTER_MS, undefined, { ref: false });
    if (!(await Promise.race([this.options.say(word).then(() => heard), lost, tooLate])))
      throw new Error('a word on the channel was not heard: DATABASE_URL must lead to PostgreSQL itself');
  }

  private hear(word: string): void {
    if (word === this.expected?.word) this.expected.heard();
    else if (!word.startsWith('hello ')) this.options.onWord(word);
  }
}

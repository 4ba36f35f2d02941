import { Socket } from 'node:net';
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
  private connection: { client: Client; cut(): void } | null = null;
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
    const { connection } = this;
    if (!connection) return;
    if (this.beatSentAt !== null) {
      if (now - this.beatSentAt > BEAT_GIVEN_UP_AFTER_MS) connection.cut();
      return;
    }
    this.beatSentAt = now;
    connection.client.query('').then(
      () => {
        if (this.connection !== connection) return;
        this.heardUntil = now;
        this.beatSentAt = null;
      },
      // The loss of the connection is told by the line itself.
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
    // A line of our own making can be cut for certain, whatever the client is waiting for.
    const line = new Socket();
    const client = new Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      application_name: `marketplace-gateway ${channel}`,
      stream: () => line,
    });
    const lost = new Promise<void>((resolve) => line.once('close', resolve));
    const unlessLost = <T>(work: Promise<T>): Promise<T> =>
      Promise.race([work, lost.then(() => Promise.reject(new Error('the connection was lost')))]);
    const cut = () => void line.destroy();
    this.closing.signal.addEventListener('abort', cut);
    // A broken connection is lost, and that is where it is dealt with.
    client.on('error', () => undefined);
    client.on('notification', ({ payload = '' }) => this.hear(payload));
    try {
      await unlessLost(client.connect());
      await unlessLost(client.query(`listen ${client.escapeIdentifier(channel)}`));
      await unlessLost(this.prove());
      onConnected();
      onListening();
      this.connection = { client, cut };
      this.beat(performance.now());
      await lost;
    } finally {
      this.connection = null;
      this.heardUntil = Number.NEGATIVE_INFINITY;
      this.beatSentAt = null;
      this.closing.signal.removeEventListener('abort', cut);
      cut();
    }
  }

  /** A pooler between us may take LISTEN and lose every word: what is said elsewhere has to arrive before it is trusted. */
  private async prove(): Promise<void> {
    const word = `hello ${crypto.randomUUID()}`;
    const heard = new Promise<true>((resolve) => {
      this.expected = { word, heard: () => resolve(true) };
    });
    await this.options.say(word);
    const tooLate = delay(BEAT_GIVEN_UP_AFTER_MS, false, { ref: false });
    if (!(await Promise.race([heard, tooLate])))
      throw new Error('a word on the channel was not heard: DATABASE_URL must lead to PostgreSQL itself');
  }

  private hear(word: string): void {
    if (word === this.expected?.word) this.expected.heard();
    else if (!word.startsWith('hello ')) this.options.onWord(word);
  }
}

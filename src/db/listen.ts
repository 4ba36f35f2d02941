import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { DatabaseClient } from './client.js';
import { inTime } from './in-time.js';
import { createClient } from './pool.js';

/** Maximum age of the last answered heartbeat while the connection counts as alive. */
const ALIVE_MS = 500;
const HEARTBEAT_INTERVAL_MS = 150;
/** Longest time in which a notification arrives. */
const DELIVERY_TIMEOUT_MS = 2_000;
/** Heartbeats pause when `isAlive` is not called for this long, so that an idle service causes no database load. */
const IDLE_AFTER_MS = 5_000;
/** Longest time that a request waits for the first heartbeat after a rest. */
const WAKE_TIMEOUT_MS = 200;
const MIN_RECONNECT_DELAY_MS = 100;
const MAX_RECONNECT_DELAY_MS = 5_000;
const lost = 'the connection was lost';
const notDelivered =
  'a notification did not arrive: if DATABASE_URL leads to a connection pooler, DATABASE_DIRECT_URL must lead to the same database without it';
/** Channel of the notifications that only test the connection. */
const PROBE_CHANNEL = 'hello';

interface ListenerOptions {
  databaseUrl: string;
  log: Logger;
  /** Sends a notification over another connection. */
  notify(channel: string, payload: string): Promise<unknown>;
}

/** A part of the service that needs the notifications of a channel. */
export interface Subscriber {
  readonly channel: string;
  /** The consequence of a lost connection, for the log. */
  readonly effectOfLoss: string;
  onNotification(payload: string): void;
  /** Called after each (re)connect: earlier notifications may have been missed. */
  onConnected(): void;
}

/**
 * Listens on PostgreSQL's channels over one connection, and knows whether it has received everything. PostgreSQL delivers
 * pending notifications before it answers a query, so an answered heartbeat proves that every notification committed
 * before the heartbeat was sent has arrived.
 */
export class DatabaseListener {
  private readonly subscribers = new Map<string, Subscriber>();
  private connection: DatabaseClient | null = null;
  /** Settles when the connection has executed all statements. */
  private lastStatement: Promise<unknown> = Promise.resolve();
  /** Send time of the last answered heartbeat: every notification committed before it has been received. */
  private receivedUntil = Number.NEGATIVE_INFINITY;
  private isHeartbeatSent = false;
  private lastCheckedAt = Number.NEGATIVE_INFINITY;
  private heartbeatTimer: NodeJS.Timeout | null = null;
  private waking: Promise<void> | null = null;
  private probe: { payload: string; received: () => void } | null = null;
  private readonly closing = new AbortController();
  private readonly running: Promise<void>;

  constructor(private readonly options: ListenerOptions) {
    this.running = this.run();
  }

  /** Listens on one more channel, until the returned function is called. */
  subscribe(subscriber: Subscriber): () => void {
    const { channel } = subscriber;
    this.subscribers.set(channel, subscriber);
    if (this.connection)
      this.listenTo(this.connection, subscriber).catch(() => this.connection?.abandon(lost));
    return () => {
      this.subscribers.delete(channel);
      const { connection } = this;
      if (connection)
        this.execute(connection, `unlisten ${connection.escapeIdentifier(channel)}`).catch(() => undefined);
    };
  }

  /** Returns true if every notification committed half a second ago or earlier was received. Calls keep the heartbeats going. */
  isAlive(): boolean {
    const now = performance.now();
    this.lastCheckedAt = now;
    if (!this.heartbeatTimer) {
      this.heartbeatTimer = setInterval(() => this.tick(), HEARTBEAT_INTERVAL_MS).unref();
      this.sendHeartbeat(now);
    }
    return now - this.receivedUntil < ALIVE_MS;
  }

  /** Returns a promise for the first heartbeat after a rest, or for a short time without one; null if there was no rest. */
  wake(): Promise<void> | null {
    if (!this.waking && !this.heartbeatTimer && this.connection) {
      this.isAlive();
      this.waking = inTime(this.lastStatement, WAKE_TIMEOUT_MS, () => undefined).then(() => {
        this.waking = null;
      });
    }
    return this.waking;
  }

  /** Returns whether the connection is open, and sends a heartbeat: without an answer the connection is given up later. */
  isConnected(): boolean {
    this.sendHeartbeat(performance.now());
    return this.connection !== null;
  }

  /** Executes a statement on the listening connection; rejects while there is none, and when it is lost. */
  async query<Row extends object>(sql: string): Promise<Row[]> {
    const { connection } = this;
    if (!connection) throw new Error('there is no listening connection');
    return this.execute<Row>(connection, sql);
  }

  async close(): Promise<void> {
    this.closing.abort();
    if (this.heartbeatTimer) clearInterval(this.heartbeatTimer);
    await this.running;
  }

  private tick(): void {
    const now = performance.now();
    if (now - this.lastCheckedAt > IDLE_AFTER_MS && this.heartbeatTimer) {
      clearInterval(this.heartbeatTimer);
      this.heartbeatTimer = null;
    } else this.sendHeartbeat(now);
  }

  private sendHeartbeat(now: number): void {
    const { connection } = this;
    // A connection whose heartbeat is not answered ends itself (D234).
    if (!connection || this.isHeartbeatSent) return;
    this.isHeartbeatSent = true;
    this.execute(connection, '').then(
      () => {
        if (this.connection !== connection) return;
        this.receivedUntil = now;
        this.isHeartbeatSent = false;
      },
      // A lost connection is handled when its socket closes.
      () => undefined,
    );
  }

  /** Connects, and reconnects with growing delays whenever the connection is lost. */
  private async run(): Promise<void> {
    const { signal } = this.closing;
    let delayMs = MIN_RECONNECT_DELAY_MS;
    while (!signal.aborted) {
      try {
        await this.listenUntilLost(() => {
          delayMs = MIN_RECONNECT_DELAY_MS;
        });
      } catch (error) {
        if (!signal.aborted) this.warn(error);
      }
      await delay(delayMs, undefined, { signal, ref: false }).catch(() => undefined);
      delayMs = Math.min(delayMs * 2, MAX_RECONNECT_DELAY_MS);
    }
  }

  private warn(error: unknown): void {
    const effects = [...this.subscribers.values()].map(({ effectOfLoss }) => effectOfLoss).join(', ');
    this.options.log.warn({ err: error }, `cannot listen for changes in the database: ${effects}`);
  }

  private async listenUntilLost(onListening: () => void): Promise<void> {
    const client = createClient({ url: this.options.databaseUrl, purpose: 'listen' });
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    const unlessLost = <T>(work: Promise<T>): Promise<T> =>
      Promise.race([work, ended.then(() => Promise.reject(new Error(lost)))]);
    const close = () => client.abandon('the listener is closed');
    this.closing.signal.addEventListener('abort', close);
    this.lastStatement = Promise.resolve();
    client.on('notification', ({ channel, payload = '' }) => this.receive(channel, payload));
    try {
      await unlessLost(client.connect());
      await unlessLost(this.verifyDelivery(client));
      for (const subscriber of this.subscribers.values()) await unlessLost(this.listenTo(client, subscriber));
      onListening();
      this.connection = client;
      this.sendHeartbeat(performance.now());
      await ended;
    } finally {
      this.connection = null;
      this.receivedUntil = Number.NEGATIVE_INFINITY;
      this.isHeartbeatSent = false;
      this.closing.signal.removeEventListener('abort', close);
      close();
    }
  }

  /** Executes one statement after the other: pg's own queue is deprecated. */
  private execute<Row extends object>(client: DatabaseClient, sql: string): Promise<Row[]> {
    const rows = this.lastStatement.then(async () => (await client.query<Row>(sql)).rows);
    this.lastStatement = rows.catch(() => undefined);
    return rows;
  }

  private async listenTo(client: DatabaseClient, { channel, onConnected }: Subscriber): Promise<void> {
    await this.execute(client, `listen ${client.escapeIdentifier(channel)}`);
    onConnected();
  }

  /** Sends a notification and waits for it: a connection pooler may accept LISTEN and never deliver anything. */
  private async verifyDelivery(client: DatabaseClient): Promise<void> {
    await client.query(`listen ${PROBE_CHANNEL}`);
    const payload = crypto.randomUUID();
    const received = new Promise<void>((resolve) => {
      this.probe = { payload, received: resolve };
    });
    await this.options.notify(PROBE_CHANNEL, payload);
    await inTime(received, DELIVERY_TIMEOUT_MS, () => Promise.reject(new Error(notDelivered)));
  }

  private receive(channel: string, payload: string): void {
    if (channel !== PROBE_CHANNEL) this.subscribers.get(channel)?.onNotification(payload);
    else if (payload === this.probe?.payload) this.probe.received();
  }
}

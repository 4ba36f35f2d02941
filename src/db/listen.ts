import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Logger } from 'pino';

/** Maximum age of the last answered heartbeat while the connection counts as alive. */
const ALIVE_MS = 500;
const HEARTBEAT_INTERVAL_MS = 150;
/** A heartbeat without a response for this long means that the connection is broken, even if no error was reported. */
const HEARTBEAT_TIMEOUT_MS = 2_000;
/** Heartbeats pause when `isAlive` is not called for this long, so that an idle service causes no database load. */
const IDLE_AFTER_MS = 5_000;
const CONNECT_TIMEOUT_MS = 5_000;
const MIN_RECONNECT_DELAY_MS = 100;
const MAX_RECONNECT_DELAY_MS = 5_000;
/** Prefix of the payloads that only test the connection. */
const PROBE = 'hello ';

interface ListenOptions {
  databaseUrl: string;
  channel: string;
  log: Logger;
  /** The part of the service that needs the connection, for the log. */
  effectOfLoss: string;
  onNotification(payload: string): void;
  /** Called after each (re)connect: earlier notifications may have been missed. */
  onConnected(): void;
  /** Sends a notification on the channel over another connection. */
  notify(payload: string): Promise<unknown>;
}

/**
 * Listens on a PostgreSQL channel, and knows whether it has received everything. PostgreSQL delivers pending
 * notifications before it answers a query, so an answered heartbeat proves that every notification committed before the
 * heartbeat was sent has arrived.
 */
export class DatabaseListener {
  private connection: { client: Client; destroy(): void } | null = null;
  /** Send time of the last answered heartbeat: every notification committed before it has been received. */
  private receivedUntil = Number.NEGATIVE_INFINITY;
  /** Send time of the heartbeat that waits for its response; null if none does. */
  private heartbeatSentAt: number | null = null;
  private lastCheckedAt = Number.NEGATIVE_INFINITY;
  private heartbeatTimer: NodeJS.Timeout | null = null;
  private probe: { payload: string; received: () => void } | null = null;
  private readonly closing = new AbortController();
  private readonly running: Promise<void>;

  constructor(private readonly options: ListenOptions) {
    this.running = this.run();
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
    if (!connection) return;
    if (this.heartbeatSentAt !== null) {
      if (now - this.heartbeatSentAt > HEARTBEAT_TIMEOUT_MS) connection.destroy();
      return;
    }
    this.heartbeatSentAt = now;
    connection.client.query('').then(
      () => {
        if (this.connection !== connection) return;
        this.receivedUntil = now;
        this.heartbeatSentAt = null;
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
        if (!signal.aborted)
          this.options.log.warn(
            { err: error },
            `cannot listen for changes in the database: ${this.options.effectOfLoss}`,
          );
      }
      await delay(delayMs, undefined, { signal, ref: false }).catch(() => undefined);
      delayMs = Math.min(delayMs * 2, MAX_RECONNECT_DELAY_MS);
    }
  }

  private async listenUntilLost(onListening: () => void): Promise<void> {
    const { databaseUrl, channel, onConnected } = this.options;
    // A socket of our own can be destroyed at any time, whatever the client is waiting for.
    const socket = new Socket();
    const client = new Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: `marketplace-gateway ${channel}`,
      stream: () => socket,
    });
    const lost = new Promise<void>((resolve) => socket.once('close', resolve));
    const unlessLost = <T>(work: Promise<T>): Promise<T> =>
      Promise.race([work, lost.then(() => Promise.reject(new Error('the connection was lost')))]);
    const destroy = () => void socket.destroy();
    this.closing.signal.addEventListener('abort', destroy);
    // An error closes the socket, which is handled below.
    client.on('error', () => undefined);
    client.on('notification', ({ payload = '' }) => this.receive(payload));
    try {
      await unlessLost(client.connect());
      await unlessLost(client.query(`listen ${client.escapeIdentifier(channel)}`));
      await unlessLost(this.verifyDelivery());
      onConnected();
      onListening();
      this.connection = { client, destroy };
      this.sendHeartbeat(performance.now());
      await lost;
    } finally {
      this.connection = null;
      this.receivedUntil = Number.NEGATIVE_INFINITY;
      this.heartbeatSentAt = null;
      this.closing.signal.removeEventListener('abort', destroy);
      destroy();
    }
  }

  /** Sends a notification and waits for it: a connection pooler may accept LISTEN and never deliver anything. */
  private async verifyDelivery(): Promise<void> {
    const payload = `${PROBE}${crypto.randomUUID()}`;
    const received = new Promise<true>((resolve) => {
      this.probe = { payload, received: () => resolve(true) };
    });
    await this.options.notify(payload);
    const timeout = delay(HEARTBEAT_TIMEOUT_MS, false, { ref: false });
    if (!(await Promise.race([received, timeout])))
      throw new Error(
        'a notification did not arrive: DATABASE_URL must lead to PostgreSQL itself, not to a connection pooler',
      );
  }

  private receive(payload: string): void {
    if (payload === this.probe?.payload) this.probe.received();
    else if (!payload.startsWith(PROBE)) this.options.onNotification(payload);
  }
}

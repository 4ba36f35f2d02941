import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import type { DatabaseHost, DatabaseHosts } from './hosts.js';
import { chargedTo } from './payer.js';
import { followStatements } from './statements.js';

/** PostgreSQL's code for a write on a server that only reads, such as a former primary. */
const READ_ONLY = '25006';

/** Rules of a connection that go beyond those of pg. */
export interface ClientRules {
  /** A statement without an answer for this long means that the connection is dead; null: never. */
  readonly silenceMs: number | null;
  /** Called when a connection was found dead: others to the same server may be dead too. */
  onSilence(): void;
  /** The servers to choose from; null: only that of the configuration. */
  readonly hosts: DatabaseHosts | null;
  /** Adapts a statement to a pooler in transaction mode; null: the connection leads to PostgreSQL itself. */
  readonly adapt: ((statement: unknown) => unknown) | null;
  /** True: statements are charged to the requests that send them, and end with them. */
  readonly isForRequests: boolean;
  /** Runtime after which PostgreSQL ends a statement; null: never. */
  readonly statementMs: number | null;
}

/** Fields of pg's client that its types do not declare. */
interface ClientState {
  /** False while a statement runs, true between statements, undefined before the login. */
  readyForQuery?: boolean;
  /** True from a call of `end` on. */
  _ending?: boolean;
}

/**
 * A connection that ends itself when it is of no more use: after a silence that no statement explains, and when the
 * server turns out to be read-only. A timer of the socket finds the silence, which costs nothing per statement.
 */
export class DatabaseClient extends Client {
  private chosen: DatabaseHost | null = null;
  private parsed = 0;

  constructor(
    config: ClientConfig,
    private readonly rules: ClientRules,
  ) {
    super(config);
    if (rules.silenceMs !== null)
      this.socket.setTimeout(rules.silenceMs).on('timeout', () => this.checkSilence());
    this.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code !== READ_ONLY) return;
      this.suspectHost();
      // The caller gets the error first.
      setImmediate(() => this.abandon('the server is read-only'));
    });
    this.connection.on('parseComplete', () => {
      this.parsed += 1;
    });
    followStatements(this, rules);
  }

  override connect(): Promise<Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<Client> | undefined {
    const { hosts } = this.rules;
    if (!callback) return hosts ? this.connectToPrimary(hosts) : super.connect();
    if (!hosts) super.connect(callback);
    else this.connectToPrimary(hosts).then(() => Reflect.apply(callback, null, [null]), callback);
    return undefined;
  }

  /** Number of statements that the server has parsed: those that have a name only once. */
  get parsedCount(): number {
    return this.parsed;
  }

  /** Closes the connection without a word to the server. A running statement fails, and the pool removes the client. */
  abandon(reason: string): void {
    this.socket.destroy(
      Object.assign(new Error(`Connection terminated by the client: ${reason}`), { code: 'ETIMEDOUT' }),
    );
  }

  private async connectToPrimary(hosts: DatabaseHosts): Promise<Client> {
    const chosen = await hosts.pick();
    if (this.socket.destroyed) throw new Error('Connection terminated due to connection timeout');
    Object.assign(this, { chosen, host: chosen.host, port: chosen.port });
    try {
      await super.connect();
      await requireWritable(this);
      return this;
    } catch (error) {
      this.suspectHost();
      super.end().catch(() => undefined);
      throw error;
    }
  }

  private suspectHost(): void {
    if (this.chosen) this.rules.hosts?.suspect(this.chosen);
  }

  private get socket(): Socket {
    return this.connection.stream as Socket;
  }

  /** Reads once more before it decides: a process that was frozen or busy finds its timers due before the answers. */
  private checkSilence(): void {
    const { readyForQuery, _ending: isEnding = false } = this as ClientState;
    const isWaiting = readyForQuery === false;
    if (!isWaiting && !isEnding) return;
    const { socket } = this;
    const { bytesRead } = socket;
    setImmediate(() => {
      if (socket.bytesRead === bytesRead) this.endSilent(isWaiting);
    });
  }

  private endSilent(wasWaiting: boolean): void {
    this.abandon('the database was silent for too long');
    if (!wasWaiting) return;
    this.suspectHost();
    this.rules.onSilence();
  }
}

/** Rejects if the server of a connection is a replica, or read-only for another reason. */
export async function requireWritable(client: Client): Promise<void> {
  const { rows } = await chargedTo(null, () =>
    client.query<{ transaction_read_only: string }>('show transaction_read_only'),
  );
  if (rows[0]?.transaction_read_only !== 'off') throw new Error('The server is read-only.');
}

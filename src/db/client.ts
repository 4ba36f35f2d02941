import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';

/** PostgreSQL's code for a write on a server that only reads, such as a former primary. */
const READ_ONLY = '25006';

/** Rules of a connection that go beyond those of pg. */
export interface ClientRules {
  /** A statement without an answer for this long means that the connection is dead; null: never. */
  readonly silenceMs: number | null;
  /** Called when a connection was found dead: others to the same server may be dead too. */
  onSilence(): void;
}

/** Fields of pg's client that its types do not declare. */
interface ClientState {
  /** False while a statement runs, true between statements, undefined before the login. */
  readyForQuery?: boolean;
}

/**
 * A connection that ends itself when it is of no more use: after a silence that no statement explains, and when the
 * server turns out to be read-only. A timer of the socket finds the silence, which costs nothing per statement.
 */
export class DatabaseClient extends Client {
  private isEnding = false;

  constructor(
    config: ClientConfig,
    private readonly rules: ClientRules,
  ) {
    super(config);
    if (rules.silenceMs !== null)
      this.socket.setTimeout(rules.silenceMs).on('timeout', () => this.checkSilence());
    this.connection.on('errorMessage', ({ code }: { code?: string }) => {
      // The caller gets the error first.
      if (code === READ_ONLY) setImmediate(() => this.abandon('the server is read-only'));
    });
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | undefined {
    this.isEnding = true;
    if (!callback) return super.end();
    super.end(callback);
    return undefined;
  }

  /** Closes the connection without a word to the server. A running statement fails, and the pool removes the client. */
  abandon(reason: string): void {
    this.socket.destroy(
      Object.assign(new Error(`Connection terminated by the client: ${reason}`), { code: 'ETIMEDOUT' }),
    );
  }

  private get socket(): Socket {
    return this.connection.stream as Socket;
  }

  private checkSilence(): void {
    const isWaiting = (this as ClientState).readyForQuery === false;
    if (!isWaiting && !this.isEnding) return;
    this.abandon('the database was silent for too long');
    if (isWaiting) this.rules.onSilence();
  }
}

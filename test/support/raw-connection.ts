import { connect, type Socket } from 'node:net';

/** The first response on a connection, parsed from its bytes. */
export interface ParsedResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** All bytes that were received, for tests that expect several responses or none. */
  text: string;
}

/** A TCP connection to the service, for bytes that no HTTP client would send. */
export class RawConnection {
  private received = '';
  private readonly closed: Promise<void>;
  private readonly socket: Socket;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    this.socket.on('error', () => undefined);
    this.socket.on('data', (data) => {
      this.received += data.toString('latin1');
    });
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()));
  }

  send(bytes: string | Buffer): this {
    this.socket.write(bytes);
    return this;
  }

  stopReading(): this {
    this.socket.pause();
    return this;
  }

  /** Closes the connection without waiting for a response. */
  abort(): void {
    this.socket.destroy();
  }

  /** Returns what was received until the service closed the connection. */
  async readUntilClosed(): Promise<ParsedResponse> {
    await this.closed;
    return parse(this.received);
  }

  /** Waits until a pattern was received, or the service has closed the connection, which stays open otherwise. */
  async readUntil(pattern: RegExp): Promise<ParsedResponse> {
    while (!pattern.test(this.received) && !this.socket.destroyed)
      await new Promise<void>((resolve) => {
        const done = () => {
          this.socket.off('data', done).off('close', done);
          resolve();
        };
        this.socket.on('data', done).on('close', done);
      });
    return parse(this.received);
  }
}

function parse(text: string): ParsedResponse {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split(': ');
    return [name.toLowerCase(), value.join(': ')];
  });
  return {
    status: Number(statusLine.split(' ')[1] ?? 0),
    headers: Object.fromEntries(headers),
    body: rest.join('\r\n\r\n'),
    text,
  };
}

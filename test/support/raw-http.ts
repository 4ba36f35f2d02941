import { connect, type Socket } from 'node:net';

/** A response as it came over the wire. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Everything that was received, where there were several responses or none. */
  text: string;
}

/** A connection on which a test sends what no HTTP client would. */
export class RawConnection {
  private heard = '';
  private readonly ended: Promise<void>;
  private readonly socket: Socket;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    this.socket.on('error', () => undefined);
    this.socket.on('data', (data) => {
      this.heard += data.toString('latin1');
    });
    this.ended = new Promise((resolve) => this.socket.once('close', () => resolve()));
  }

  say(words: string | Buffer): this {
    this.socket.write(words);
    return this;
  }

  /** Reads nothing more. */
  stopReading(): this {
    this.socket.pause();
    return this;
  }

  /** What was heard until the other end closed. */
  async untilClosed(): Promise<RawAnswer> {
    await this.ended;
    return parse(this.heard);
  }

  /** What is heard as soon as it is enough. */
  async until(enough: RegExp): Promise<RawAnswer> {
    while (!enough.test(this.heard) && !this.socket.destroyed)
      await new Promise<void>((resolve) => {
        const done = () => {
          this.socket.off('data', done).off('close', done);
          resolve();
        };
        this.socket.on('data', done).on('close', done);
      });
    this.socket.destroy();
    return parse(this.heard);
  }
}

function parse(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const headers = lines.map((header): [string, string] => {
    const [name = '', ...value] = header.split(': ');
    return [name.toLowerCase(), value.join(': ')];
  });
  return {
    status: Number(line.split(' ')[1] ?? 0),
    headers: Object.fromEntries(headers),
    body: rest.join('\r\n\r\n'),
    text,
  };
}

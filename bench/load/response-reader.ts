/** Status of a response, length of its body, and the first characters of its body. */
export interface MeasuredResponse {
  readonly status: number;
  readonly length: number;
  readonly start: string;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');
const NOTHING = Buffer.alloc(0);
const START_LENGTH = 16;

type State = 'head' | 'body' | 'chunk size' | 'chunk' | 'chunk end' | 'trailer';

/**
 * Parses HTTP/1.1 responses, with Content-Length or chunked, from the bytes of one connection, in pieces of any size.
 * Bodies are counted but not stored, so that the parser costs little compared to the server that is measured.
 */
export class ResponseReader {
  private state: State = 'head';
  private pending: Buffer = NOTHING;
  private remaining = 0;
  private status = 0;
  private length = 0;
  private start = '';

  constructor(private readonly onResponse: (response: MeasuredResponse) => void) {}

  push(bytes: Buffer): void {
    let rest: Buffer | null = this.pending.length > 0 ? Buffer.concat([this.pending, bytes]) : bytes;
    this.pending = NOTHING;
    while (rest && rest.length > 0) rest = this.step(rest);
  }

  /** Parses the next part and returns the remaining bytes; null if more bytes are needed. */
  private step(bytes: Buffer): Buffer | null {
    switch (this.state) {
      case 'head':
        return this.line(bytes, HEAD_END, (head) => this.readHead(head));
      case 'chunk size':
        return this.line(bytes, LINE_END, (line) => this.readChunkSize(line));
      case 'chunk end':
        return this.line(bytes, LINE_END, () => {
          this.state = 'chunk size';
        });
      case 'trailer':
        return this.line(bytes, LINE_END, (line) => {
          if (line === '') this.finish();
        });
      default:
        return this.readBody(bytes);
    }
  }

  private line(bytes: Buffer, end: Buffer, use: (text: string) => void): Buffer | null {
    const at = bytes.indexOf(end);
    if (at < 0) {
      this.pending = bytes;
      return null;
    }
    use(bytes.toString('latin1', 0, at));
    return bytes.subarray(at + end.length);
  }

  private readHead(head: string): void {
    this.status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    this.remaining = Number(length ?? 0);
    if (/\r\ntransfer-encoding: *chunked/i.test(head)) this.state = 'chunk size';
    else if (this.remaining === 0) this.finish();
    else this.state = 'body';
  }

  private readChunkSize(line: string): void {
    this.remaining = Number.parseInt(line, 16);
    if (Number.isNaN(this.remaining)) throw new Error(`"${line.slice(0, 20)}" is not the size of a chunk`);
    this.state = this.remaining === 0 ? 'trailer' : 'chunk';
  }

  private readBody(bytes: Buffer): Buffer {
    const taken = Math.min(this.remaining, bytes.length);
    if (this.start.length < START_LENGTH)
      this.start += bytes.toString('latin1', 0, Math.min(taken, START_LENGTH - this.start.length));
    this.length += taken;
    this.remaining -= taken;
    if (this.remaining === 0 && this.state === 'body') this.finish();
    else if (this.remaining === 0) this.state = 'chunk end';
    return bytes.subarray(taken);
  }

  private finish(): void {
    const response = { status: this.status, length: this.length, start: this.start };
    this.state = 'head';
    this.length = 0;
    this.start = '';
    this.onResponse(response);
  }
}

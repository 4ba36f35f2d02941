import type { HttpResponse } from './http-response.js';

/** A short body is joined with the headers and written in one piece, which is faster than two. */
const maxJoinedBytes = 4_096;

/** A complete response that is written many times: its list of headers is made once. */
export class RepeatedResponse implements HttpResponse {
  readonly status: number;
  readonly headers: HttpResponse['headers'];
  /** The bytes of the body, those of a short one as a string with one character for each byte. */
  readonly content: Buffer | string;
  private knownHead: readonly string[] | null = null;

  constructor({ status, headers, body = '' }: HttpResponse) {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    this.status = status;
    this.headers = headers;
    this.content = bytes.length <= maxJoinedBytes ? bytes.toString('latin1') : copied(bytes);
  }

  get body(): Buffer {
    return typeof this.content === 'string' ? Buffer.from(this.content, 'latin1') : this.content;
  }

  /** Returns the headers as names and values. The first one is the id of the request. */
  headFor(requestId: string, commonHeaders: ReadonlyMap<string, string>): string[] {
    this.knownHead ??= this.listHeaders(commonHeaders);
    const head = this.knownHead.slice();
    head[1] = requestId;
    return head;
  }

  private listHeaders(commonHeaders: ReadonlyMap<string, string>): readonly string[] {
    const own = Object.entries(this.headers).filter((entry): entry is [string, string] => entry[1] !== null);
    const common = [...commonHeaders].filter(([name]) => !(name in this.headers));
    const length = String(this.content.length);
    return [['x-request-id', ''], ...common, ...own, ['content-length', length]].flat();
  }
}

/** Copies the bytes, since a slice of a pooled buffer would keep the whole pool in memory. */
const copied = (bytes: Buffer): Buffer => Buffer.from(new Uint8Array(bytes).buffer);

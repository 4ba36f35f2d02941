import { chooseEncoding, compressResponse, type Encoding, encodedTag } from './encodings.js';
import type { HeadTemplate } from './head-template.js';
import type { HttpResponse } from './http-response.js';
import type { CorsHeaders } from './request-context.js';

/** A short body is joined with the headers and written in one piece, which is faster than two. */
const maxJoinedBytes = 4_096;

/** Shorter bodies fit into one packet anyway. */
export const minCompressedBytes = 1_024;

/** A complete response that is written many times: its head and its compressed forms are made once. */
export class RepeatedResponse implements HttpResponse {
  /** Made by Node for the first response to each origin. */
  readonly templates = new WeakMap<CorsHeaders, HeadTemplate>();
  /** The forms for clients that send `Accept-Encoding`, by encoding. */
  private readonly forms = new Map<Encoding | 'identity', RepeatedResponse | Promise<RepeatedResponse>>();

  private constructor(
    readonly status: number,
    readonly headers: HttpResponse['headers'],
    /** The bytes of the body, those of a short one as a string with one character for each byte. */
    readonly content: Buffer | string,
    private readonly onCompressed: () => void = () => undefined,
  ) {}

  /** `onCompressed` is told when the response takes more memory than before. */
  static of({ status, headers, body = '' }: HttpResponse, onCompressed?: () => void): RepeatedResponse {
    return new RepeatedResponse(status, headers, contentOf(body), onCompressed);
  }

  get body(): Buffer {
    return typeof this.content === 'string' ? Buffer.from(this.content, 'latin1') : this.content;
  }

  /** The bytes of all forms. */
  get size(): number {
    let size = this.content.length;
    for (const form of this.forms.values())
      if ('content' in form && form.content !== this.content) size += form.content.length;
    return size;
  }

  /** Returns the form for a client by its header `Accept-Encoding` (D290). Without the header nothing differs. */
  formFor(accepted: string | string[] | undefined): RepeatedResponse | Promise<RepeatedResponse> {
    if (accepted === undefined || this.content.length < minCompressedBytes) return this;
    const encoding = chooseEncoding(accepted) ?? 'identity';
    const made = this.forms.get(encoding);
    if (made) return made;
    const form = this.makeForm(encoding);
    this.forms.set(encoding, form);
    return form;
  }

  private makeForm(encoding: Encoding | 'identity'): RepeatedResponse | Promise<RepeatedResponse> {
    const { etag, vary } = this.headers;
    const headers = { ...this.headers, vary: vary ? `${vary}, Accept-Encoding` : 'Accept-Encoding' };
    if (encoding === 'identity') return new RepeatedResponse(this.status, headers, this.content);
    const encoded = {
      ...headers,
      'content-encoding': encoding,
      ...(etag && { etag: encodedTag(etag, encoding) }),
    };
    const formOf = (body: Buffer) => {
      const form = new RepeatedResponse(this.status, encoded, contentOf(body));
      this.forms.set(encoding, form);
      this.onCompressed();
      return form;
    };
    const compressed = compressResponse(encoding, this.body);
    return 'then' in compressed ? compressed.then(formOf) : formOf(compressed);
  }
}

function contentOf(body: string | Buffer): Buffer | string {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return bytes.length <= maxJoinedBytes ? bytes.toString('latin1') : copied(bytes);
}

/** Copies the bytes, since a slice of a pooled buffer would keep the whole pool in memory. */
const copied = (bytes: Buffer): Buffer => Buffer.from(new Uint8Array(bytes).buffer);

import { chooseEncoding, compressResponse, type Encoding, encodedTag } from './encodings.js';
import type { HeadTemplate } from './head-template.js';
import type { HttpResponse } from './http-response.js';
import type { CorsHeaders } from './request-context.js';

/** A short body is joined with the headers and written in one piece, which is faster than two. */
const maxJoinedBytes = 12_288;

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
    const headers = encodedHeaders(this.headers, encoding);
    if (encoding === 'identity') return new RepeatedResponse(this.status, headers, this.content);
    const formOf = (body: Buffer) => {
      const form = new RepeatedResponse(this.status, headers, contentOf(body));
      this.forms.set(encoding, form);
      this.onCompressed();
      return form;
    };
    const compressed = compressResponse(encoding, this.body);
    return 'then' in compressed ? compressed.then(formOf) : formOf(compressed);
  }
}

/** Returns the form of a response that is written once for a client, by its header `Accept-Encoding` (D290). */
export function encodedOnce(
  { status, headers, body = '' }: HttpResponse,
  accepted: string | string[],
): HttpResponse | Promise<HttpResponse> {
  const encoding = chooseEncoding(accepted) ?? 'identity';
  const formOf = (bytes: string | Buffer) => ({
    status,
    headers: encodedHeaders(headers, encoding),
    body: bytes,
  });
  if (encoding === 'identity') return formOf(body);
  const compressed = compressResponse(encoding, typeof body === 'string' ? Buffer.from(body) : body);
  return 'then' in compressed ? compressed.then(formOf) : formOf(compressed);
}

function encodedHeaders(
  { vary, etag, ...others }: HttpResponse['headers'],
  encoding: Encoding | 'identity',
): HttpResponse['headers'] {
  const isPlain = encoding === 'identity';
  return {
    ...others,
    vary: vary ? `${vary}, Accept-Encoding` : 'Accept-Encoding',
    ...(!isPlain && { 'content-encoding': encoding }),
    ...(etag && { etag: isPlain ? etag : encodedTag(etag, encoding) }),
  };
}

function contentOf(body: string | Buffer): Buffer | string {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return bytes.length <= maxJoinedBytes ? bytes.toString('latin1') : copied(bytes);
}

/** Copies the bytes, since a slice of a pooled buffer would keep the whole pool in memory. */
const copied = (bytes: Buffer): Buffer => Buffer.from(new Uint8Array(bytes).buffer);

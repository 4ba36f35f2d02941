import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { extname } from 'node:path';
import { chooseEncoding, compressFile, type Encoding } from './encodings.js';
import { contentTypeOf, type HttpResponse } from './http-response.js';
import { currentRequest } from './request-context.js';
import { respond } from './respond.js';
import { type Handler, pathOf, responding } from './routing.js';

const compressible = new Set(['html', 'json', 'js', 'mjs', 'css', 'svg', 'txt']);
/** Compression does not pay below this size. */
const minBytes = 256;

interface StaticOptions {
  cacheControl?: string;
  headers?: HttpResponse['headers'];
}

/** A response that is the same for every client: hashed once, and compressed once for each encoding. */
export class StaticResponse {
  private readonly body: Buffer;
  private readonly hash: string;
  private readonly isCompressible: boolean;
  private readonly headers: HttpResponse['headers'];
  private readonly encoded = new Map<Encoding, Promise<Buffer>>();

  /** The type is a file extension: `html`, `js`. */
  constructor(
    body: string | Buffer,
    type: string,
    { cacheControl = 'public, max-age=0, must-revalidate', headers = {} }: StaticOptions = {},
  ) {
    this.body = typeof body === 'string' ? Buffer.from(body) : body;
    this.hash = createHash('sha256').update(this.body).digest('base64url').slice(0, 27);
    this.isCompressible = compressible.has(type) && this.body.length >= minBytes;
    this.headers = {
      ...headers,
      'content-type': contentTypeOf(type),
      'cache-control': cacheControl,
      ...(this.isCompressible && { vary: 'Accept-Encoding' }),
    };
  }

  /** Returns the response in the encoding that the client prefers. */
  async for(request: IncomingMessage): Promise<HttpResponse> {
    const encoding = this.isCompressible ? chooseEncoding(request.headers['accept-encoding']) : null;
    const { headers, hash } = this;
    if (!encoding) return { status: 200, headers: { ...headers, etag: `"${hash}"` }, body: this.body };
    return {
      status: 200,
      headers: { ...headers, etag: `"${hash}-${encoding}"`, 'content-encoding': encoding },
      body: await this.encodedBy(encoding),
    };
  }

  readonly send: Handler = responding((request) => this.for(request));

  private encodedBy(encoding: Encoding): Promise<Buffer> {
    const known = this.encoded.get(encoding);
    if (known) return known;
    const made = compressFile[encoding](this.body);
    this.encoded.set(encoding, made);
    return made;
  }
}

/** Serves these files by their paths. Each is read at its first request. */
export function staticFiles(
  files: ReadonlyMap<string, string>,
  headersOf: (file: string) => HttpResponse['headers'] = () => ({}),
  cacheControl = 'public, max-age=3600',
): Handler {
  const responses = new Map<string, StaticResponse>();
  return async (request, _response, next) => {
    const file = files.get(pathOf(request));
    if (file === undefined || !['GET', 'HEAD'].includes(request.method ?? '')) return next();
    const known = responses.get(file) ?? fileResponse(file, headersOf(file), cacheControl);
    responses.set(file, known);
    respond(currentRequest(), await known.for(request));
  };
}

const fileResponse = (file: string, headers: HttpResponse['headers'], cacheControl: string) =>
  new StaticResponse(readFileSync(file), extname(file).slice(1), { cacheControl, headers });

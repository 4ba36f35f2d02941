import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import { isKnownTo } from '../rest/headers.js';

type Encoding = 'br' | 'gzip';

/** Chosen so that even the largest file, of 3 MB, costs less than 100 ms, and that once. */
const compress: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
  gzip: (body) => promisify(gzip)(body, { level: 4 }),
};
const text = new Set(['html', 'json', 'js', 'css', 'svg', 'txt']);
/** Smaller ones would not get any smaller. */
const minBytes = 256;
const maxHeaderLength = 500;

/** A response that is the same for everybody: hashed once, and compressed once for each encoding. */
export class StaticResponse {
  private readonly body: Buffer;
  private readonly hash: string;
  private readonly isCompressible: boolean;
  private readonly encoded = new Map<Encoding, Promise<Buffer>>();

  /** The type is that of a file: `html`, `js`. */
  constructor(
    body: string | Buffer,
    private readonly type: string,
    private readonly cacheControl = 'public, max-age=0, must-revalidate',
  ) {
    this.body = typeof body === 'string' ? Buffer.from(body) : body;
    this.hash = createHash('sha256').update(this.body).digest('base64url').slice(0, 27);
    this.isCompressible = text.has(type) && this.body.length >= minBytes;
  }

  readonly send = async (request: Request, response: Response): Promise<void> => {
    const encoding = this.isCompressible ? chooseEncoding(request.headers['accept-encoding']) : null;
    const etag = encoding ? `"${this.hash}-${encoding}"` : `"${this.hash}"`;
    response.set('cache-control', this.cacheControl).set('etag', etag);
    if (this.isCompressible) response.vary('Accept-Encoding');
    if (isKnownTo(request.headers['if-none-match'], etag)) return void response.status(304).end();
    const body = encoding ? await this.encodedBy(encoding) : this.body;
    if (encoding) response.set('content-encoding', encoding);
    response.type(this.type).set('content-length', String(body.length));
    response.end(request.method === 'HEAD' ? undefined : body);
  };

  private encodedBy(encoding: Encoding): Promise<Buffer> {
    const known = this.encoded.get(encoding);
    if (known) return known;
    const made = compress[encoding](this.body);
    this.encoded.set(encoding, made);
    return made;
  }
}

/** Serves these files by their paths, each read when it is first asked for. */
export function staticFiles(
  files: ReadonlyMap<string, string>,
  setHeaders: (response: Response, file: string) => void = () => undefined,
): RequestHandler {
  const responses = new Map<string, StaticResponse>();
  return async (request, response, next) => {
    const file = files.get(request.path);
    if (file === undefined || !['GET', 'HEAD'].includes(request.method)) return next();
    const known = responses.get(file) ?? assetOf(file);
    responses.set(file, known);
    setHeaders(response, file);
    await known.send(request, response);
  };
}

const assetOf = (file: string) =>
  new StaticResponse(readFileSync(file), extname(file).slice(1), 'public, max-age=3600');

/** Chooses by the weights of `Accept-Encoding`, the smaller form where they are equal; null is the body as it is, also where nothing is acceptable. */
export function chooseEncoding(header: string | string[] = ''): Encoding | null {
  const accepted = String(header);
  if (accepted.length > maxHeaderLength) return null;
  const weights = new Map(accepted.toLowerCase().split(',').map(weighted));
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
  const plain = weights.get('identity') ?? 0;
  const [best] = (['br', 'gzip'] as const)
    .filter((coding) => weightOf(coding) > 0 && weightOf(coding) >= plain)
    .toSorted((a, b) => weightOf(b) - weightOf(a));
  return best ?? null;
}

function weighted(item: string): [coding: string, weight: number] {
  const [coding = '', ...parameters] = item.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return [coding, weight === undefined ? 1 : Number(weight) || 0];
}

import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { ServiceError } from '../errors.js';

const maxBodyBytes = 256 * 1024;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decompressors, by `Content-Encoding`. */
const decompressors: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/**
 * Reads the whole body of any content type, decompressed; undefined if the request has none. Faster than
 * the parser of Express, and installs are frequent.
 */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (!announcesBody(request)) return undefined;
  // The client has disconnected before the body is read: no event will follow.
  if (request.destroyed) throw incomplete();
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity') return collect(request);
  const decompressor = decompressors[encoding]?.();
  if (!decompressor) throw unsupportedEncoding();
  request.once('error', (error) => decompressor.destroy(error));
  try {
    return await collect(request.pipe(decompressor));
  } finally {
    request.unpipe(decompressor).resume();
    decompressor.destroy();
  }
}

const collect = (stream: Readable): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBodyBytes) chunks.push(chunk);
      else reject(tooLarge());
    });
    stream.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    stream.once('error', (error) => reject(isAborted(error) ? incomplete() : unreadable()));
  });

const isAborted = (error: Error) => 'code' in error && error.code === 'ECONNRESET';

const tooLarge = () => new ServiceError('PAYLOAD_TOO_LARGE', 'The body is larger than 256 KiB. Send less.');
const unreadable = () =>
  new ServiceError('MALFORMED_JSON', 'The body cannot be read: it is not encoded as its headers say.');
const unsupportedEncoding = () =>
  new ServiceError(
    'UNSUPPORTED_MEDIA_TYPE',
    'The body must be JSON in UTF-8, plain or compressed with gzip, deflate or br.',
  );

const plainJsonTypes = new Set([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
]);

/** Parses the JSON object in a request's body; an empty body is an empty object. */
export function jsonBody(request: IncomingMessage, bytes: Buffer | undefined): Record<string, unknown> {
  if (
    announcesBody(request) &&
    !request.complete &&
    !['GET', 'HEAD', 'DELETE'].includes(request.method ?? '')
  )
    throw incomplete();
  if (bytes === undefined || bytes.length === 0) return {};
  if (!isJson(request.headers['content-type'])) {
    throw new ServiceError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The body must be JSON in UTF-8, sent with "Content-Type: application/json".',
    );
  }
  const body = parse(bytes);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ServiceError('MALFORMED_JSON', 'The body must be a JSON object: { … }.');
  }
  return body as Record<string, unknown>;
}

/** A request whose body was cut off must have no effect. */
const incomplete = () =>
  new ServiceError('MALFORMED_JSON', 'The body did not arrive whole. Send the request again.');

const announcesBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Far deeper than any input is; V8 takes up to 100 ms to parse 128,000 nested brackets (D100). */
const maxNesting = 100;

/** Returns whether brackets outside of strings are nested too deeply. */
function isTooDeep(bytes: Buffer): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (isInString) {
      if (byte === backslash) index += 1;
      else if (byte === quote) isInString = false;
    } else if (byte === quote) isInString = true;
    else if (byte === openBracket || byte === openBrace) {
      depth += 1;
      if (depth > maxNesting) return true;
    } else if (byte === closeBracket || byte === closeBrace) depth -= 1;
  }
  return false;
}
const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = Buffer.from('"\\[]{}');

function parse(bytes: Buffer): unknown {
  if (isTooDeep(bytes))
    throw new ServiceError(
      'MALFORMED_JSON',
      `The body is nested more than ${maxNesting} levels deep. Send a flatter one.`,
    );
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new ServiceError(
      'MALFORMED_JSON',
      'The body is not valid JSON. Check quotes, commas and brackets.',
    );
  }
}

function isJson(contentType = ''): boolean {
  if (plainJsonTypes.has(contentType)) return true;
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  // Split by hand: a single regular expression takes minutes for a header with a long gap.
  const charsets = parameters
    .map((parameter) => parameter.split('='))
    .filter(([name = '']) => name.trim() === 'charset')
    .map(([, ...value]) =>
      value
        .join('=')
        .trim()
        .replace(/^"(.*)"$/, '$1'),
    );
  return type.trim() === 'application/json' && charsets.every((charset) => /^utf-?8$/.test(charset));
}

import type { IncomingMessage } from 'node:http';
import express, { type RequestHandler } from 'express';
import { ServiceError } from '../errors.js';

const maxBodyBytes = 256 * 1024;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the whole body of any content type into a Buffer at `request.body`. */
export const readBody: RequestHandler = express.raw({ type: () => true, limit: maxBodyBytes });

const maxSmallBytes = 8 * 1024;
const plainJsonTypes = new Set([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
]);

/** Returns whether a request has a short, uncompressed JSON body of known length, which `readSmallBody` can read. */
export const hasSmallJsonBody = ({ method, headers }: IncomingMessage) =>
  method === 'POST' &&
  plainJsonTypes.has(headers['content-type'] ?? '') &&
  Number(headers['content-length']) > 0 &&
  Number(headers['content-length']) <= maxSmallBytes &&
  headers['content-encoding'] === undefined &&
  headers.expect === undefined;

/** Reads the body of a request that has a small one, without Express. */
export const readSmallBody = (request: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // The client has disconnected before the body is read: no event will follow.
    if (request.destroyed) return reject(incomplete());
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.once('error', () => reject(incomplete()));
  });

/** Parses the JSON object in a request's body; an empty body is an empty object. */
export function jsonBody(request: IncomingMessage, bytes: unknown): Record<string, unknown> {
  if (
    announcesBody(request) &&
    !request.complete &&
    !['GET', 'HEAD', 'DELETE'].includes(request.method ?? '')
  )
    throw incomplete();
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return {};
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

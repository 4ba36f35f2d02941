import express, { type Request, type RequestHandler } from 'express';
import { ServiceError } from '../errors.js';

const maxBodyBytes = 256 * 1024;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the body whole, whatever it claims to be, so that an empty one can pass. */
export const readBody: RequestHandler = express.raw({ type: () => true, limit: maxBodyBytes });

/** The JSON object of a request; an empty body is an empty object. */
export function jsonBody(req: Request): Record<string, unknown> {
  const bytes: unknown = req.body;
  // A body that was announced and never came whole was not sent: what it was for must not happen.
  if (announcesBody(req) && !req.complete && !['GET', 'HEAD', 'DELETE'].includes(req.method))
    throw new ServiceError('MALFORMED_JSON', 'The body did not arrive whole. Send the request again.');
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return {};
  if (!isJson(req.get('content-type'))) {
    throw new ServiceError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The body must be JSON in UTF-8, sent with "Content-Type: application/json".',
    );
  }
  return jsonObject(bytes);
}

/** The object that these bytes are. */
export function jsonObject(bytes: Buffer): Record<string, unknown> {
  const body = parse(bytes);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ServiceError('MALFORMED_JSON', 'The body must be a JSON object: { … }.');
  }
  return body as Record<string, unknown>;
}

const announcesBody = ({ headers }: Request) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Far deeper than any input is; V8 takes up to 100 ms to parse 128,000 brackets in each other (D100). */
const maxNesting = 100;

/** Whether brackets are nested too deeply; those in strings do not count. */
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
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  // Taken apart by hand: one expression for all of it would try a long gap in every way, for minutes.
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

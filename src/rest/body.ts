import express, { type Request, type RequestHandler } from 'express';
import { ServiceError } from '../errors.js';

export const maxBodyBytes = 256 * 1024;
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

function parse(bytes: Buffer): unknown {
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
  const charset = parameters.map((parameter) => /^\s*charset\s*=\s*"?([^"]*?)"?\s*$/.exec(parameter)?.[1]);
  return (
    type.trim() === 'application/json' && charset.every((name) => name === undefined || /^utf-?8$/.test(name))
  );
}

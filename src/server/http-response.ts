import { hash } from 'node:crypto';
import { contentType } from 'mime-types';

/** A response as a value. `respond()` writes it. */
export interface HttpResponse {
  readonly status: number;
  /** By name in lower case. Null leaves out a header that every response has. */
  readonly headers: Readonly<Record<string, string | null>>;
  readonly body?: string | Buffer;
}

const maxStringLength = 4_096;

/**
 * Encodes a long text, so that its hash and Node's `http` need not, each with a copy, and it can be collected while the
 * response is being sent. A short one is faster as a string, in one write with the headers.
 */
export const encoded = (text: string): string | Buffer =>
  text.length > maxStringLength ? Buffer.from(text) : text;

const jsonType = 'application/json; charset=utf-8';

/** A response with JSON that is already serialised. */
export const jsonResponse = (
  status: number,
  json: string | Buffer,
  headers: HttpResponse['headers'] = {},
): HttpResponse => ({ status, headers: { 'content-type': jsonType, ...headers }, body: json });

/** A response with a text of the type that a file extension stands for, such as `html`. */
export const textResponse = (
  extension: string,
  body: string,
  headers: HttpResponse['headers'] = {},
  status = 200,
): HttpResponse => ({ status, headers: { 'content-type': contentTypeOf(extension), ...headers }, body });

export const contentTypeOf = (extension: string): string =>
  contentType(extension) || 'application/octet-stream';

export const publicCacheControl = 'public, max-age=0, must-revalidate';

/**
 * The headers of a public read: it may be stored, and is revalidated by its strong ETag at each use (D32). SHA-1 takes half
 * the time of SHA-256 where processors have no instructions for it; who could forge one would deceive their own readers only.
 */
export const publicReadHeaders = (content: string | Buffer) => ({
  etag: `"${hash('sha1', content, 'base64url')}"`,
  'cache-control': publicCacheControl,
});

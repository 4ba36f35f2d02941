import { once } from 'node:events';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import fresh from 'fresh';
import { nowMs } from '../db/clock.js';
import { connectionError, errorStatus, ServiceError } from '../errors.js';
import { rateLimitHeaders } from '../limits/charge.js';
import { acceptedEncodings, encodedTag } from './encodings.js';
import { errorResponse, restErrorBody } from './error-response.js';
import { HeadTemplate } from './head-template.js';
import { encoded, type HttpResponse, publicCacheControl } from './http-response.js';
import { encodedOnce, minCompressedBytes, RepeatedResponse } from './repeated-response.js';
import type { RequestContext } from './request-context.js';

/** Headers that describe a body, which a 304 does not have. */
const bodyHeaders = new Set(['content-type', 'content-length', 'content-encoding']);

/**
 * Writes a response. Every response of the service is written here, or by `respondOnSocket()` where there is no request.
 * One that has to be compressed first is written later.
 */
export function respond(context: RequestContext, httpResponse: HttpResponse): void {
  const accepted = context.request.headers['accept-encoding'];
  const form = accepted === undefined ? httpResponse : formFor(httpResponse, accepted);
  if ('then' in form)
    form
      .then((made) => write(context, made, httpResponse.headers))
      .catch((error: unknown) => respondWithError(context, error));
  else write(context, form, httpResponse.headers);
}

/** Compresses a public response, unless it has been already. */
function formFor(response: HttpResponse, accepted: string | string[]): HttpResponse | Promise<HttpResponse> {
  if (response instanceof RepeatedResponse) return response.formFor(accepted);
  const { status, headers, body } = response;
  const isPublicRead =
    status === 200 &&
    body !== undefined &&
    Buffer.byteLength(body) >= minCompressedBytes &&
    headers['cache-control'] === publicCacheControl &&
    headers['content-encoding'] === undefined &&
    /\b(?:json|html|xml)\b/.test(headers['content-type'] ?? '');
  return isPublicRead ? encodedOnce(response, accepted) : response;
}

/** `own` are the headers of the response as it is not compressed. */
function write(context: RequestContext, form: HttpResponse, own: HttpResponse['headers']): void {
  const { request, response } = context;
  if (response.headersSent || response.destroyed) return;
  if (form instanceof RepeatedResponse && isWhole(request)) {
    writeRepeated(context, form);
    return;
  }
  const { status, body } = form;
  const held = status === 200 ? heldTag(context, own) : null;
  const headers = held === null ? form.headers : { ...form.headers, etag: held };
  const head = headOf(context, headers, held !== null);
  const bytes = held !== null ? undefined : typeof body === 'string' ? encoded(body) : body;
  if (bytes !== undefined) head.push('content-length', String(Buffer.byteLength(bytes)));
  addRequestHeaders(head, context, headers);
  response.writeHead(held === null ? status : 304, head);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/** Returns whether the whole of a response is written, with its body. */
const isWhole = ({ method, headers }: RequestContext['request']) =>
  method !== 'HEAD' && headers['if-none-match'] === undefined;

function writeRepeated(context: RequestContext, repeated: RepeatedResponse): void {
  const { id, cors, response } = context;
  const { status, headers, content, templates } = repeated;
  const added: string[] = [];
  addRequestHeaders(added, context, headers);
  if (!templates.get(cors)?.give(response, id, added)) {
    const length = ['content-length', String(content.length)];
    response.writeHead(status, [...headOf(context, headers, false), ...length, ...added]);
    const template = HeadTemplate.of(response, id, added);
    if (template) templates.set(cors, template);
  }
  response.end(content, 'latin1');
}

/** Interval of the comments that keep a connection open through proxies. */
const PING_INTERVAL_MS = 12_000;
const ping = ':\n\n';

/**
 * Writes server-sent events as fast as the client reads. Ends when there are no more events or the client has
 * disconnected. `onPaused` is told when the client does not keep up, and when it does again.
 */
export async function respondWithEvents(
  context: RequestContext,
  headers: HttpResponse['headers'],
  events: AsyncIterable<string>,
  onPaused: (isPaused: boolean) => void,
): Promise<void> {
  const { response } = context;
  const head = headOf(context, headers, false);
  addRequestHeaders(head, context, headers);
  response.writeHead(200, head);
  // Some browsers wait for the first bytes of a body.
  response.write(ping);
  const pinging = setInterval(() => response.writableNeedDrain || response.write(ping), PING_INTERVAL_MS);
  try {
    for await (const event of events) {
      if (response.destroyed) return;
      if (response.write(event)) continue;
      onPaused(true);
      await drained(response);
      onPaused(false);
    }
    response.end();
  } finally {
    clearInterval(pinging);
  }
}

/** Waits until more can be written, or the client has disconnected: then nothing drains. */
async function drained(response: ServerResponse): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  } finally {
    // Removes the listener of the other event.
    waiting.abort();
  }
}

/** Returns the headers of a response as a list of names and values, without those of `addRequestHeaders`. */
function headOf(context: RequestContext, headers: HttpResponse['headers'], isUnchanged: boolean): string[] {
  const { id, commonHeaders, cors } = context;
  const head: string[] = ['x-request-id', id];
  for (const [name, value] of commonHeaders) if (!(name in headers)) head.push(name, value);
  for (const name in headers) {
    const value = headers[name];
    if (value == null || (isUnchanged && bodyHeaders.has(name))) continue;
    head.push(name, name === 'vary' && cors.vary ? `${cors.vary}, ${value}` : value);
  }
  for (const name in cors) if (name !== 'vary' || headers.vary == null) head.push(name, cors[name]!);
  return head;
}

/**
 * Sets the headers of every response in advance. Only for OPTIONS: the router itself responds to it if a path has other
 * methods.
 */
export function presetHeaders(context: RequestContext): void {
  const { response } = context;
  const head = headOf(context, { 'cache-control': 'no-store' }, false);
  addRequestHeaders(head, context, {});
  for (let index = 0; index < head.length; index += 2) response.setHeader(head[index]!, head[index + 1]!);
}

/** Responds to any error, and logs those that are the service's fault. Never throws. */
export function respondWithError(context: RequestContext, cause: unknown): void {
  try {
    const response = errorResponse(context, cause);
    // A response that has begun cannot be replaced; without the connection's end the client would take it for whole.
    if (context.response.headersSent && !context.response.writableEnded) context.response.destroy();
    else respond(context, response);
  } catch (error) {
    context.log.error({ err: error, requestId: context.id }, 'response failed');
    context.response.destroy();
  }
}

/** Handles a request by a function that returns its response. Never rejects, so that no request ends the process. */
export async function respondWith(
  context: RequestContext,
  handle: () => Promise<HttpResponse>,
): Promise<void> {
  try {
    respond(context, await handle());
  } catch (error) {
    respondWithError(context, error);
  }
}

/**
 * Returns the tag of the form of this response that the client has already, compressed or not; null if it has none. Only
 * tags count: clients that send `Cache-Control: no-cache` with one, as fetch does, ask for this very check.
 */
function heldTag(
  { request: { method, headers: sent } }: RequestContext,
  { etag, 'cache-control': cacheControl }: HttpResponse['headers'],
): string | null {
  const { 'if-none-match': noneMatch } = sent;
  if (noneMatch === undefined || !etag || cacheControl === 'no-store') return null;
  if (method !== 'GET' && method !== 'HEAD') return null;
  const tags =
    sent['accept-encoding'] === undefined
      ? [etag]
      : [
          etag,
          ...acceptedEncodings(sent['accept-encoding']).all.map((encoding) => encodedTag(etag, encoding)),
        ];
  return tags.find((tag) => fresh({ 'if-none-match': noneMatch }, { etag: tag })) ?? null;
}

const keyExpiryNoticeMs = 14 * 24 * 60 * 60 * 1000;

/** Adds what was learned about the request while it was handled, whether it succeeded or failed. */
function addRequestHeaders(head: string[], context: RequestContext, own: HttpResponse['headers']): void {
  const { responseHeaders, charges, retryAfterSeconds, keyExpiresAt } = context;
  for (const name in responseHeaders) if (!(name in own)) head.push(name, responseHeaders[name]!);
  const limits = rateLimitHeaders(charges);
  if (limits) head.push('ratelimit', limits.state, 'ratelimit-policy', limits.policy);
  if (retryAfterSeconds !== null) head.push('retry-after', String(retryAfterSeconds));
  if (keyExpiresAt && keyExpiresAt.getTime() - nowMs() < keyExpiryNoticeMs)
    head.push('x-api-key-expires', keyExpiresAt.toISOString());
}

/** Responds to bytes that never became a request, and closes the connection: the start of a next request is unknown. */
export function respondOnSocket(cause: Error, socket: Duplex): void {
  if (!socket.writable || ('code' in cause && cause.code === 'ECONNRESET')) return void socket.destroy();
  const error =
    cause instanceof ServiceError ? cause : connectionError('code' in cause ? String(cause.code) : '');
  const requestId = crypto.randomUUID();
  const body = restErrorBody(error, requestId);
  const status = errorStatus[error.code];
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'connection: close',
    ...(error.retryAfterSeconds === null ? [] : [`retry-after: ${error.retryAfterSeconds}`]),
    ...(error.code === 'METHOD_NOT_ALLOWED' ? ['allow: GET, HEAD, POST, PUT, DELETE, OPTIONS'] : []),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

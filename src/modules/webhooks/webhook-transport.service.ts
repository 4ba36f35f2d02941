import { Webhook } from 'standardwebhooks';
import { now, nowMs } from '../../db/clock.js';
import type { SecretCipher } from '../../db/secrets.js';
import { FetchProblem } from '../../net/fetch-problem.js';
import type { GuardedFetcher } from '../../net/guarded-fetch.js';
import { currentTracer, traced } from '../../tracing/tracing.js';
import type { WebhookAttempt } from './webhook-attempt.entity.js';
import type { WebhookDelivery } from './webhook-delivery.entity.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { secretsAt } from './webhook-secret.service.js';

/** The request and the result of one attempt. */
export interface AttemptResult
  extends Pick<
    WebhookAttempt,
    'createdAt' | 'url' | 'requestHeaders' | 'responseStatus' | 'responseBody' | 'error' | 'durationMs'
  > {
  /** The delay that the receiver asks for with `Retry-After`; 0 if it does not. */
  retryAfterMs: number;
}

/** The part of a response body that is stored. */
const maxResponseBytes = 4096;

/** Sends a message once, in a span of its own that the receiver can continue. */
export function postMessage(
  fetcher: GuardedFetcher,
  endpoint: WebhookEndpoint,
  delivery: WebhookDelivery,
  options: PostOptions,
): Promise<AttemptResult> {
  // The path may be a secret.
  const { hostname, port, protocol } = new URL(endpoint.url);
  const attributes = {
    'http.request.method': 'POST',
    'server.address': hostname,
    'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
  };
  return traced(
    'POST',
    async (span) => {
      const result = await attempt(fetcher, endpoint, delivery, options);
      const { responseStatus, error } = result;
      if (responseStatus !== null) span?.setAttribute('http.response.status_code', responseStatus);
      if (error !== null) span?.setAttribute('error.type', String(responseStatus ?? 'unreachable'));
      return result;
    },
    { kind: 'client', attributes },
  );
}

interface PostOptions {
  cipher: SecretCipher;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Sends a message once. A 2xx status is a success, even if the body cannot be read; any other status, including a redirect, is a failure. */
async function attempt(
  fetcher: GuardedFetcher,
  endpoint: WebhookEndpoint,
  { eventId, requestBody }: WebhookDelivery,
  { cipher, timeoutMs, signal }: PostOptions,
): Promise<AttemptResult> {
  const createdAt = now();
  const requestHeaders = {
    ...signedHeaders(secretsAt(cipher, endpoint, createdAt), {
      id: eventId,
      body: requestBody,
      at: createdAt,
    }),
    ...currentTracer()?.headers(),
  };
  const started = performance.now();
  const response = {
    status: null as number | null,
    body: null as string | null,
    problem: '',
    retryAfterMs: 0,
  };
  try {
    const { body } = await fetcher.fetch(endpoint.url, {
      method: 'POST',
      headers: requestHeaders,
      body: requestBody,
      maxRedirects: 0,
      maxBytes: maxResponseBytes,
      overLimit: 'cut',
      timeoutMs,
      signal,
      inspect: (status, headers) => {
        response.status = status;
        response.retryAfterMs = retryAfterMs(String(headers['retry-after'] ?? ''));
      },
    });
    response.body = storableText(body);
  } catch (error) {
    // Not an error of the receiver: the job fails and is retried.
    if (signal.aborted || !(error instanceof FetchProblem)) throw error;
    response.problem = errorText(error);
  }
  return {
    createdAt,
    url: endpoint.url,
    requestHeaders,
    responseStatus: response.status,
    responseBody: response.body,
    error: response.status === null ? response.problem : statusProblem(response.status),
    durationMs: Math.round(performance.now() - started),
    retryAfterMs: response.retryAfterMs,
  };
}

/** Returns the delay of a `Retry-After` header, which contains seconds or a date; 0 if it contains neither. */
function retryAfterMs(value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? 0 : Math.max(0, at - nowMs());
}

function statusProblem(status: number): string | null {
  const family = Math.floor(status / 100);
  if (family === 2) return null;
  return family === 3
    ? `The receiver responded with status ${status}. Redirects are not followed.`
    : `The receiver responded with status ${status}.`;
}

/** Error codes that help a developer to fix the receiver. Codes of our own DNS lookup are not shown: they would reveal our network. */
const publicErrorCodes =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|UND_ERR_SOCKET|CERT_\w+|\w+_CERT\w*|ERR_(SSL|TLS)_\w+)$/;

function errorText({ message, cause }: FetchProblem): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return publicErrorCodes.test(code) ? `${message} (${code})` : message;
}

/** PostgreSQL cannot store the character U+0000. */
const storableText = (body: Buffer) => body.toString('utf8').replaceAll('\0', '\uFFFD');

/** Builds the headers of Standard Webhooks: id, time and one signature for each secret. */
function signedHeaders(
  secrets: readonly string[],
  { id, body, at }: { id: string; body: string; at: Date },
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'marketplace-gateway webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((each) => new Webhook(each).sign(id, at, body)).join(' '),
  };
}

import type { SecretCipher } from '../../db/secrets.js';
import { FetchProblem } from '../../net/fetch-problem.js';
import type { GuardedFetcher } from '../../net/guarded-fetch.js';
import { secretsAt } from './webhook.secrets.js';
import { signedHeaders } from './webhook.signature.js';
import type { WebhookAttempt } from './webhook-attempt.entity.js';
import type { WebhookDelivery } from './webhook-delivery.entity.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';

/** What one request was and what came of it. */
export type Sent = Pick<
  WebhookAttempt,
  'createdAt' | 'url' | 'requestHeaders' | 'responseStatus' | 'responseBody' | 'error' | 'durationMs'
>;

const keptBytes = 4096;

/** Sends one message once. A 2xx is a success, whatever its body does; anything else, a redirect too, is a failure. */
export async function post(
  fetcher: GuardedFetcher,
  endpoint: WebhookEndpoint,
  { eventId, requestBody }: WebhookDelivery,
  { cipher, timeoutMs, signal }: { cipher: SecretCipher; timeoutMs: number; signal: AbortSignal },
): Promise<Sent> {
  const createdAt = new Date();
  const requestHeaders = signedHeaders(secretsAt(cipher, endpoint, createdAt), {
    id: eventId,
    body: requestBody,
    at: createdAt,
  });
  const started = performance.now();
  const answer = { status: null as number | null, body: null as string | null, problem: '' };
  try {
    const { body } = await fetcher.fetch(endpoint.url, {
      method: 'POST',
      headers: requestHeaders,
      body: requestBody,
      maxRedirects: 0,
      maxBytes: keptBytes,
      overLimit: 'cut',
      timeoutMs,
      signal,
      inspect: (status) => {
        answer.status = status;
      },
    });
    answer.body = readable(body);
  } catch (error) {
    // Not the receiver's fault: the job fails, and is taken up again.
    if (signal.aborted || !(error instanceof FetchProblem)) throw error;
    answer.problem = wordsFor(error);
  }
  return {
    createdAt,
    url: endpoint.url,
    requestHeaders,
    responseStatus: answer.status,
    responseBody: answer.body,
    error: answer.status === null ? answer.problem : problemOf(answer.status),
    durationMs: Math.round(performance.now() - started),
  };
}

function problemOf(status: number): string | null {
  const family = Math.floor(status / 100);
  if (family === 2) return null;
  return family === 3 ? `It answered ${status}: redirects are not followed.` : `It answered ${status}.`;
}

/** What a developer needs to find the fault. Never what our own lookup of a name found: that is nobody's to explore. */
const tellable = /^(ECONNREFUSED|ECONNRESET|EPIPE|UND_ERR_SOCKET|CERT_\w+|\w+_CERT\w*|ERR_(SSL|TLS)_\w+)$/;

function wordsFor({ message, cause }: FetchProblem): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return tellable.test(code) ? `${message} (${code})` : message;
}

/** PostgreSQL keeps every character but this one. */
const readable = (body: Buffer) => body.toString('utf8').replaceAll('\0', '\uFFFD');

import type { Agent, Dispatcher } from 'undici';
import { AddressGuard, type GuardOptions } from './address-guard.js';
import { FetchProblem } from './fetch-problem.js';

export type AnswerHeaders = Dispatcher.ResponseData['headers'];

interface FetchOptions {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** 0: a redirect is an answer like any other. Only GET follows them. */
  maxRedirects?: number;
  maxBytes?: number;
  /** What happens to a body beyond `maxBytes`. */
  overLimit?: 'refuse' | 'cut';
  /** How much of the body is handed back; all of it unless told. */
  keepBytes?: number;
  /** For everything together: names, connections, redirects, body. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Looks at an answer before its body is read; what it throws ends the fetch. */
  inspect?(status: number, headers: AnswerHeaders): void;
  /** Sees each piece of the body as it comes, kept or not. */
  onPiece?(piece: Buffer): void;
}

export interface Answer {
  /** Where it came from in the end. */
  url: string;
  status: number;
  headers: AnswerHeaders;
  /** As it was sent: nothing is ever decompressed. */
  body: Buffer;
  /** How much was read, kept or not. */
  bytes: number;
}

const defaults = {
  maxRedirects: 5,
  maxBytes: 10 * 1024 * 1024,
  overLimit: 'refuse',
  timeoutMs: 10_000,
} satisfies FetchOptions;
type Settings = FetchOptions & Required<Pick<FetchOptions, keyof typeof defaults>>;

const redirects = new Set([301, 302, 303, 307, 308]);

/** Sends requests to addresses that others chose: to public hosts only, bounded in time and size. */
export class GuardedFetcher {
  private readonly guard: AddressGuard;
  /** From the first fetch on. */
  private agent: Promise<Agent> | undefined;
  private isClosed = false;

  constructor(options: GuardOptions = {}) {
    this.guard = new AddressGuard(options);
  }

  /** Answers with whatever status came; fails with a FetchProblem when nothing usable did. */
  async fetch(address: string, given: FetchOptions = {}): Promise<Answer> {
    const options: Settings = { ...defaults, ...given };
    const timeout = AbortSignal.timeout(options.timeoutMs);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
    try {
      // While it still connects, undici does not look at the signal: neither names nor connections may take longer.
      return await Promise.race([this.follow(address, options, signal), aborted(signal)]);
    } catch (error) {
      if (error instanceof FetchProblem) throw error;
      if (signal.aborted)
        throw new FetchProblem('timeout', 'It did not answer completely in time.', { cause: error });
      throw new FetchProblem('unreachable', 'It could not be reached.', { cause: error });
    }
  }

  /** Redirects are followed by hand, so that each hop is checked like the first. */
  private async follow(address: string, options: Settings, signal: AbortSignal): Promise<Answer> {
    const { method = 'GET', headers, body: sent, maxRedirects } = options;
    if (this.isClosed)
      throw new FetchProblem('unreachable', 'Nothing is fetched any more: the service stops.');
    let url = this.guard.assertPublicUrl(address);
    this.agent ??= this.guard.agent();
    const dispatcher = await this.agent;
    const { request } = await import('undici');
    for (let hop = 0; ; hop += 1) {
      signal.throwIfAborted();
      const response = await request(url, {
        dispatcher,
        signal,
        method,
        headers: {
          accept: '*/*',
          'user-agent': 'marketplace-gateway',
          ...headers,
          'accept-encoding': 'identity',
        },
        ...(sent === undefined ? {} : { body: sent }),
      });
      const { location } = response.headers;
      const leads = method === 'GET' && redirects.has(response.statusCode) && typeof location === 'string';
      if (leads && maxRedirects > 0) {
        drop(response.body);
        if (hop === maxRedirects)
          throw new FetchProblem('too_many_redirects', `It redirects more than ${maxRedirects} times.`);
        if (!URL.canParse(location, url.href))
          throw new FetchProblem('invalid_url', 'It redirects to something that is not a web address.');
        url = this.guard.assertPublicUrl(new URL(location, url));
        continue;
      }
      return { url: url.href, ...(await read(response, options)) };
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await (await this.agent)?.destroy();
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

async function read(
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
  { inspect, onPiece, maxBytes, keepBytes = maxBytes, overLimit }: Settings,
): Promise<Omit<Answer, 'url'>> {
  const tooLarge = new FetchProblem('too_large', `It is larger than ${maxBytes} bytes.`);
  try {
    inspect?.(status, headers);
    if (overLimit === 'refuse' && Number(headers['content-length']) > maxBytes) throw tooLarge;
    const kept: Buffer[] = [];
    let bytes = 0;
    for await (const piece of body as AsyncIterable<Buffer>) {
      if (bytes < keepBytes) kept.push(piece);
      bytes += piece.length;
      onPiece?.(piece);
      if (bytes <= maxBytes) continue;
      if (overLimit === 'refuse') throw tooLarge;
      break;
    }
    return { status, headers, body: Buffer.concat(kept).subarray(0, keepBytes), bytes };
  } finally {
    drop(body);
  }
}

/** Ends a body that nobody will read, however long it would have gone on. */
function drop(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => undefined);
  body.destroy();
}

import type { Agent, Dispatcher } from 'undici';
import { traced } from '../tracing/tracing.js';
import { AddressGuard, type GuardOptions } from './address-guard.js';
import { FetchProblem, timedOut } from './fetch-problem.js';

export type FetchedHeaders = Dispatcher.ResponseData['headers'];

export interface FetchOptions {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** 0: a redirect is returned like any other response. Only GET follows redirects. */
  maxRedirects?: number;
  maxBytes?: number;
  /** A body beyond `maxBytes` is an error (`refuse`) or is truncated (`cut`). */
  overLimit?: 'refuse' | 'cut';
  /** Length of the part of the body that is returned; `maxBytes` by default. */
  keepBytes?: number;
  /** Limit for the whole fetch: name resolution, connections, redirects and body. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Called before each request, those after redirects included; its result is called when the request has ended. */
  enter?(url: URL): Promise<() => void>;
  /** Called before the body is read; an error that it throws ends the fetch. */
  inspect?(status: number, headers: FetchedHeaders): void;
  /** Called with each chunk of the body, also beyond `keepBytes`. */
  onPiece?(piece: Buffer): void;
}

export interface FetchResult {
  /** The URL after all redirects. */
  url: string;
  status: number;
  headers: FetchedHeaders;
  /** The body as it was sent, never decompressed. */
  body: Buffer;
  /** Number of bytes read, also beyond `keepBytes`. */
  bytes: number;
}

const defaults = {
  maxRedirects: 5,
  maxBytes: 10 * 1024 * 1024,
  overLimit: 'refuse',
  timeoutMs: 10_000,
} satisfies FetchOptions;
type Settings = FetchOptions & Required<Pick<FetchOptions, keyof typeof defaults>>;

/**
 * A server may not keep this process busy with many tiny parts, each of which costs as much time as a long one. Honest
 * servers send at most one or two interim responses (1xx), and 10 MB in network packets are 7,500 pieces.
 */
const maxInterimResponses = 10;
const maxPieces = 20_000;

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** Sends requests to URLs that others chose: to public hosts only, limited in time and size. */
export class GuardedFetcher {
  private readonly guard: AddressGuard;
  /** Created by the first fetch. */
  private agent: Promise<Agent> | undefined;
  private isClosed = false;

  constructor(options: GuardOptions = {}) {
    this.guard = new AddressGuard(options);
  }

  /** Returns the response, whatever its status; throws a FetchProblem if there is none. */
  fetch(address: string, overrides: FetchOptions = {}): Promise<FetchResult> {
    const options: Settings = { ...defaults, ...overrides };
    // A webhook has a span of its own.
    if (options.method === 'POST') return this.fetchWithin(address, options);
    const host = URL.canParse(address) ? new URL(address).hostname : '';
    const attributes = { 'http.request.method': 'GET', 'server.address': host };
    return traced('GET', () => this.fetchWithin(address, options), { kind: 'client', attributes });
  }

  private async fetchWithin(address: string, options: Settings): Promise<FetchResult> {
    const timeout = AbortSignal.timeout(options.timeoutMs);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
    try {
      // undici ignores the signal while it resolves the name and connects.
      return await Promise.race([this.follow(address, options, signal), aborted(signal)]);
    } catch (error) {
      if (error instanceof FetchProblem) throw error;
      if (signal.aborted) throw timedOut(error);
      throw new FetchProblem('unreachable', 'It could not be reached.', { cause: error });
    }
  }

  /** Follows redirects itself, so that each URL is checked like the first. */
  private async follow(address: string, options: Settings, signal: AbortSignal): Promise<FetchResult> {
    if (this.isClosed)
      throw new FetchProblem('unreachable', 'The service is stopping and fetches nothing any more.');
    let url = this.guard.assertPublicUrl(address);
    this.agent ??= this.guard.agent();
    const dispatcher = await this.agent;
    for (let hop = 0; ; hop += 1) {
      const leave = await options.enter?.(url);
      try {
        const next = await this.send(url, hop, options, signal, dispatcher);
        if (!(next instanceof URL)) return { url: url.href, ...next };
        url = next;
      } finally {
        leave?.();
      }
    }
  }

  /** Sends one request. Returns the URL that it redirects to, or the response. */
  private async send(
    url: URL,
    hop: number,
    options: Settings,
    signal: AbortSignal,
    dispatcher: Agent,
  ): Promise<URL | Omit<FetchResult, 'url'>> {
    const { method = 'GET', headers, body, maxRedirects } = options;
    const { request } = await import('undici');
    signal.throwIfAborted();
    let interim = 0;
    const response = await request(url, {
      dispatcher,
      signal,
      method,
      onInfo: () => {
        interim += 1;
        if (interim > maxInterimResponses) throw tooManyParts();
      },
      headers: {
        accept: '*/*',
        'user-agent': 'marketplace-gateway',
        ...headers,
        'accept-encoding': 'identity',
      },
      ...(body === undefined ? {} : { body }),
    });
    const { location } = response.headers;
    const isRedirect =
      method === 'GET' && redirectStatuses.has(response.statusCode) && typeof location === 'string';
    if (!isRedirect || maxRedirects === 0) return read(response, options);
    discard(response.body);
    if (hop === maxRedirects)
      throw new FetchProblem('too_many_redirects', `It redirects more than ${maxRedirects} times.`);
    if (!URL.canParse(location, url.href))
      throw new FetchProblem('invalid_url', 'It redirects to something that is not a web address.');
    return this.guard.assertPublicUrl(new URL(location, url));
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
): Promise<Omit<FetchResult, 'url'>> {
  const tooLarge = new FetchProblem('too_large', `It is larger than ${maxBytes} bytes.`);
  try {
    inspect?.(status, headers);
    if (overLimit === 'refuse' && Number(headers['content-length']) > maxBytes) throw tooLarge;
    const chunks: Buffer[] = [];
    let bytes = 0;
    let pieces = 0;
    // Not `for await`, which joins the pieces that wait: they would not be counted.
    await new Promise<void>((resolve, reject) => {
      const take = (piece: Buffer) => {
        if (bytes < keepBytes) chunks.push(piece);
        bytes += piece.length;
        pieces += 1;
        onPiece?.(piece);
        if (pieces <= maxPieces && bytes <= maxBytes) return;
        if (pieces > maxPieces) reject(tooManyParts());
        else if (overLimit === 'refuse') reject(tooLarge);
        else resolve();
        discard(body.off('data', take));
      };
      body.on('data', take).once('end', resolve).once('error', reject);
    });
    return { status, headers, body: Buffer.concat(chunks).subarray(0, keepBytes), bytes };
  } finally {
    discard(body);
  }
}

const tooManyParts = () => new FetchProblem('unusable', 'Its server sends it in too many tiny parts.');

/** Closes a body that is not read to its end. */
function discard(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => undefined);
  body.destroy();
}

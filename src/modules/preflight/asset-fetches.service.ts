import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { FetchProblem } from '../../net/fetch-problem.js';
import { busy, FetchSlots } from '../../net/fetch-slots.js';
import type { FetchedHeaders, GuardedFetcher } from '../../net/guarded-fetch.js';
import { headerBytes, type ImageHeader, maxImageMegabytes, readImageHeader } from './asset.rules.js';

/** An image that was fetched, as far as the checks need it. */
export interface FetchedImage {
  header: ImageHeader | null;
  contentType: string;
  bytes: number;
  sha256: string;
}

/** What is known of a URL: the image, null for a link that was reached, or why it was not fetched. */
type Fetched = { image: FetchedImage | null } | { problem: FetchProblem };

/** On whose behalf URLs are fetched, and until when. */
export interface Fetching {
  /** Id of the developer. */
  owner: string;
  signal: AbortSignal;
  /** Fetches URLs with a problem again: for results that are stored. */
  repeatsProblems: boolean;
}

/** Time for which results are used again. A developer who has replaced a file waits this long at most. */
const successTtlMs = 5 * 60_000;
const problemTtlMs = 60_000;
const maxResults = 10_000;
const perDeveloper = 8;
const perHost = 2;
/** Statuses with which a page rejects robots or anonymous visitors: the page exists, so the link counts as reachable. */
const reachableStatuses = new Set([401, 403, 405, 429]);

/**
 * Fetches images and links for the checks, so that others are not burdened (D355): a URL is fetched once in some minutes,
 * by at most eight fetches at once for a developer and two for a host, those that it redirects to included.
 */
export class AssetFetches {
  private readonly results = new LRUCache<string, Promise<Fetched>>({ max: maxResults, ttl: successTtlMs });
  private readonly problems = new WeakSet<Promise<Fetched>>();
  private readonly developers = new FetchSlots(perDeveloper);
  private readonly hosts = new FetchSlots(perHost);

  constructor(
    private readonly fetcher: Pick<GuardedFetcher, 'fetch'>,
    private readonly timeoutMs: number,
  ) {}

  /** Returns an image. Throws a FetchProblem if it cannot be fetched. */
  async image(url: string, by: Fetching): Promise<FetchedImage> {
    const result = await this.once(`image ${url}`, by, () => this.fetchImage(url, by));
    if ('problem' in result) throw result.problem;
    return result.image!;
  }

  /** Throws a FetchProblem if a page cannot be reached. Its body is not read. */
  async reach(url: string, by: Fetching): Promise<void> {
    const result = await this.once(`link ${url}`, by, () => this.fetchLink(url, by));
    if ('problem' in result) throw result.problem;
  }

  /** Shares a fetch with everybody who asks for the same meanwhile, and its result for some minutes. */
  private once(
    key: string,
    { repeatsProblems }: Fetching,
    fetch: () => Promise<FetchedImage | null>,
  ): Promise<Fetched> {
    const known = this.results.get(key);
    if (known && !(repeatsProblems && this.problems.has(known))) return known;
    const result = fetch().then(
      (image): Fetched => ({ image }),
      (problem: unknown): Fetched => {
        if (!(problem instanceof FetchProblem)) throw problem;
        return { problem };
      },
    );
    this.results.set(key, result);
    const forget = () => {
      if (this.results.peek(key) === result) this.results.delete(key);
    };
    result.then((found) => {
      if (!('problem' in found) || this.results.peek(key) !== result) return;
      this.problems.add(result);
      // It was not fetched, or had too little of the time: nothing is known of the URL.
      if (found.problem.code === 'busy') forget();
      else this.results.set(key, result, { ttl: problemTtlMs });
    }, forget);
    return result;
  }

  /** Reads the whole file for its size and hash, but holds only its beginning in memory. */
  private async fetchImage(url: string, by: Fetching): Promise<FetchedImage> {
    const hash = createHash('sha256');
    const { body, bytes, headers } = await this.inTurn(url, by, {
      headers: { accept: 'image/png, image/jpeg' },
      maxBytes: maxImageMegabytes * 1024 * 1024,
      keepBytes: headerBytes,
      inspect: requireUncompressedSuccess,
      onPiece: (piece) => hash.update(piece),
    });
    const contentType = String(headers['content-type'] ?? '');
    return {
      header: readImageHeader(body),
      contentType: contentType.split(';', 1)[0]!.trim().toLowerCase(),
      bytes,
      sha256: hash.digest('hex'),
    };
  }

  private async fetchLink(url: string, by: Fetching): Promise<null> {
    await this.inTurn(url, by, {
      maxBytes: 0,
      overLimit: 'cut',
      inspect: (status) => {
        if (status >= 400 && !reachableStatuses.has(status)) throw httpError(status);
      },
    });
    return null;
  }

  /** Waiting counts towards the time of the signal. A slot is freed when its fetch has ended. */
  private async inTurn(
    url: string,
    { owner, signal }: Fetching,
    options: Parameters<GuardedFetcher['fetch']>[1],
  ) {
    const startedAt = performance.now();
    const leave = await this.developers.enter(owner, signal);
    let enteredAt = Number.POSITIVE_INFINITY;
    const enter = async ({ hostname }: URL) => {
      const leaveHost = await this.hosts.enter(hostname, signal);
      enteredAt = Math.min(enteredAt, performance.now());
      return leaveHost;
    };
    try {
      return await this.fetcher.fetch(url, { ...options, signal, timeoutMs: this.timeoutMs, enter });
    } catch (error) {
      const hasWaited = enteredAt - startedAt > this.timeoutMs / 4;
      const isTimeout = error instanceof FetchProblem && error.code === 'timeout';
      throw isTimeout && hasWaited ? busy() : error;
    } finally {
      leave();
    }
  }
}

function requireUncompressedSuccess(status: number, headers: FetchedHeaders): void {
  if (status !== 200) throw httpError(status);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    throw new FetchProblem(
      'unusable',
      `The server sent the file with Content-Encoding ${String(encoding)}, although the request did not accept one.`,
    );
}

const httpError = (status: number) =>
  new FetchProblem('http_error', `The server responded with status ${status}.`);

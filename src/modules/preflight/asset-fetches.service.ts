import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { FetchProblem, timedOut } from '../../net/fetch-problem.js';
import { busy, type EnterHost, enterAfterFirst, FetchSlots } from '../../net/fetch-slots.js';
import type { FetchedHeaders, FetchOptions, GuardedFetcher } from '../../net/guarded-fetch.js';
import { parseWebUrl, resourceOf } from '../../net/web-url.js';
import {
  type Asset,
  headerBytes,
  type ImageHeader,
  maxImageMegabytes,
  readImageHeader,
} from './asset.rules.js';

/** An image that was fetched, as far as the checks need it. */
export interface FetchedImage {
  header: ImageHeader | null;
  contentType: string;
  bytes: number;
  sha256: string;
  /** The host that sent it, after redirects. */
  host: string;
}

/** Result of a fetch: the image, null for a link that was reached, or why it was not fetched. */
type Fetched = { image: FetchedImage | null } | { problem: FetchProblem };

/** A fetch that runs or has ended, shared by all callers with the same URL. */
interface SharedFetch {
  startedAt: number;
  /** Null if nothing was learnt about the URL, because a slot was not free in time. */
  outcome: Promise<Fetched | null>;
  /** The outcome, once the fetch has ended. */
  result: Fetched | null;
}

/** The developer for whom URLs are fetched, and the deadline. */
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
/** Part of the caller's time that may pass before a fetch starts. With less time left, a timeout would say nothing about the server. */
const maxWaitingShare = 0.25;
/** Statuses with which a page rejects robots or anonymous visitors: the page exists, so the link counts as reachable. */
const reachableStatuses = new Set([401, 403, 405, 429]);

/**
 * Fetches images and links for the checks, so that others are not burdened (D355): a URL is fetched once in some minutes,
 * by at most eight fetches at once for a developer and two for a host, those that it redirects to included.
 *
 * A fetch is shared only once it runs, and has a time of its own. So nobody waits for the slots of another developer, or
 * fails because another developer's time has ended.
 */
export class AssetFetches {
  private readonly known = new LRUCache<string, SharedFetch>({ max: maxResults, ttl: successTtlMs });
  private readonly developers = new FetchSlots(perDeveloper);
  private readonly hosts = new FetchSlots(perHost);

  constructor(
    private readonly fetcher: Pick<GuardedFetcher, 'fetch'>,
    private readonly timeoutMs: number,
  ) {}

  /** Returns true if a result of the last minutes is used for a URL, so that nothing is fetched. */
  has(asset: Asset, by: Pick<Fetching, 'repeatsProblems'>): boolean {
    return this.usable(keyOf(asset), by)?.result != null;
  }

  /**
   * Returns an image, or null for a link that can be reached; throws a FetchProblem. Waits for a fetch of the URL that runs,
   * or starts one when it is the caller's turn.
   */
  async fetch(asset: Asset, by: Fetching): Promise<FetchedImage | null> {
    const key = keyOf(asset);
    const fetch = (enter: EnterHost): Promise<FetchedImage | null> =>
      asset.kind === 'link' ? this.fetchLink(asset.url, enter) : this.fetchImage(asset.url, enter);
    for (;;) {
      const shared = this.usable(key, by);
      const result = shared && (await this.outcomeFor(by, shared));
      if (result && 'problem' in result) throw result.problem;
      if (result) return result.image;
      const slots = await this.turn(asset.url, by);
      // Another request may have started the same fetch while this one waited.
      if (this.usable(key, by)) slots.leave();
      else this.start(key, () => fetch(slots.enter).finally(slots.leave));
    }
  }

  private usable(key: string, { repeatsProblems }: Pick<Fetching, 'repeatsProblems'>): SharedFetch | null {
    const shared = this.known.get(key);
    const isRepeated = repeatsProblems && shared?.result && 'problem' in shared.result;
    return shared && !isRepeated ? shared : null;
  }

  private start(key: string, fetch: () => Promise<FetchedImage | null>): void {
    const outcome = fetch().then(
      (image): Fetched => ({ image }),
      (problem: unknown): Fetched | null => {
        if (!(problem instanceof FetchProblem)) throw problem;
        return problem.code === 'busy' ? null : { problem };
      },
    );
    const shared: SharedFetch = { startedAt: performance.now(), outcome, result: null };
    this.known.set(key, shared);
    const end = (result: Fetched | null) => {
      shared.result = result;
      if (this.known.peek(key) !== shared) return;
      if (result === null) this.known.delete(key);
      else if ('problem' in result) this.known.set(key, shared, { ttl: problemTtlMs });
    };
    outcome.then(end, () => end(null));
  }

  /** Waits for the outcome until the caller's time ends. The fetch goes on for the others, and for the next who ask. */
  private outcomeFor({ signal }: Fetching, { startedAt, outcome }: SharedFetch): Promise<Fetched | null> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        const hadItsTime = performance.now() - startedAt >= this.timeoutMs * (1 - maxWaitingShare);
        reject(hadItsTime ? timedOut() : busy());
      };
      if (signal.aborted) giveUp();
      signal.addEventListener('abort', giveUp, { once: true });
      outcome.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
    });
  }

  /** Waits for a slot of the developer, then for one of the host, until the caller's time ends. */
  private async turn(url: string, { owner, signal }: Fetching) {
    const leaveDeveloper = await this.developers.enter(owner, signal);
    try {
      const leaveHost = await this.hosts.enter(hostOf(url), signal);
      return {
        enter: this.enterHosts(leaveHost),
        leave() {
          leaveHost();
          leaveDeveloper();
        },
      };
    } catch (error) {
      leaveDeveloper();
      throw error;
    }
  }

  /** Returns what a fetch calls before each request. The first has its slot already; those after redirects wait a part of its time at most. */
  private enterHosts(leaveFirst: () => void): EnterHost {
    let leftMs = this.timeoutMs * maxWaitingShare;
    return enterAfterFirst(leaveFirst, async ({ hostname }) => {
      const since = performance.now();
      const leave = await this.hosts.enter(hostname, AbortSignal.timeout(Math.max(0, Math.ceil(leftMs))));
      leftMs -= performance.now() - since;
      return leave;
    });
  }

  private async fetchImage(url: string, enter: EnterHost): Promise<FetchedImage> {
    const options = { timeoutMs: this.timeoutMs, enter, inspect: requireUncompressedSuccess };
    const { headers, ...image } = await fetchPicture(this.fetcher, url, options);
    const contentType = String(headers['content-type'] ?? '');
    return { ...image, contentType: contentType.split(';', 1)[0]!.trim().toLowerCase() };
  }

  private async fetchLink(url: string, enter: EnterHost): Promise<null> {
    await this.fetcher.fetch(url, {
      maxBytes: 0,
      overLimit: 'cut',
      timeoutMs: this.timeoutMs,
      enter,
      inspect: (status) => {
        if (status >= 400 && !reachableStatuses.has(status)) throw httpError(status);
      },
    });
    return null;
  }
}

/** Reads a whole picture for its size and hash, but holds only its beginning in memory. */
export async function fetchPicture(
  fetcher: Pick<GuardedFetcher, 'fetch'>,
  url: string,
  { headers, ...options }: FetchOptions,
) {
  const hash = createHash('sha256');
  const fetched = await fetcher.fetch(url, {
    headers: { accept: 'image/png, image/jpeg', ...headers },
    maxBytes: maxImageMegabytes * 1024 * 1024,
    keepBytes: headerBytes,
    onPiece: (piece) => hash.update(piece),
    ...options,
  });
  return {
    status: fetched.status,
    headers: fetched.headers,
    header: readImageHeader(fetched.body),
    bytes: fetched.bytes,
    sha256: hash.digest('hex'),
    host: new URL(fetched.url).hostname,
  };
}

const keyOf = ({ kind, url }: Asset) => `${kind === 'link' ? 'link' : 'image'} ${resourceOf(url)}`;

const hostOf = (url: string) => parseWebUrl(url)?.hostname ?? url;

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

import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { now } from '../../db/clock.js';
import { FetchProblem } from '../../net/fetch-problem.js';
import type { FetchedHeaders, GuardedFetcher } from '../../net/guarded-fetch.js';
import type { Listing } from '../apps/listing.entity.js';
import {
  type AssetProblem,
  assetsOf,
  fixOf,
  headerBytes,
  type ImageHeader,
  type ImageType,
  imageProblem,
  maxImageMegabytes,
  readImageHeader,
} from './asset.rules.js';

/** The result of checking one URL of a listing. */
export interface AssetResult {
  field: string;
  url: string;
  ok: boolean;
  width: number | null;
  height: number | null;
  type: ImageType | null;
  bytes: number | null;
  sha256: string | null;
  problem: AssetProblem | null;
  checkedAt: Date;
}

interface FetchedImage {
  header: ImageHeader | null;
  contentType: string;
  bytes: number;
  sha256: string;
}

const totalTimeoutMs = 10_000;
/** Statuses with which a page rejects robots or anonymous visitors: the page exists, so the link counts as reachable. */
const reachableStatuses = new Set([401, 403, 405, 429]);

/** Fetches and checks the images and links of a listing. Must not be called inside a transaction, because it waits for other servers. */
export class AssetChecker {
  private readonly recentResults = new LRUCache<string, Promise<AssetResult[]>>({ max: 1_000, ttl: 60_000 });

  constructor(
    private readonly fetcher: Pick<GuardedFetcher, 'fetch'>,
    private readonly timeoutMs = totalTimeoutMs,
  ) {}

  /** Returns the results of the listing's current revision: from the last minute if there are any, or from a new check. */
  async checkCached(listing: Listing & { id: string; revision: number }): Promise<AssetResult[]> {
    const key = `${listing.id} ${listing.revision}`;
    const results = this.recentResults.get(key) ?? this.check(listing);
    this.recentResults.set(key, results, { noUpdateTTL: true });
    // An internal error must not be cached.
    results.catch(() => this.recentResults.delete(key));
    return results;
  }

  /** Checks all URLs in parallel, within ten seconds in total. A URL that is not fetched by then has a `timeout` problem. */
  async check(listing: Listing): Promise<AssetResult[]> {
    const signal = AbortSignal.timeout(this.timeoutMs);
    const images = new Map<string, Promise<FetchedImage>>();
    const fetchOnce = (url: string) => {
      const image = images.get(url) ?? this.fetchImage(url, signal);
      images.set(url, image);
      return image;
    };
    return Promise.all(
      assetsOf(listing).map(async ({ field, url, kind }): Promise<AssetResult> => {
        try {
          if (kind === 'link') {
            await this.reach(url, signal);
            return result(field, url, null);
          }
          const image = await fetchOnce(url);
          return result(field, url, imageProblem(kind, image.header, image.contentType), image);
        } catch (error) {
          if (!(error instanceof FetchProblem)) throw error;
          const { code, message } = error;
          return result(field, url, { code, message, fix: fixOf(code) });
        }
      }),
    );
  }

  /** Reads the whole file for its size and hash, but holds only its beginning in memory. */
  private async fetchImage(url: string, signal: AbortSignal): Promise<FetchedImage> {
    const hash = createHash('sha256');
    const { body, bytes, headers } = await this.fetcher.fetch(url, {
      signal,
      timeoutMs: this.timeoutMs,
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

  /** Rejects if a page cannot be reached. Its body is not read. */
  private async reach(url: string, signal: AbortSignal): Promise<void> {
    await this.fetcher.fetch(url, {
      signal,
      timeoutMs: this.timeoutMs,
      maxBytes: 0,
      overLimit: 'cut',
      inspect: (status) => {
        if (status >= 400 && !reachableStatuses.has(status)) throw httpError(status);
      },
    });
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

const result = (
  field: string,
  url: string,
  problem: AssetProblem | null,
  image?: FetchedImage,
): AssetResult => ({
  field,
  url,
  ok: problem === null,
  width: image?.header?.size?.width ?? null,
  height: image?.header?.size?.height ?? null,
  type: image?.header?.type ?? null,
  bytes: image?.bytes ?? null,
  sha256: image?.sha256 ?? null,
  problem,
  checkedAt: now(),
});

import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { FetchProblem } from '../../net/fetch-problem.js';
import type { FetchedHeaders, GuardedFetcher } from '../../net/guarded-fetch.js';
import type { Listing } from '../apps/listing.entity.js';
import { type AssetProblem, assetsOf, fixOf, imageProblem, maxImageMegabytes } from './asset.rules.js';
import { headerBytes, type ImageHeader, type ImageType, readImageHeader } from './image.header.js';

/** What was found at one address of a listing. */
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

interface Picture {
  header: ImageHeader | null;
  contentType: string;
  bytes: number;
  sha256: string;
}

const allWithinMs = 10_000;
/** Refusals of robots and strangers: somebody is there. */
const answeredAnyway = new Set([401, 403, 405, 429]);

/** Looks at everything a listing points to. Fetches from outside, so it must never be called inside a transaction. */
export class AssetChecker {
  private readonly lately = new LRUCache<string, Promise<AssetResult[]>>({ max: 1_000, ttl: 60_000 });

  constructor(
    private readonly fetcher: GuardedFetcher,
    private readonly withinMs = allWithinMs,
  ) {}

  /** What was found within the last minute at the addresses of a listing's present revision, or is found now. */
  async checkLately(listing: Listing & { id: string; revision: number }): Promise<AssetResult[]> {
    const key = `${listing.id} ${listing.revision}`;
    const results = this.lately.get(key) ?? this.check(listing);
    this.lately.set(key, results, { noUpdateTTL: true });
    // A failure of ours is not kept.
    results.catch(() => this.lately.delete(key));
    return results;
  }

  /** All addresses at once, within ten seconds in all; whatever is not there by then has a problem. */
  async check(listing: Listing): Promise<AssetResult[]> {
    const signal = AbortSignal.timeout(this.withinMs);
    const pictures = new Map<string, Promise<Picture>>();
    const picture = (url: string) => {
      const known = pictures.get(url) ?? this.fetchPicture(url, signal);
      pictures.set(url, known);
      return known;
    };
    return Promise.all(
      assetsOf(listing).map(async ({ field, url, kind }): Promise<AssetResult> => {
        try {
          if (kind === 'link') {
            await this.reach(url, signal);
            return result(field, url, null);
          }
          const found = await picture(url);
          return result(field, url, imageProblem(kind, found.header, found.contentType), found);
        } catch (error) {
          if (!(error instanceof FetchProblem)) throw error;
          const { code, message } = error;
          return result(field, url, { code, message, fix: fixOf(code) });
        }
      }),
    );
  }

  /** The whole file is read for its size and fingerprint, but only its beginning is kept. */
  private async fetchPicture(url: string, signal: AbortSignal): Promise<Picture> {
    const hash = createHash('sha256');
    const { body, bytes, headers } = await this.fetcher.fetch(url, {
      signal,
      timeoutMs: this.withinMs,
      headers: { accept: 'image/png, image/jpeg' },
      maxBytes: maxImageMegabytes * 1024 * 1024,
      keepBytes: headerBytes,
      inspect: requirePlainSuccess,
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

  /** A page counts as reachable when its server answers for it; what it says is not read. */
  private async reach(url: string, signal: AbortSignal): Promise<void> {
    await this.fetcher.fetch(url, {
      signal,
      timeoutMs: this.withinMs,
      maxBytes: 0,
      overLimit: 'cut',
      inspect: (status) => {
        if (status >= 400 && !answeredAnyway.has(status)) throw httpError(status);
      },
    });
  }
}

function requirePlainSuccess(status: number, headers: FetchedHeaders): void {
  if (status !== 200) throw httpError(status);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    throw new FetchProblem(
      'unusable',
      `It is sent compressed (${String(encoding)}), though we asked for it as it is.`,
    );
}

const httpError = (status: number) =>
  new FetchProblem('http_error', `Its server answers with status ${status}.`);

const result = (field: string, url: string, problem: AssetProblem | null, found?: Picture): AssetResult => ({
  field,
  url,
  ok: problem === null,
  width: found?.header?.size?.width ?? null,
  height: found?.header?.size?.height ?? null,
  type: found?.header?.type ?? null,
  bytes: found?.bytes ?? null,
  sha256: found?.sha256 ?? null,
  problem,
  checkedAt: new Date(),
});

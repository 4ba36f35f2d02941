import { now } from '../../db/clock.js';
import { remainingMs } from '../../db/payer.js';
import { FetchProblem } from '../../net/fetch-problem.js';
import type { GuardedFetcher } from '../../net/guarded-fetch.js';
import type { Listing } from '../listings/listing.entity.js';
import { type Asset, type AssetProblem, assetsOf, fixOf, imageProblem } from './asset.rules.js';
import type { AssetCheck } from './asset-check.entity.js';
import { AssetFetches, type FetchedImage } from './asset-fetches.service.js';

/** The result of checking one URL of a listing. */
export type AssetResult = Omit<AssetCheck, 'listingId' | 'revision' | 'appId'>;

const totalTimeoutMs = 10_000;
/** Part of a request's time that is left when its fetches end, for the transaction that follows (D329). */
const reservedMs = 1_500;

/** Checks the images and links of a listing. Must not be called inside a transaction, because it waits for other servers. */
export class AssetChecker {
  private readonly fetches: AssetFetches;

  constructor(
    fetcher: Pick<GuardedFetcher, 'fetch'>,
    private readonly timeoutMs = totalTimeoutMs,
  ) {
    this.fetches = new AssetFetches(fetcher, timeoutMs);
  }

  /**
   * Checks all URLs of a listing, for its developer, within ten seconds in total. A URL that is not fetched by then has a
   * `timeout` or `busy` problem. Results of the last minutes are used again, with `repeatsProblems` only good ones.
   * `charge` is called before anything is fetched, and not if nothing is.
   */
  async check(
    listing: Listing,
    owner: string,
    { repeatsProblems = false, charge }: { repeatsProblems?: boolean; charge?: () => Promise<void> } = {},
  ): Promise<AssetResult[]> {
    const assets = assetsOf(listing);
    if (!assets.every((asset) => this.fetches.has(asset, { repeatsProblems }))) await charge?.();
    const leftMs = Math.max(0, remainingMs() - reservedMs);
    const signal = AbortSignal.timeout(Math.min(this.timeoutMs, Math.floor(leftMs)));
    const by = { owner, signal, repeatsProblems };
    return Promise.all(
      assets.map(async (asset): Promise<AssetResult> => {
        try {
          return resultOf(asset, await this.fetches.fetch(asset, by));
        } catch (error) {
          if (!(error instanceof FetchProblem)) throw error;
          const { code, message } = error;
          return resultOf(asset, null, { code, message, fix: fixOf(code) });
        }
      }),
    );
  }
}

const problemOf = ({ kind }: Asset, image: FetchedImage | null) =>
  image && kind !== 'link' ? imageProblem(kind, image.header, image.contentType) : null;

const resultOf = (
  asset: Asset,
  image: FetchedImage | null,
  problem: AssetProblem | null = problemOf(asset, image),
): AssetResult => ({
  field: asset.field,
  url: asset.url,
  ok: problem === null,
  width: image?.header?.size?.width ?? null,
  height: image?.header?.size?.height ?? null,
  type: image?.header?.type ?? null,
  bytes: image?.bytes ?? null,
  sha256: image?.sha256 ?? null,
  host: image?.host ?? null,
  problem,
  checkedAt: now(),
});

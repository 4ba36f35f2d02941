import type { RequestListener } from 'node:http';
import { Category, type Listing } from '../../../src/modules/listings/listing.entity.js';
import { listingFields } from '../../../src/modules/listings/listing-change.rules.js';
import { AssetChecker } from '../../../src/modules/preflight/asset-checker.service.js';
import { GuardedFetcher } from '../../../src/net/guarded-fetch.js';
import { startPictureServer } from '../../support/pictures.js';
import { shared } from '../../support/shared.js';

const unset = Object.fromEntries(listingFields.map((field) => [field, null])) as unknown as Listing;
export const listing = (fields: Partial<Listing>): Listing => ({
  ...unset,
  name: 'Time Tracker',
  description: 'Tracks time.',
  category: Category.OTHER,
  screenshots: [],
  ...fields,
});
export const withScreenshots = (...urls: string[]) =>
  listing({ screenshots: urls.map((url, order) => ({ url, caption: null, order })) });

/** Serves the same response to every request. */
export const sending =
  (
    body: Buffer | string,
    headers: Record<string, string> = { 'content-type': 'image/png' },
  ): RequestListener =>
  (_, response) =>
    response.writeHead(200, headers).end(body);

/** A picture server, and the checker that fetches from it. */
export const checkerStage = shared(async () => {
  const server = await startPictureServer();
  const fetcher = new GuardedFetcher({ allowedHosts: [server.host], resolve: async () => [] });
  const check = (fields: Listing, withinMs?: number) =>
    new AssetChecker(fetcher, withinMs).check(fields, 'developer');
  return {
    server,
    check,
    /** The code of the problem with a picture; null if there is none. */
    problemOf: async (url: string) =>
      (await check(listing({ logoUrl: url }), 30_000))[0]?.problem?.code ?? null,
    async close() {
      await fetcher.close();
      await server.close();
    },
  };
});
export type CheckerStage = Awaited<ReturnType<typeof checkerStage>>;

import DataLoader from 'dataloader';
import { sql } from 'kysely';
import type { LoaderSource } from '../../operations/context.js';
import { pagesByOwner } from '../../operations/loaders.js';
import type { OwnedList } from '../../operations/owned-pages.js';
import { Rating } from './rating.entity.js';
import { RatingReport } from './rating-report.entity.js';

const allRatingsOfApp: OwnedList<Rating> = {
  entity: Rating,
  table: 'ratings',
  ownerColumn: 'app_id',
  ownerOf: ({ app }) => app.id,
  newestFirst: true,
};
const ratingsOfApp: OwnedList<Rating> = { ...allRatingsOfApp, where: sql`hidden_at is null` };
const openReports: OwnedList<RatingReport> = {
  entity: RatingReport,
  table: 'rating_reports',
  ownerColumn: 'rating_id',
  ownerOf: ({ rating }) => rating.id,
  where: sql`closed_at is null`,
  newestFirst: true,
};

export function ratingLoaders({ fork, services }: LoaderSource) {
  return {
    allRatings: pagesByOwner(fork, allRatingsOfApp, (rating) => rating),
    ratings: pagesByOwner(fork, ratingsOfApp, (rating) => rating),
    ratingReports: pagesByOwner(fork, openReports, (report) => report),
    ratingDistribution: new DataLoader(async (appIds: readonly string[]) => {
      const rows = await services(fork()).ratings.distributions(appIds);
      const counts = new Map(rows.map((row) => [row.id, row.counts]));
      return appIds.map((id) => (counts.get(id) ?? []).map((count, index) => ({ rating: index + 1, count })));
    }),
    /** An account's rating of an app, hidden or not; null if there is none. */
    ownRating: new DataLoader<{ appId: string; accountUserId: string }, Rating | null, string>(
      async (keys) => {
        const own = { accountUserId: keys[0]!.accountUserId, removedAt: null };
        const rows = await fork().find(Rating, { ...own, app: keys.map(({ appId }) => appId) });
        return keys.map(({ appId }) => rows.find((row) => row.app.id === appId) ?? null);
      },
      { cacheKeyFn: ({ appId, accountUserId }) => `${appId} ${accountUserId}` },
    ),
  };
}

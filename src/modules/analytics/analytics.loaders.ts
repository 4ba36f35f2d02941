import DataLoader from 'dataloader';
import type { z } from 'zod';
import type { LoaderSource } from '../../operations/context.js';
import type { AnalyticsSeries } from './analytics.input.js';
import type { SeriesPoint } from './analytics.types.js';

/** The figures of an app over a range of days. */
type SeriesKey = { appId: string } & z.output<typeof AnalyticsSeries>;

export const analyticsLoaders = ({ fork, services }: LoaderSource) => ({
  analyticsSeries: new DataLoader<SeriesKey, SeriesPoint[], string>(
    (keys) => {
      const { analytics } = services(fork(), 'report');
      // One failure must not fail the other keys.
      const read = ({ appId, ...range }: SeriesKey) =>
        analytics.series(appId, range).catch((error: Error) => error);
      return Promise.all(keys.map(read));
    },
    { cacheKeyFn: (key) => JSON.stringify(key) },
  ),
});

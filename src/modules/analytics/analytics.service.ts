import type { z } from 'zod';
import type { DeveloperCaller } from '../../auth/caller.js';
import type { ReportReader } from '../../db/replicas.js';
import { notFound, ServiceError } from '../../errors.js';
import type { AnalyticsSeries } from './analytics.input.js';
import { figures, series } from './analytics.queries.js';
import { AnalyticsBucket, type AppAnalytics, type SeriesPoint } from './analytics.types.js';

/** One point per day for two leap years. */
const maxPoints = 732;
const dayMs = 24 * 60 * 60 * 1000;

/** Numbers the buckets consecutively, so that a difference of two numbers counts the buckets between two days. */
const bucketNumber: Record<AnalyticsBucket, (day: Date) => number> = {
  DAY: (day) => day.getTime() / dayMs,
  // 1 January 1970 was a Thursday: three days after a Monday.
  WEEK: (day) => Math.floor((day.getTime() / dayMs + 3) / 7),
  MONTH: (day) => day.getUTCFullYear() * 12 + day.getUTCMonth(),
};

/** Counts the points of a series: all buckets from that of its first day to that of its last day. */
export const pointsOf = ({ from, to, bucket }: SeriesRange): number =>
  bucketNumber[bucket](new Date(to)) - bucketNumber[bucket](new Date(from)) + 1;

interface SeriesRange {
  from: string;
  to: string;
  bucket: AnalyticsBucket;
}

/** Reads the metrics of an app. */
export class AnalyticsService {
  constructor(private readonly reader: ReportReader) {}

  async figures({ developer }: DeveloperCaller, appId: string): Promise<AppAnalytics & { id: string }> {
    const [app] = await this.reader.rows(figures(developer.id, appId));
    if (!app) throw notFound('app');
    return app;
  }

  async series(
    appId: string,
    { bucket, ...range }: z.output<typeof AnalyticsSeries>,
  ): Promise<SeriesPoint[]> {
    const query = { appId, bucket: bucket ?? AnalyticsBucket.DAY, ...range };
    requireRange(query);
    return this.reader.rows(series(query));
  }
}

function requireRange(range: SeriesRange): void {
  if (range.from > range.to) throw outOfRange('from', 'from must not be after to.');
  const points = pointsOf(range);
  if (points > maxPoints) {
    throw outOfRange(
      'to',
      `to must be closer to from: a series has at most ${maxPoints} points, and this one would have ${points}. Choose a shorter range or a longer bucket.`,
    );
  }
}

const outOfRange = (field: string, message: string) =>
  new ServiceError('VALIDATION_FAILED', 'The input is not valid: see details.', [
    { field, code: 'too_big', message },
  ]);

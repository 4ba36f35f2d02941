import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import { ServiceError } from '../../errors.js';
import type { Series } from './analytics.input.js';
import { series } from './analytics.queries.js';
import { AnalyticsBucket, type SeriesPoint } from './analytics.types.js';

/** More than two years of days. */
const maxPoints = 732;
const dayMs = 24 * 60 * 60 * 1000;

/** The number of the bucket that holds a day; buckets that follow each other have consecutive numbers. */
const bucketNumber: Record<AnalyticsBucket, (day: Date) => number> = {
  DAY: (day) => day.getTime() / dayMs,
  // 1 January 1970 was a Thursday: three days after a Monday.
  WEEK: (day) => Math.floor((day.getTime() / dayMs + 3) / 7),
  MONTH: (day) => day.getUTCFullYear() * 12 + day.getUTCMonth(),
};

/** How many points a series has: the buckets from the one of its first day to the one of its last. */
export const pointsOf = ({ from, to, bucket }: SeriesRange): number =>
  bucketNumber[bucket](new Date(to)) - bucketNumber[bucket](new Date(from)) + 1;

interface SeriesRange {
  from: string;
  to: string;
  bucket: AnalyticsBucket;
}

/** How an app is doing over time. */
export class AnalyticsService {
  constructor(private readonly em: EntityManager) {}

  async series(appId: string, { bucket, ...range }: z.output<typeof Series>): Promise<SeriesPoint[]> {
    const query = { appId, bucket: bucket ?? AnalyticsBucket.DAY, ...range };
    requireRange(query);
    const { rows } = await series(query).execute(this.em.getKysely());
    return rows;
  }
}

function requireRange(range: SeriesRange): void {
  if (range.from > range.to) throw outOfRange('from', 'from must not be after to.');
  const points = pointsOf(range);
  if (points > maxPoints) {
    throw outOfRange(
      'to',
      `to must be nearer to from: a series has at most ${maxPoints} points, and this one would have ${points}. Ask for a shorter time, or for a longer bucket.`,
    );
  }
}

const outOfRange = (field: string, message: string) =>
  new ServiceError('VALIDATION_FAILED', 'The input is not valid: see details.', [
    { field, code: 'too_big', message },
  ]);

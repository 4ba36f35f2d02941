import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import { ServiceError } from '../../errors.js';
import type { Series } from './analytics.input.js';
import { series } from './analytics.queries.js';
import { AnalyticsBucket, type SeriesPoint } from './analytics.types.js';

/** More than two years of days. */
const maxPoints = 732;
const daysPerPoint: Record<AnalyticsBucket, number> = { DAY: 1, WEEK: 7, MONTH: 28 };
const dayMs = 24 * 60 * 60 * 1000;

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

function requireRange({ from, to, bucket }: { from: string; to: string; bucket: AnalyticsBucket }): void {
  if (from > to) throw outOfRange('from', 'from must not be after to.');
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  const points = Math.ceil(days / daysPerPoint[bucket]);
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

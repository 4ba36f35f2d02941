import { z } from 'zod';
import { formatted } from '../../operations/input.js';
import { AnalyticsBucket, AnalyticsMetric } from './analytics.types.js';

/** A day of the calendar that there is. */
const day = () =>
  formatted(
    10,
    (value) => /^(?!0000)\d{4}-\d\d-\d\d$/.test(value) && isDay(value),
    'invalid_date',
    'must be a day such as 2026-01-31',
  );

const isDay = (value: string) => {
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
};

export const Series = z
  .object({
    metric: z.enum(AnalyticsMetric).describe('What to count.'),
    from: day().describe('The first day, such as 2026-01-01; in UTC, as all days here.'),
    to: day().describe('The last day; today is possible.'),
    bucket: z.enum(AnalyticsBucket).nullish().describe('What a point covers: a day, unless told.'),
  })
  .describe('Which figures.');

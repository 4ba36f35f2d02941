import { z } from 'zod';
import { formatted } from '../../operations/input.js';
import { AnalyticsBucket, AnalyticsMetric } from './analytics.types.js';

/** A calendar day that exists, such as 2026-01-31 but not 2026-02-31. */
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

export const AnalyticsSeries = z
  .object({
    metric: z.enum(AnalyticsMetric).describe('The metric to count.'),
    from: day().describe('First day of the series (UTC), such as `2026-01-01`.'),
    to: day().describe('Last day of the series (UTC), such as `2026-01-31`; today is allowed.'),
    bucket: z.enum(AnalyticsBucket).nullish().describe('Time span of one point. Default: `DAY`.'),
  })
  .describe('Selects a metric, a range of days and the time span of one point.');

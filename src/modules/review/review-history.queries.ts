import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { DecisionFilter } from './review.input.js';
import type { DailyDecisions, ReviewerDecisions, ReviewStats } from './review-stats.types.js';

/** Selects the decisions that match a filter, in the form that `pageOfIds` needs. */
export function matchingDecisions({
  reviewer,
  outcome,
  from,
  to,
}: z.output<typeof DecisionFilter>): RawBuilder<unknown> {
  const conditions = [
    sql`outcome in ('APPROVED', 'REJECTED')`,
    ...(reviewer ? [sql`decided_by = ${reviewer}`] : []),
    ...(outcome ? [sql`outcome = ${outcome}`] : []),
    ...(from ? [sql`ended_at >= ${new Date(from)}`] : []),
    ...(to ? [sql`ended_at < ${new Date(to)}`] : []),
  ];
  return sql`select id, ended_at as at from submissions where ${sql.join(conditions, sql` and `)}`;
}

/** Numbers of approvals and rejections. */
const outcomes = sql`
  count(*) filter (where outcome = 'APPROVED')::int as approved,
  count(*) filter (where outcome = 'REJECTED')::int as rejected`;

const firstDay = (days: number) => sql`(now() at time zone 'utc')::date - ${days - 1}::int`;

/** The decisions of the last days, today included. */
const decided = (days: number) => sql`
  submissions where outcome in ('APPROVED', 'REJECTED')
    and ended_at >= (${firstDay(days)})::timestamp at time zone 'utc'`;

export const decisionTotals = (days: number) => sql<
  Pick<ReviewStats, 'approved' | 'rejected' | 'medianWaitSeconds'>
>`
  select ${outcomes}, round(percentile_cont(0.5) within group (
    order by extract(epoch from ended_at - queued_at)::float8))::int as "medianWaitSeconds" from ${decided(days)}`;

export const decisionsByDay = (days: number) => sql<DailyDecisions>`
  with counted as (
    select (ended_at at time zone 'utc')::date as day, ${outcomes} from ${decided(days)} group by 1)
  select to_char(day, 'YYYY-MM-DD') as date, coalesce(approved, 0) as approved, coalesce(rejected, 0) as rejected
  from (select ${firstDay(days)} + n as day from generate_series(0, ${days - 1}::int) n) period
  left join counted using (day) order by day`;

export const decisionsByReviewer = (days: number) => sql<ReviewerDecisions>`
  select decided_by as reviewer, ${outcomes} from ${decided(days)}
  group by decided_by order by count(*) desc, decided_by limit 100`;

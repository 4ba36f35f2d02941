import type { EntityDictionary } from '@mikro-orm/core';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { now, nowMs } from '../../db/clock.js';
import type { ReviewQueueFilter } from './review.input.js';
import { type QueuePlace, ReviewStage } from './review.types.js';
import type { Submission } from './submission.entity.js';

const hourMs = 60 * 60 * 1000;
/** With fewer recent decisions than this, the promised times are a better estimate than their percentiles. */
const minDecisions = 5;

/** The position of an app, version or developer in its queue. Times are milliseconds since 1970. */
export interface QueuePlaceRow {
  subject: string;
  position: number;
  submittedMs: number;
  queuedMs: number;
  /** Time at which the head of the queue entered it. */
  headMs: number;
  dueMs: number;
  inReview: boolean;
}

/** Number of the recent decisions, and the percentiles of the time that they took. */
export interface DecisionTimesRow {
  decided: number;
  p50Ms: number | null;
  p90Ms: number | null;
}

/**
 * The submissions in the queue that match a filter; `account` is the administrator who asks. Those of a suspended developer
 * are not in the queue until the developer is reinstated (D119).
 */
function queued(account: string, filter: z.output<typeof ReviewQueueFilter>): RawBuilder<unknown> {
  const { category, environment, versions } = filter;
  const at = now();
  const conditions = [
    sql`s.ended_at is null and d.status <> 'SUSPENDED'`,
    ...(category ? [sql`coalesce(v.category, a.category) = ${category}`] : []),
    ...(environment ? [sql`a.environment = ${environment}`] : []),
    ...(filter.overdue ? [sql`s.due_at < ${at}`] : []),
    ...(filter.mine ? [sql`s.claimed_by = ${account} and s.claimed_until > ${at}`] : []),
    ...(filter.unclaimed ? [sql`(s.claimed_until is null or s.claimed_until <= ${at})`] : []),
    ...(typeof versions === 'boolean' ? [sql`(s.version_id is not null) = ${versions}`] : []),
  ];
  return sql`
    from submissions s join apps a on a.id = s.app_id join developers d on d.id = a.developer_id
    left join app_versions v on v.id = s.version_id where ${sql.join(conditions, sql` and `)}`;
}

/** Selects the queue in the form that `pageOfIds` needs. */
export const matchingSubmissions = (account: string, filter: z.output<typeof ReviewQueueFilter>) =>
  sql`select s.id, s.queued_at as at ${queued(account, filter)}`;

/**
 * Finds and locks the submission that has waited longest of those that an administrator may claim: nobody has claimed it, and
 * it is not their own. It locks the app first, as every other operation does, and waits for an edit of it to end. A submission
 * that somebody else is claiming is skipped, unless `waits` is true.
 */
export const nextToClaim = (
  account: string,
  filter: z.output<typeof ReviewQueueFilter>,
  { waits }: { waits: boolean },
) => sql<{ id: string }>`
  select s.id ${queued(account, { ...filter, unclaimed: true })} and d.account_user_id <> ${account}
  order by s.queued_at, s.id limit 1
  for share of a for update of s ${waits ? sql`` : sql`skip locked`}`;

const ms = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`;

/** A queue: those who wait, and how many seconds its last 200 decisions took. */
export interface QueueStatements {
  waiting: RawBuilder<unknown>;
  recent: RawBuilder<unknown>;
}

/** The apps and versions that wait for a review. */
export const reviewQueue: QueueStatements = {
  waiting: sql`select id, coalesce(version_id, app_id) as subject, created_at, queued_at, due_at,
    coalesce(claimed_until > now(), false) as in_review from queued_submissions`,
  recent: sql`select extract(epoch from ended_at - queued_at)::float8 as took from submissions
    where outcome in ('APPROVED', 'REJECTED') order by ended_at desc limit 200`,
};

/** The developers who wait for their verification. */
export const verificationQueue: QueueStatements = {
  waiting: sql`select id, id as subject, created_at, created_at as queued_at,
    created_at + interval '24 hours' as due_at, false as in_review from developers where status = 'UNVERIFIED'`,
  recent: sql`select extract(epoch from verified_at - created_at)::float8 as took from developers
    where verified_at is not null order by verified_at desc limit 200`,
};

/** Finds the positions of apps and versions, or of developers, in their queue. */
export const placesIn = ({ waiting }: QueueStatements, subjects: readonly string[]) => sql<QueuePlaceRow>`
  with queue as (
    select *, row_number() over (order by queued_at, id)::int as position, min(queued_at) over () as head_at
    from (${waiting}) waiting)
  select subject, position, ${ms('created_at')} as "submittedMs", ${ms('queued_at')} as "queuedMs",
    ${ms('head_at')} as "headMs", ${ms('due_at')} as "dueMs", in_review as "inReview"
  from queue where subject = any(${subjects}::uuid[])`;

export const decisionTimes = ({ recent }: QueueStatements) => sql<DecisionTimesRow>`
  select count(*)::int as decided,
    percentile_cont(0.5) within group (order by took) * 1000 as "p50Ms",
    percentile_cont(0.9) within group (order by took) * 1000 as "p90Ms"
  from (${recent}) recent`;

/** Finds the latest decided submission of each of these apps, and of each of their versions. */
export const latestDecisions = (appIds: readonly string[]) => sql<EntityDictionary<Submission>>`
  select distinct on (app_id, version_id) * from submissions
  where app_id = any(${appIds}::uuid[]) and listing is not null
  order by app_id, version_id, ended_at desc, id desc`;

/**
 * Converts a row to a QueuePlace. A decision is expected to take as long as the recent ones or as promised, but not less than
 * the head of the queue waits already.
 */
export function queuePlace(place: QueuePlaceRow, times: DecisionTimesRow): QueuePlace {
  const hasHistory = times.decided >= minDecisions;
  const p50 = hasHistory ? (times.p50Ms ?? 0) : 24 * hourMs;
  const p90 = hasHistory ? (times.p90Ms ?? 0) : 48 * hourMs;
  const headWaitsMs = nowMs() - place.headMs;
  const expected = (durationMs: number) => new Date(place.queuedMs + Math.max(durationMs, headWaitsMs));
  return {
    stage: place.inReview ? ReviewStage.IN_REVIEW : ReviewStage.QUEUED,
    position: place.position,
    ahead: place.position - 1,
    submittedAt: new Date(place.submittedMs),
    dueAt: new Date(place.dueMs),
    etaP50: expected(p50),
    etaP90: expected(p90),
  };
}

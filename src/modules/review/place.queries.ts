import type { EntityDictionary } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Submission } from './submission.entity.js';

/** A place in a queue, in milliseconds, as the database counts it. */
export interface PlaceRow {
  subject: string;
  position: number;
  submittedMs: number;
  queuedMs: number;
  dueMs: number;
  inReview: boolean;
}

/** How long recent decisions took. */
export interface PaceRow {
  decided: number;
  p50Ms: number | null;
  p90Ms: number | null;
}

const ms = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`;

/** Where the submissions of these apps and versions stand. */
export const submissionPlaces = (subjects: readonly string[]) => sql<PlaceRow>`
  with queue as (
    select *, row_number() over (order by queued_at, id)::int as position from queued_submissions)
  select coalesce(version_id, app_id) as subject, position, ${ms('created_at')} as "submittedMs",
    ${ms('queued_at')} as "queuedMs", ${ms('due_at')} as "dueMs", coalesce(claimed_until > now(), false) as "inReview"
  from queue where coalesce(version_id, app_id) = any(${subjects}::uuid[])`;

/** Where these developers stand who wait for their verification. */
export const verificationPlaces = (developers: readonly string[]) => sql<PlaceRow>`
  with queue as (
    select id, created_at, created_at + interval '24 hours' as due_at,
      row_number() over (order by created_at, id)::int as position
    from developers where status = 'UNVERIFIED')
  select id as subject, position, ${ms('created_at')} as "submittedMs", ${ms('created_at')} as "queuedMs",
    ${ms('due_at')} as "dueMs", false as "inReview"
  from queue where id = any(${developers}::uuid[])`;

const pace = (recent: ReturnType<typeof sql>) => sql<PaceRow>`
  select count(*)::int as decided,
    percentile_cont(0.5) within group (order by took) * 1000 as "p50Ms",
    percentile_cont(0.9) within group (order by took) * 1000 as "p90Ms"
  from (${recent}) recent`;

export const reviewPace = () =>
  pace(sql`
    select extract(epoch from ended_at - queued_at)::float8 as took from submissions
    where outcome in ('APPROVED', 'REJECTED') order by ended_at desc limit 200`);

export const verificationPace = () =>
  pace(sql`
    select extract(epoch from verified_at - created_at)::float8 as took from developers
    where verified_at is not null order by verified_at desc limit 200`);

/** The latest decided submission of each of these apps, and of each of their versions, whole. */
export const latestDecisions = (appIds: readonly string[]) => sql<EntityDictionary<Submission>>`
  select distinct on (app_id, version_id) * from submissions
  where app_id = any(${appIds}::uuid[]) and listing is not null
  order by app_id, version_id, ended_at desc, id desc`;

import { sql } from 'kysely';

interface CountRow {
  count: number;
}

const aDayAgo = sql`now() - interval '24 hours'`;

/** Locks a quota until the end of the transaction, in all gateway processes. */
export const lockQuota = (what: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`quota:${what}`}, 0))`;

/** Counts a developer's apps, and reads whether the developer is verified. */
export const appsOf = (developerId: string) => sql<CountRow & { isVerified: boolean }>`
  select status = 'VERIFIED' as "isVerified", (select count(*)::int from apps where developer_id = developers.id) as count
  from developers where id = ${developerId}`;

/** Counts a developer's keys that still work, of pipelines or of people. The expression is the same as in the index `api_keys_ended`. */
export const liveKeysOf = (developerId: string, areOfPipelines: boolean) => sql<CountRow>`
  select count(*)::int as count from api_keys
  where developer_id = ${developerId} and coalesce(revoked_at, expires_at) > now()
    and (trusted_publisher_id is not null) = ${areOfPipelines}`;

/**
 * Counts one more check of images in a share of a developer, in a day that begins with the first one. Unlike the other quotas it
 * has no rows of its own to count, so it shares the table of the rate limits, whose expired rows the worker deletes.
 */
export const countCheck = (developerId: string, share: string) => sql<CountRow>`
  with clock as (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms)
  insert into rate_limits as counted (key, points, expire)
  select ${`quota:${share}:${developerId}`}, 1, ms + 86400000 from clock
  on conflict (key) do update set
    points = case when counted.expire <= excluded.expire - 86400000 then 1 else counted.points + 1 end,
    expire = case when counted.expire <= excluded.expire - 86400000 then excluded.expire else counted.expire end
  returning points as count`;

export const recentMessagesAbout = (appId: string) => sql<CountRow>`
  select count(*)::int as count from review_messages
  where app_id = ${appId} and author = 'DEVELOPER' and created_at > ${aDayAgo}`;

/** Counts the closed versions that were created in the last 24 hours. The open one, of which there is at most one, is not counted. */
export const recentVersionsOf = (appId: string) => sql<CountRow>`
  select count(*)::int as count from app_versions
  where app_id = ${appId} and status not in ('DRAFT', 'PENDING', 'REJECTED') and created_at > ${aDayAgo}`;

export const recentTestsOf = (endpointId: string) => sql<CountRow>`
  select count(*)::int as count from webhook_deliveries
  where endpoint_id = ${endpointId} and type = 'webhook.test' and created_at > ${aDayAgo}`;

/** Counts the requests with an Idempotency-Key whose responses are stored. */
export const recentIdempotencyKeysOf = (developerId: string) => sql<CountRow>`
  select count(*)::int as count from stored_responses
  where developer_id = ${developerId} and created_at > ${aDayAgo}`;

/** Counts the ratings that an account has reported, and the reasons that it has changed. */
export const recentReportsBy = (accountUserId: string) => sql<CountRow>`
  select count(*)::int as count from audit_events
  where actor_account = ${accountUserId} and kind in ('rating.reported', 'app.reported') and created_at > ${aDayAgo}`;

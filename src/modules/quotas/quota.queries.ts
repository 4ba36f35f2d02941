import { type RawBuilder, sql } from 'kysely';
import type { ErrorDetail } from '../../errors.js';

/** A limit on the number of things of one kind. */
export interface Quota {
  /** Name of the lock under which is counted; null if the caller has locked the row that `of` names. */
  lock: string | null;
  /** Counts what there is of a developer, account, app or endpoint. */
  count(of: string): RawBuilder<CountRow>;
  message(max: number, count: number): string;
  detail?: Pick<ErrorDetail, 'field' | 'code'>;
}

interface CountRow {
  count: number;
}

const aDayAgo = sql`now() - interval '24 hours'`;

/** What is limited, each by the setting of its name, or by that of `keys`. */
export const quotas = {
  apps: {
    lock: 'apps',
    count: (developerId) => sql`select count(*)::int as count from apps where developer_id = ${developerId}`,
    message: (max, count) =>
      `A developer can have at most ${max} apps, in any state, and you have ${count}. Delete a draft that you no longer need.`,
  },
  /** Counts no apps of a verified developer. */
  appsUnverified: {
    lock: 'apps',
    count: (developerId) => sql`
      select count(*)::int as count from apps join developers on developers.id = developer_id
      where developer_id = ${developerId} and developers.status <> 'VERIFIED'`,
    message: (max, count) =>
      `A developer who is not verified can have at most ${max} apps, and you have ${count}. Delete a draft that you no longer need, or wait for your verification.`,
  },
  keys: {
    lock: 'keys',
    count: (developerId) => liveKeysOf(developerId, false),
    message: (max, count) =>
      `A developer can have at most ${max} live API keys, and you have ${count}. A rotated key counts until its grace period ends. Revoke a key that you no longer use, or rotate one with graceHours: 0.`,
  },
  /** Counted on their own, so that a busy pipeline does not keep people from creating a key. */
  pipelineKeys: {
    lock: 'pipeline-keys',
    count: (developerId) => liveKeysOf(developerId, true),
    message: (max) =>
      `The pipelines of a developer can have at most ${max} live API keys. Each lives 15 minutes: try again later, and exchange one token in a job.`,
  },
  messages: {
    lock: 'messages',
    count: (appId) => sql`
      select count(*)::int as count from review_messages
      where app_id = ${appId} and author = 'DEVELOPER' and created_at > ${aDayAgo}`,
    message: (max) =>
      `You can write at most ${max} messages about an app within 24 hours. Wait for a reply, and write fewer, longer messages.`,
  },
  /** Counts the closed versions. The open one, of which there is at most one, is not counted. */
  versions: {
    lock: null,
    count: (appId) => sql`
      select count(*)::int as count from app_versions
      where app_id = ${appId} and status not in ('DRAFT', 'PENDING', 'REJECTED') and created_at > ${aDayAgo}`,
    message: (max) =>
      `You can create at most ${max} versions of an app within 24 hours, discarded ones included. Change the open version instead of creating another one, or wait.`,
  },
  webhookTests: {
    lock: null,
    count: (endpointId) => sql`
      select count(*)::int as count from webhook_deliveries
      where endpoint_id = ${endpointId} and type = 'webhook.test' and created_at > ${aDayAgo}`,
    message: (max) =>
      `You can send at most ${max} tests to a webhook endpoint within 24 hours. Replay one of them instead, or wait.`,
  },
  reports: {
    lock: 'reports',
    count: (accountUserId) => sql`
      select count(*)::int as count from audit_events
      where actor_account = ${accountUserId} and kind in ('rating.reported', 'app.reported') and created_at > ${aDayAgo}`,
    message: (max) =>
      `You can report at most ${max} ratings and apps within 24 hours, changed reasons included. Report the worst ones first, or wait.`,
  },
  /** Counts the requests with an Idempotency-Key whose responses are stored. */
  idempotencyKeys: {
    lock: 'answers',
    count: (developerId) => sql`
      select count(*)::int as count from stored_responses
      where developer_id = ${developerId} and created_at > ${aDayAgo}`,
    message: (max) =>
      `At most ${max} requests of a developer with an Idempotency-Key are stored within 24 hours. Nothing was changed: send the request without the header, or wait.`,
    detail: { field: 'Idempotency-Key', code: 'too_many_keys' },
  },
} satisfies Record<string, Quota>;

/** Counts keys that still work, of pipelines or of people. The expression is the same as in the index `api_keys_ended`. */
const liveKeysOf = (developerId: string, areOfPipelines: boolean) => sql<CountRow>`
  select count(*)::int as count from api_keys
  where developer_id = ${developerId} and coalesce(revoked_at, expires_at) > now()
    and (trusted_publisher_id is not null) = ${areOfPipelines}`;

/** Locks a quota until the end of the transaction, in all gateway processes. */
export const lockQuota = (what: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`quota:${what}`}, 0))`;

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

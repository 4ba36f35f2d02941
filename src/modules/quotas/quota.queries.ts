import { sql } from 'kysely';

interface Count {
  count: number;
}

const lately = sql`now() - interval '24 hours'`;

/** Makes everybody who counts the same thing wait until this transaction is over, at every gateway. */
export const holdQuota = (what: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`quota:${what}`}, 0))`;

/** How many apps a developer has, and where their account stands now. */
export const appsOf = (developerId: string) => sql<Count & { isVerified: boolean }>`
  select status = 'VERIFIED' as "isVerified", (select count(*)::int from apps where developer_id = developers.id) as count
  from developers where id = ${developerId}`;

/** The keys of a developer that still work. The expression is that of the index `api_keys_ended`. */
export const liveKeysOf = (developerId: string) => sql<Count>`
  select count(*)::int as count from api_keys
  where developer_id = ${developerId} and coalesce(revoked_at, expires_at) > now()`;

export const recentMessagesAbout = (appId: string) => sql<Count>`
  select count(*)::int as count from review_messages
  where app_id = ${appId} and author = 'DEVELOPER' and created_at > ${lately}`;

/** The versions that were begun lately beside the open one, of which there is one at a time. */
export const recentVersionsOf = (appId: string) => sql<Count>`
  select count(*)::int as count from app_versions
  where app_id = ${appId} and status not in ('DRAFT', 'PENDING', 'REJECTED') and created_at > ${lately}`;

export const recentTestsOf = (endpointId: string) => sql<Count>`
  select count(*)::int as count from webhook_deliveries
  where endpoint_id = ${endpointId} and type = 'webhook.test' and created_at > ${lately}`;

export const answersKeptFor = (developerId: string) => sql<Count>`
  select count(*)::int as count from kept_answers
  where developer_id = ${developerId} and created_at > ${lately}`;

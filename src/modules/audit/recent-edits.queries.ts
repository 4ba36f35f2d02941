import { sql } from 'kysely';

/** How many of the developer's latest lines are looked at, so that a busy developer's edit costs no more than another's. */
const linesLookedAt = 1_000;

/** How often the same was edited within 24 hours: an app or a version of it, or what has no app. */
export const recentEdits = (developerId: string, appId: string | null, kind: string) => sql<{
  count: number;
}>`
  select count(*)::int as count from (
    select kind, app_id from audit_events
    where developer_id = ${developerId} and created_at > now() - interval '24 hours'
    order by created_at desc, id desc limit ${linesLookedAt}) latest
  where kind = ${kind} and app_id is not distinct from ${appId}`;

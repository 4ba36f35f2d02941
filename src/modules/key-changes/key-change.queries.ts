import { sql } from 'kysely';

const lastMs = sql`(extract(epoch from max(created_at)) * 1000)::float8`;

/** The webhook endpoints that keys created or changed, with the time of the last change of each. */
export const endpointsChangedBy = (keyIds: readonly string[], since: Date) => sql<{
  id: string;
  at_ms: number;
}>`
  select (data->>'endpointId')::uuid as id, ${lastMs} as at_ms from audit_events
  where actor_key = any(${keyIds}::uuid[]) and created_at > ${since}
    and kind in ('webhook.created', 'webhook.updated', 'webhook.enabled', 'webhook.secret-rotated')
  group by 1 order by 1`;

/** When each of these endpoints was last enabled by somebody without an API key. */
export const ownEnablings = (developerId: string, since: Date) => sql<{ id: string; at_ms: number }>`
  select (data->>'endpointId')::uuid as id, ${lastMs} as at_ms from audit_events
  where developer_id = ${developerId} and created_at > ${since} and kind = 'webhook.enabled' and actor_key is null
  group by 1`;

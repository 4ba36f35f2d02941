import { type RawBuilder, sql } from 'kysely';
import { withFamilyOf } from '../api-keys/api-key.queries.js';
import type { UndoOutcome } from '../developers/profile-change.entity.js';

/** The changes of a profile that are undone: one of them, or all of a key and its descendants. */
export interface UndoTargets {
  developerId: string;
  keyId: string;
  /** Condition on `profile_changes c`, beside the developer. */
  which: RawBuilder<unknown>;
}

/** Selects one change. */
export const oneChange = (id: string) => sql`c.id = ${id}`;

/** Selects the changes of the family that are not undone. */
export const openChangesSince = (since: Date) => sql`
  c.key_id in (select id from family) and c.created_at > ${since}
  and (c.outcome is null or c.outcome = 'EMAIL_TAKEN')`;

/** Time at which each field was last changed by somebody without an API key, in milliseconds. */
export type OwnTimes = Readonly<Record<string, number>>;

const ms = (column: string) => sql`extract(epoch from ${sql.ref(column)}) * 1000`;
const ownTime = (own: OwnTimes) => sql`coalesce((${JSON.stringify(own)}::jsonb ->> f.field)::float8, 0)`;

/**
 * Returns the value that each field of the targets gets back: that from before the first of a row of changes by the same
 * family, by revoked keys, or that are undone themselves. So the order in which changes are undone does not matter. Fields
 * that the account has changed since are left out.
 */
export const valuesToRestore = ({ developerId, keyId, which }: UndoTargets, own: OwnTimes) => sql<{
  field: string;
  value: unknown;
}>`${withFamilyOf(keyId)},
  fields as (
    select f.field, max(c.created_at) as newest from profile_changes c, jsonb_object_keys(c.before) f (field)
    where c.developer_id = ${developerId} and ${which} and ${ms('c.created_at')} > ${ownTime(own)}
    group by 1),
  steps as (
    select f.field, c.before -> f.field as value, c.created_at, c.id,
      max(c.created_at) filter (where c.key_id not in (select id from family) and c.outcome is null and not exists (
        select from api_keys k where k.id = c.key_id and k.revoked_at is not null)) over (partition by f.field) as honest
    from fields f join profile_changes c on c.before ? f.field and c.created_at <= f.newest
    where c.developer_id = ${developerId} and ${ms('c.created_at')} > ${ownTime(own)})
  select distinct on (field) field, value from steps
  where honest is null or created_at > honest order by field, created_at, id`;

/** Records how the targets were undone. Fields in `left` were not restored. */
export const storeOutcomes = (
  { developerId, keyId, which }: UndoTargets,
  own: OwnTimes,
  left: readonly string[],
) => sql`${withFamilyOf(keyId)}
  update profile_changes c set outcome = case
    when not exists (select from jsonb_object_keys(c.before) f (field)
      where ${ms('c.created_at')} > ${ownTime(own)} and (f.field = 'email' or f.field <> all(${left}::text[]))) then 'KEPT'
    when 'email' = any(${left}::text[]) and c.before ? 'email'
      and ${ms('c.created_at')} > coalesce((${JSON.stringify(own)}::jsonb ->> 'email')::float8, 0) then 'EMAIL_TAKEN'
    else 'REVERTED' end
  where c.developer_id = ${developerId} and ${which}`;

/**
 * Returns how changes of profiles were undone, with their fields: the outcome of the change itself, or of the one by the
 * same key that has the values from before, where a key has made many.
 */
export const outcomesOf = (eventIds: readonly string[], since: Date) => sql<{
  id: string;
  fields: string[];
  outcome: UndoOutcome | null;
}>`
  select e.id, case when own.id is null then former.outcome else own.outcome end as outcome,
    array(select jsonb_array_elements_text(e.data -> 'changed')) as fields
  from audit_events e
  left join profile_changes own on own.id = e.id
  left join lateral (
    select id, outcome from profile_changes c
    where own.id is null and c.developer_id = e.developer_id and c.key_id = e.actor_key and c.created_at < e.created_at
    order by c.created_at desc, c.id desc limit 1) former on true
  where e.id = any(${eventIds}::uuid[]) and e.created_at >= ${since} and coalesce(own.id, former.id) is not null`;

const lastMs = sql`(extract(epoch from max(created_at)) * 1000)::float8`;

/** The webhook endpoints that a key and its descendants created or changed, with the time of the last change of each. */
export const endpointsChangedBy = (keyId: string, since: Date) => sql<{ id: string; at_ms: number }>`
  ${withFamilyOf(keyId)}
  select (data->>'endpointId')::uuid as id, ${lastMs} as at_ms from audit_events
  where actor_key in (select id from family) and created_at > ${since}
    and kind in ('webhook.created', 'webhook.updated', 'webhook.enabled', 'webhook.secret-rotated')
  group by 1 order by 1`;

/** Returns the time at which each of the developer's endpoints was last enabled by somebody without an API key. */
export const ownEnablings = (developerId: string, since: Date) => sql<{ id: string; at_ms: number }>`
  select (data->>'endpointId')::uuid as id, ${lastMs} as at_ms from audit_events
  where developer_id = ${developerId} and created_at > ${since} and kind = 'webhook.enabled' and actor_key is null
  group by 1`;

/** The latest events that a key and its descendants caused, of some kinds or of all others. */
export const eventsOfFamily = (
  keyId: string,
  since: Date,
  kinds: { of: readonly string[] } | { notOf: readonly string[] },
  limit: number,
) => sql<{ id: string }>`${withFamilyOf(keyId)}
  select id from audit_events
  where actor_key in (select id from family) and actor_kind = 'developer' and created_at > ${since}
    and ${'of' in kinds ? sql`kind = any(${kinds.of}::text[])` : sql`kind <> all(${kinds.notOf}::text[])`}
  order by created_at desc, id desc limit ${sql.lit(limit)}`;

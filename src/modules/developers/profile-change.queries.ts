import { sql } from 'kysely';
import type { EventKind } from '../events/event.types.js';

/** The events that change fields of a profile, by an API key or not. */
export const profileKinds: readonly EventKind[] = [
  'developer.updated',
  'developer.email-changed',
  'developer.edited',
];

/** Changes by a key within 24 hours that have a row and a link each, whatever they change. */
const maxOwnRows = 100;
/** Number of a developer's latest events that are read, so that the check takes the same time for every developer. */
const readEvents = 1_000;

/**
 * Returns whether a change by a key needs no row, because the key has made many, and one of them has the value from before
 * its first change of the same fields, and nobody else has changed the profile since (D323).
 */
export const isCoveredChange = (developerId: string, keyId: string, fields: readonly string[]) => sql<{
  isCovered: boolean;
}>`
  with latest as (
    select created_at, kind, actor_key from audit_events where developer_id = ${developerId}
    order by created_at desc, id desc limit ${sql.lit(readEvents)}),
  others as (
    select coalesce(max(created_at) filter (where actor_key is distinct from ${keyId}
      and kind = any(${[...profileKinds, 'developer.change_undone']}::text[])), min(created_at)) as latest from latest)
  select count(*) >= ${sql.lit(maxOwnRows)} and coalesce(bool_or(
    before ?& ${fields}::text[] and created_at > (select latest from others)), false) as "isCovered"
  from profile_changes
  where developer_id = ${developerId} and key_id = ${keyId} and outcome is null
    and created_at > now() - interval '24 hours'`;

import type { EntityData, EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import { AuditEvent } from './audit-event.entity.js';
import type { EventKind } from './event.types.js';

const dayMs = 24 * 60 * 60 * 1000;

/** The columns of an event. */
export const columns = sql`id, kind, actor_kind, actor_account, actor_key, developer_id, app_id, before, after, data,
  request_id, created_at`;

/** Finds events by their ids. */
export async function findEvents(em: EntityManager, ids: readonly string[]): Promise<AuditEvent[]> {
  if (ids.length === 0) return [];
  const { rows } = await eventsWithIds(ids, columns).execute(em.getKysely());
  return rows.map((row) => em.map(AuditEvent, row as EntityData<AuditEvent>));
}

/** Finds an event by its id. */
export async function findEvent(em: EntityManager, id: string): Promise<AuditEvent> {
  const [event] = await findEvents(em, [id]);
  if (!event) throw new Error(`The audit log has no event with the id ${id}`);
  return event;
}

/** Returns whether an event of one of these kinds has happened to an app, or to one of its ratings, since a time. */
export async function hasChangedSince(
  em: EntityManager,
  since: Date,
  kinds: readonly EventKind[],
  { appId, ratingId = null }: { appId: string; ratingId?: string | null },
): Promise<boolean> {
  const { rows } = await sql`select from audit_events
    where app_id = ${appId} and created_at > ${since} and kind = any(${kinds})
      and (${ratingId}::text is null or data ->> 'ratingId' = ${ratingId}) limit 1`.execute(em.getKysely());
  return rows.length > 0;
}

/**
 * Reads the months that the ids contain, and not the others. Ids of the first releases contain the time of the
 * gateway, which may differ from that of the row. The demo data is dated back: its events are in the first partition.
 */
export function eventsWithIds(ids: readonly string[], selected: RawBuilder<unknown>) {
  const times = ids.map((id) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
  const from = new Date(Math.min(...times) - dayMs);
  const to = new Date(Math.max(...times) + dayMs);
  return sql<{ id: string }>`select ${selected} from audit_events where id = any(${ids}::uuid[])
    and (created_at between ${from} and ${to} or created_at < end_of_first_audit_partition())`;
}

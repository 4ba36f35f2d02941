import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { bySystem, type EventsOf } from '../events/event.service.js';

const daysBefore = [14, 3, 1];

interface DueNotice {
  key_id: string;
  developer_id: string;
  days_before: number;
}

/** Notifies developers before one of their API keys expires. */
export class KeyExpiryService {
  constructor(
    private readonly fork: () => EntityManager,
    private readonly eventsOf: EventsOf,
  ) {}

  /** Records the notices that are due. Several processes can run this at the same time: each notice is recorded once. */
  async recordNotices(): Promise<void> {
    await this.fork().transactional(async (em) => {
      const events = this.eventsOf(em, 'key-expiry');
      for (const { key_id, developer_id, days_before } of await claimDueNotices(em)) {
        await events.record(bySystem, {
          kind: 'key.expiring',
          developerId: developer_id,
          keyId: key_id,
          daysBefore: days_before,
        });
      }
    });
  }
}

/**
 * Marks the due notices as recorded and returns them. If several notices of a key are due, because no worker was running,
 * only the last one is returned. There is no notice for a key whose whole lifetime is shorter than the notice period
 * (D46), or for a key that was rotated.
 */
async function claimDueNotices(em: EntityManager): Promise<DueNotice[]> {
  const { rows } = await sql<DueNotice>`
    with due as (
      select k.id as key_id, k.developer_id, n.days_before,
        n.days_before = min(n.days_before) over (partition by k.id) as is_last
      from api_keys k
      join developers d on d.id = k.developer_id and d.status <> 'SUSPENDED'
      join unnest(${daysBefore}::integer[]) as n (days_before)
        on k.expires_at <= now() + n.days_before * interval '24 hours'
        and k.created_at < k.expires_at - n.days_before * interval '24 hours'
      where k.revoked_at is null and k.successor_id is null and k.expires_at > now()
        and k.expires_at <= now() + ${Math.max(...daysBefore)}::integer * interval '24 hours'
    ), claimed as (
      insert into key_expiry_notices (key_id, days_before, created_at)
      select key_id, days_before, now() from due order by key_id, days_before
      on conflict do nothing
      returning key_id, days_before
    )
    select due.key_id, due.developer_id, due.days_before
    from claimed join due using (key_id, days_before) where due.is_last
  `.execute(em.getKysely());
  return rows;
}

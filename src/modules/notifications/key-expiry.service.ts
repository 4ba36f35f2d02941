import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Jobs } from '../../jobs.js';
import { bySystem, EventService } from '../audit/event.service.js';

const daysBefore = [14, 3, 1];

interface DueNotice {
  key_id: string;
  developer_id: string;
  days_before: number;
}

/** Tells developers in time that a key of theirs is about to expire. */
export class KeyExpiryService {
  constructor(
    private readonly fork: () => EntityManager,
    private readonly jobs: Jobs,
  ) {}

  /** Records the notices that are due. Any number of processes may do this at once: a notice is given by one of them. */
  async giveNotices(): Promise<void> {
    await this.fork().transactional(async (em) => {
      const events = new EventService(em, this.jobs, () => 'key-expiry');
      for (const { key_id, developer_id, days_before } of await takeDueNotices(em)) {
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
 * Marks the due notices as given and answers those to give: of several that are due at once, since nobody looked for a
 * while, only the last. A key that was made for less than a notice's time needs no such notice (D46), nor
 * does one that was rotated.
 */
async function takeDueNotices(em: EntityManager): Promise<DueNotice[]> {
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
    ), taken as (
      insert into key_expiry_notices (key_id, days_before, created_at)
      select key_id, days_before, now() from due order by key_id, days_before
      on conflict do nothing
      returning key_id, days_before
    )
    select due.key_id, due.developer_id, due.days_before
    from taken join due using (key_id, days_before) where due.is_last
  `.execute(em.getKysely());
  return rows;
}

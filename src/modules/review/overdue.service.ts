import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { bySystem, type EventsOf } from '../events/event.service.js';

interface OverdueRow {
  submissionId: string;
  versionId: string | null;
  appId: string;
  developerId: string;
  dueMs: number;
}

/** Records the event `review.overdue` once for each submission that has not been decided in time (D168). */
export class OverdueService {
  constructor(
    private readonly fork: () => EntityManager,
    private readonly eventsOf: EventsOf,
  ) {}

  /** Several processes can run this at the same time: each submission is recorded once. */
  async recordOverdue(signal: AbortSignal): Promise<void> {
    let found = true;
    // One transaction each, so that no transaction holds the locks of two developers' events.
    while (found && !signal.aborted) found = await this.fork().transactional((em) => this.recordNext(em));
  }

  /** Records the next event; returns false if there is none. */
  private async recordNext(em: EntityManager): Promise<boolean> {
    const { rows } = await markNext.execute(em.getKysely());
    const row = rows[0];
    if (!row) return false;
    const { dueMs, ...event } = row;
    await this.eventsOf(em, 'review-overdue').record(bySystem, {
      kind: 'review.overdue',
      ...event,
      dueAt: new Date(dueMs).toISOString(),
    });
    return true;
  }
}

/** Marks one overdue submission as recorded and returns it. Those of suspended developers are not in the queue (D119). */
const markNext = sql<OverdueRow>`
  update submissions s set overdue_noticed_at = now()
  from apps a
  where a.id = s.app_id and s.id = (
    select waiting.id from submissions waiting
    join apps on apps.id = waiting.app_id
    join developers on developers.id = apps.developer_id and developers.status <> 'SUSPENDED'
    where waiting.ended_at is null and waiting.overdue_noticed_at is null and waiting.due_at < now()
    order by waiting.due_at, waiting.id limit 1
    for update of waiting skip locked)
  returning s.id as "submissionId", s.version_id as "versionId", s.app_id as "appId",
    a.developer_id as "developerId", (extract(epoch from s.due_at) * 1000)::float8 as "dueMs"`;

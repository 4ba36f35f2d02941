import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { DeveloperCaller } from '../../auth/caller.js';
import type { Connection } from '../../operations/connection.types.js';
import { defaultPageSize } from '../../operations/paging.js';
import { AuditEvent } from '../audit/audit-event.entity.js';
import { cursorAt, readPosition } from './event-feed.cursor.js';
import { eventTypes, type ListEvents } from './webhook.input.js';
import { toldOf } from './webhook.payload.js';
import type { Event } from './webhook.types.js';

/** What happened to a developer and their apps, for those who would rather ask than be told. */
export class EventFeedService {
  constructor(private readonly em: EntityManager) {}

  /** Oldest first. The database gives out positions in the order of commits, so nothing ever appears behind a cursor. */
  async list(
    caller: DeveloperCaller,
    { after, first }: z.output<typeof ListEvents>,
  ): Promise<Connection<Event>> {
    const size = first ?? defaultPageSize;
    const position = (after && readPosition(after)) || '0';
    const mine = sql`from audit_events
      where developer_id = ${caller.developer.id} and kind = any(${eventTypes})`;
    const { rows } = await sql<{ id: string; position: string }>`
      select id, position::text as position ${mine} and position > ${position}
      order by audit_events.position limit ${size + 1}`.execute(this.em.getKysely());
    const counted = await sql<{ count: number }>`select count(*)::int as count ${mine}`.execute(
      this.em.getKysely(),
    );
    const page = rows.slice(0, size);
    const edges = await this.edges(page);
    return {
      edges,
      totalCount: counted.rows[0]?.count ?? 0,
      pageInfo: {
        hasNextPage: rows.length > size,
        hasPreviousPage: Boolean(after),
        startCursor: edges[0]?.cursor ?? null,
        // An empty page gives the cursor back, so that a poller always goes on from the last `endCursor`.
        endCursor: edges.at(-1)?.cursor ?? (after || null),
      },
    };
  }

  private async edges(page: readonly { id: string; position: string }[]) {
    const lines = await this.em.find(AuditEvent, { id: page.map(({ id }) => id) });
    const events = new Map((await toldOf(this.em, lines)).map((event) => [event.id, event]));
    return page.flatMap(({ id, position }) => {
      const node = events.get(id);
      return node ? [{ node, cursor: cursorAt(position) }] : [];
    });
  }
}

import type { EntityData, EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { DeveloperCaller } from '../../auth/caller.js';
import type { Connection } from '../../operations/connection.types.js';
import { defaultPageSize } from '../../operations/paging.js';
import { Developer } from '../developers/developer.entity.js';
import { AuditEvent } from '../events/audit-event.entity.js';
import { columns } from '../events/audit-event.queries.js';
import { asDeveloperEvent, type PublishedKind } from '../events/published-event.types.js';
import { App } from '../listings/app.entity.js';
import { eventCursor, eventPosition, eventTypes, type ListEvents } from './webhook.input.js';
import type { DeveloperEvent } from './webhook.types.js';

/** The events of a developer and their apps, for clients that poll instead of using webhooks. */
export class EventFeedService {
  constructor(private readonly em: EntityManager) {}

  /** Lists the oldest events first. Positions are assigned in the order of commits, so no event appears before a cursor later. */
  async list(
    caller: DeveloperCaller,
    { after, first }: z.output<typeof ListEvents>,
  ): Promise<Connection<DeveloperEvent>> {
    const size = first ?? defaultPageSize;
    const position = (after && eventPosition(after)) || '0';
    const ownEvents = sql`from audit_events
      where developer_id = ${caller.developer.id} and kind = any(${eventTypes})`;
    const { rows } = await sql<{ id: string; position: string }>`
      select ${columns}, position::text as position ${ownEvents} and position > ${position}
      order by audit_events.position limit ${size + 1}`.execute(this.em.getKysely());
    const counted = await sql<{ count: number }>`select count(*)::int as count ${ownEvents}`.execute(
      this.em.getKysely(),
    );
    const page = rows.slice(0, size);
    const recorded = page.map((row) => this.em.map(AuditEvent, row as EntityData<AuditEvent>));
    const nodes = await publishedEvents(this.em, recorded, asDeveloperEvent);
    const positions = new Map(page.map(({ id, position }) => [id, position]));
    const edges = nodes.map((node) => ({ node, cursor: eventCursor(positions.get(node.id)!) }));
    return {
      edges,
      totalCount: counted.rows[0]?.count ?? 0,
      pageInfo: {
        hasNextPage: rows.length > size,
        hasPreviousPage: Boolean(after),
        startCursor: edges[0]?.cursor ?? null,
        // An empty page returns the cursor of the request, so that a client can always continue with `endCursor`.
        endCursor: edges.at(-1)?.cursor ?? (after || null),
      },
    };
  }
}

type RecordedEvent = Pick<AuditEvent, 'id' | 'kind' | 'createdAt' | 'developerId' | 'appId' | 'data'>;

/**
 * Converts rows of the audit log to events for developers or for the administration. An event contains ids, the public
 * fields of developer and app, and the facts that are published for its kind. Everything else, such as the actor, is
 * internal, and so are rows that are not published.
 */
export async function publishedEvents(
  em: EntityManager,
  rows: readonly RecordedEvent[],
  published: (row: Pick<AuditEvent, 'kind' | 'developerId'>) => PublishedKind | null,
): Promise<DeveloperEvent[]> {
  const developerIds = distinct(rows.map(({ developerId }) => developerId));
  const appIds = distinct(rows.map(({ appId }) => appId));
  const developers = byId(await em.find(Developer, { id: developerIds }));
  const apps = byId(await em.find(App, { id: appIds }));
  return rows.flatMap((row) => {
    const kind = published(row);
    if (!kind) return [];
    const { id, createdAt, developerId, appId, data } = row;
    return {
      id,
      type: kind.type,
      eventKind: row.kind,
      timestamp: createdAt,
      data: {
        developer: developerId && publicDeveloper(developerId, developers.get(developerId)),
        app: appId && publicApp(appId, apps),
        ...Object.fromEntries(kind.facts.map((fact) => [fact, data[fact] ?? null])),
      },
    };
  });
}

/** Serialises an event as the body of a webhook message, in the format of Standard Webhooks. */
export const webhookBody = ({ type, timestamp, data }: Omit<DeveloperEvent, 'id' | 'eventKind'>) =>
  JSON.stringify({ type, timestamp: timestamp.toISOString(), data });

/** Returns the `developer` of a message. */
export const publicDeveloper = (id: string, developer: Developer | undefined) => ({
  id,
  name: developer?.name ?? null,
  companyName: developer?.companyName ?? null,
  websiteUrl: developer?.websiteUrl ?? null,
});

/** Of an app that was deleted after the event, only the id is known. */
function publicApp(id: string, apps: ReadonlyMap<string, App>) {
  const app = apps.get(id);
  return { id, slug: app?.slug ?? null, name: app?.name ?? null };
}

const distinct = (ids: readonly (string | null)[]) => [...new Set(ids)].filter((id) => id !== null);

const byId = <Row extends { id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [row.id, row]));

import { sql } from 'kysely';
import type { LoaderSource } from '../../operations/context.js';
import { pagesByOwner } from '../../operations/loaders.js';
import type { OwnedList } from '../../operations/owned-pages.js';
import { AuditEvent } from '../events/audit-event.entity.js';
import { administratorsOnly } from '../events/event.types.js';
import { timelineEntry } from './timeline.rules.js';

const timelineEntries: OwnedList<AuditEvent> = {
  entity: AuditEvent,
  table: 'audit_events',
  ownerColumn: 'app_id',
  ownerOf: ({ appId }) => appId,
  // Without the actions of users, such as ratings, and without what only administrators see.
  where: sql`app_id is not null and actor_kind <> 'account' and kind <> all(${[...administratorsOnly]})`,
};

export function timelineLoaders({ fork }: LoaderSource) {
  return { timeline: pagesByOwner(fork, timelineEntries, timelineEntry) };
}

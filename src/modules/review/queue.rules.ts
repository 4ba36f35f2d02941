import type { Change } from '../../db/change-feed.js';
import type { EventKind } from '../events/event.types.js';
import { AppStatus } from '../listings/app.entity.js';

/** Events that put a submission into the queue, take it out, or change what a reviewer sees of it. */
const queueEvents: ReadonlySet<string> = new Set<EventKind>([
  ...(['app.submitted', 'app.withdrawn', 'app.approved', 'app.rejected', 'app.deleted'] as const),
  ...(['version.submitted', 'version.withdrawn', 'version.approved', 'version.rejected'] as const),
  ...(['version.rebased', 'version.discarded'] as const),
  ...([
    'review.claimed',
    'review.released',
    'review.message-received',
    'review.message-sent',
    'review.overdue',
  ] as const),
  ...(['app.reason-addressed', 'app.suspended', 'app.restored', 'app.edited'] as const),
  ...(['developer.suspended', 'developer.reinstated', 'developer.verified', 'developer.unverified'] as const),
]);

/** Events that take a submission out of the queue, so that those behind it move up. */
const departures: ReadonlySet<string> = new Set<EventKind>([
  ...(['app.withdrawn', 'app.approved', 'app.rejected', 'app.deleted', 'app.suspended'] as const),
  ...(['version.withdrawn', 'version.approved', 'version.rejected', 'version.discarded'] as const),
  ...(['developer.suspended', 'developer.unverified'] as const),
]);

/** Returns true for changes that may move other submissions in the queue. */
export const movesQueue = (change: Change): boolean =>
  change.about === 'event' && departures.has(change.kind);

/** Edits, which matter to reviewers once they are submitted. */
const edits: ReadonlySet<string> = new Set<EventKind>(['app.updated', 'version.updated']);

/** Returns true for changes that `reviewQueueChanged` reports. */
export const changesQueue = (change: Change): boolean =>
  change.about === 'event' &&
  (queueEvents.has(change.kind) || (edits.has(change.kind) && change.status === AppStatus.PENDING));

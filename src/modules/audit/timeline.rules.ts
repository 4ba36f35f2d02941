import type { ActorKind, AuditEvent } from '../events/audit-event.entity.js';
import { shortenLongValues } from '../events/long-value.rules.js';
import { fieldChange, listingFields } from '../listings/listing-change.rules.js';
import type { RejectionReason } from '../listings/rejection.types.js';
import { TimelineActor, type TimelineEntry } from './timeline.types.js';

const actors: Record<ActorKind, TimelineActor> = {
  developer: TimelineActor.DEVELOPER,
  account: TimelineActor.DEVELOPER,
  anyone: TimelineActor.SYSTEM,
  administrator: TimelineActor.ADMINISTRATOR,
  system: TimelineActor.SYSTEM,
};

/** Converts an audit event to a timeline entry for the app's owner, without the identity of administrators. */
export function timelineEntry({
  id,
  createdAt,
  kind,
  actorKind,
  before,
  after,
  data,
}: AuditEvent): TimelineEntry {
  const details = data as {
    note?: string | null;
    reason?: string;
    guidance?: string;
    text?: string;
    reasons?: RejectionReason[];
    fields?: string[];
  };
  const changed = [before, after].flatMap((values) => Object.keys(values ?? {}));
  const fields = [...new Set([...changed, ...(details.fields ?? [])])].sort(byFieldOrder);
  // Events of the first release contain texts of any length.
  const [oldValues, newValues] = [shortenLongValues(before), shortenLongValues(after)];
  return {
    id,
    at: createdAt,
    kind,
    eventKind: kind,
    by: actors[actorKind],
    changes: fields.map((field) => fieldChange(field, oldValues?.[field], newValues?.[field])),
    message: details.note ?? details.reason ?? details.guidance ?? details.text ?? null,
    reasons: details.reasons ?? [],
  };
}

/** Sorts the fields, because PostgreSQL does not keep the order of JSON keys: status first, then the listing, revision last. */
const fieldOrder = ['status', ...listingFields];
const rankOf = (field: string) => {
  if (field === 'revision') return fieldOrder.length + 1;
  return fieldOrder.includes(field) ? fieldOrder.indexOf(field) : fieldOrder.length;
};
const byFieldOrder = (one: string, other: string) => rankOf(one) - rankOf(other);

import { differingFields, listingFields } from '../apps/listing.difference.js';
import type { Listing } from '../apps/listing.entity.js';
import type { RejectionReason } from '../apps/rejection.types.js';
import type { ActorKind, AuditEvent } from './audit-event.entity.js';
import { isExcerpt, shortenLongValues } from './long-value.rules.js';
import { type FieldChange, TimelineActor, type TimelineEntry } from './timeline.types.js';

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

/** Returns the differences between two listings with long texts shortened, for an error. */
export const shortChangesBetween = (before: Listing, after: Listing): FieldChange[] => {
  const [old, current] = [shortenLongValues({ ...before }), shortenLongValues({ ...after })];
  return differingFields(before, after).map((field) => fieldChange(field, old[field], current[field]));
};

/** Returns the differences between two listings, field by field. */
export const changesBetween = (before: Listing, after: Listing): FieldChange[] =>
  differingFields(before, after).map((field) => fieldChange(field, before[field], after[field]));

/** Describes the change of one field. */
export const fieldChange = (field: string, before: unknown, after: unknown): FieldChange => ({
  field,
  before: asText(before),
  after: asText(after),
});

/** Formats a field value as text: text as it is, everything else as JSON. */
export const asText = (value: unknown): string | null => {
  if (value === null || value === undefined) return null;
  if (isExcerpt(value)) return `${value.excerpt}… (${value.length} characters)`;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

import { differingFields, type Listing, listingFields } from '../apps/app.listing.js';
import type { RejectionReason } from '../apps/app.types.js';
import type { ActorKind, AuditEvent } from './audit-event.entity.js';
import { isExcerpt, shortened } from './long-value.rules.js';
import { type FieldChange, TimelineActor, type TimelineEntry } from './timeline.types.js';

const actors: Record<ActorKind, TimelineActor> = {
  developer: TimelineActor.DEVELOPER,
  account: TimelineActor.DEVELOPER,
  anyone: TimelineActor.SYSTEM,
  administrator: TimelineActor.ADMINISTRATOR,
  system: TimelineActor.SYSTEM,
};

/** A line of the audit log as the app's owner may see it: what and when, but never which administrator. */
export function timelineEntry({
  id,
  createdAt,
  kind,
  actorKind,
  before,
  after,
  data,
}: AuditEvent): TimelineEntry {
  const said = data as {
    note?: string | null;
    reason?: string;
    guidance?: string;
    text?: string;
    reasons?: RejectionReason[];
    fields?: string[];
  };
  const changed = [before, after].flatMap((values) => Object.keys(values ?? {}));
  const fields = [...new Set([...changed, ...(said.fields ?? [])])].sort(inOrder);
  // Lines of the first release hold texts of any length.
  const [was, is] = [shortened(before), shortened(after)];
  return {
    id,
    at: createdAt,
    kind,
    by: actors[actorKind],
    changes: fields.map((field) => fieldChange(field, was?.[field], is?.[field])),
    message: said.note ?? said.reason ?? said.guidance ?? said.text ?? null,
    reasons: said.reasons ?? [],
  };
}

/** PostgreSQL does not keep the order of JSON's keys: the state comes first, the listing in its own order, the revision last. */
const usualOrder = ['status', ...listingFields];
const rankOf = (field: string) => {
  if (field === 'revision') return usualOrder.length + 1;
  return usualOrder.includes(field) ? usualOrder.indexOf(field) : usualOrder.length;
};
const inOrder = (one: string, other: string) => rankOf(one) - rankOf(other);

/** In what two listings differ, field by field. */
export const changesBetween = (before: Listing, after: Listing): FieldChange[] =>
  differingFields(before, after).map((field) => fieldChange(field, before[field], after[field]));

const fieldChange = (field: string, before: unknown, after: unknown): FieldChange => ({
  field,
  before: asText(before),
  after: asText(after),
});

/** A value of a listing as GraphQL shows it beside others. */
export const asText = (value: unknown): string | null => {
  if (value === null || value === undefined) return null;
  if (isExcerpt(value)) return `${value.excerpt}… (${value.length} characters)`;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

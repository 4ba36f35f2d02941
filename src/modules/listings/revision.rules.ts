import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { EventKind } from '../events/event.types.js';
import { shortenLongValues } from '../events/long-value.rules.js';
import type { App } from './app.entity.js';
import { isExpectedRevision, requireRevision } from './app-state.rules.js';
import { AppVersion } from './app-version.entity.js';
import type { FieldChange } from './field-change.types.js';
import { fieldChange, listingFields, listingOf } from './listing-change.rules.js';

/** With more edits than this in between, the changes are not reported, so that an error takes the same time for every app. */
const maxEdits = 100;

/** The events that raise the revision of an app, and those that raise the revision of a version. */
const edits = {
  app: ['app.updated', 'app.edited', 'version.approved'],
  version: ['version.updated', 'version.rebased'],
} as const satisfies Record<string, readonly EventKind[]>;

/** Rejects an action that is based on an outdated revision, and reports what changed since that revision (D161). */
export async function requireSeenRevision(
  em: EntityManager,
  subject: App | AppVersion,
  expected: ReadonlySet<number> | undefined,
): Promise<void> {
  if (isExpectedRevision(subject.revision, expected)) return;
  const [seen] = expected ?? [];
  requireRevision(subject, expected, seen === undefined ? null : await changesSince(em, subject, seen));
}

/** Compares an app or version with an earlier revision of it; null if the audit log does not have every edit since. */
async function changesSince(
  em: EntityManager,
  subject: App | AppVersion,
  revision: number,
): Promise<FieldChange[] | null> {
  const count = subject.revision - revision;
  if (count < 1 || count > maxEdits) return null;
  const { rows } = await oldValues(subject, count).execute(em.getKysely());
  if (rows.length === 0 || rows.some(({ found }) => found !== count)) return null;
  const current = shortenLongValues({ ...listingOf(subject) });
  return listingFields.flatMap((field) => {
    const old = rows.find((row) => row.field === field);
    if (!old || (old.isStored && isDeepStrictEqual(old.value, current[field] ?? null))) return [];
    return [fieldChange(field, old.value, current[field])];
  });
}

/**
 * Reads the values that the last edits replaced: of each field the oldest one. `found` is the number of edits. Values that
 * were not stored (D116) are null.
 */
const oldValues = (subject: App | AppVersion, count: number) => sql<{
  field: string;
  value: unknown;
  isStored: boolean;
  found: number;
}>`
  with edits as materialized (
    select before, data, (before->>'revision')::int as revision from audit_events
    where ${
      subject instanceof AppVersion
        ? sql`app_id = ${subject.app.id} and data->>'versionId' = ${subject.id} and kind = any(${edits.version}::text[])`
        : sql`app_id = ${subject.id} and kind = any(${edits.app}::text[])`
    } and before->>'revision' is not null
    order by created_at desc, id desc limit ${count})
  select distinct on (field) field, value, is_stored as "isStored", (select count(*)::int from edits) as found
  from edits cross join lateral (
    select key as field, value, true as is_stored from jsonb_each(before)
    union all
    select name, null, false from jsonb_array_elements_text(coalesce(data->'fields', '[]')) name) replaced
  order by field, revision`;

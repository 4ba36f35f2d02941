import { isDeepStrictEqual } from 'node:util';
import type { EntityClass, FilterQuery, RequiredEntityData } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { now } from '../../db/clock.js';
import { ServiceError } from '../../errors.js';
import { hasChangedSince } from '../events/audit-event.queries.js';
import type { EventKind } from '../events/event.types.js';
import type { QuotaService } from '../quotas/quota.service.js';

/** An account's report of an app or of a rating: open, or closed by an administrator. */
interface Report {
  createdAt: Date;
  updatedAt: Date;
  closedAt: Date | null;
}

interface Filing<R extends Report> {
  entity: EntityClass<R>;
  /** The reported thing and the reporter, who has one report of it. */
  key: { accountUserId: string; app?: string; rating?: string };
  content: Partial<R>;
  subject: { what: 'app' | 'rating'; appId: string; ratingId?: string };
  /** The events that change what was reported. */
  changes: readonly EventKind[];
}

/**
 * Opens a report, or changes an open one; `change` is null if it says the same already. A report that an administrator has
 * closed can be opened again only after the reported thing has changed. The caller must have locked the app's row.
 */
export async function fileReport<R extends Report>(
  em: EntityManager,
  quotas: QuotaService,
  { entity, key, content, subject, changes }: Filing<R>,
) {
  const known = await em.findOne(entity, key as FilterQuery<R>);
  const isOpen = known !== null && known.closedAt === null;
  const before = isOpen
    ? Object.fromEntries(Object.keys(content).map((field) => [field, known[field as keyof R]]))
    : null;
  if (isOpen && isDeepStrictEqual(before, content)) return { report: known as R, isNew: false, change: null };
  if (known?.closedAt && !(await hasChangedSince(em, known.closedAt, changes, subject)))
    throw alreadyDecided(subject.what);
  await quotas.requireRoomFor('reports', key.accountUserId);
  const at = now();
  const fields = { ...content, updatedAt: at, ...(!isOpen && { createdAt: at, closedAt: null }) };
  const report = known
    ? Object.assign(known as R, fields)
    : em.create(entity, { ...key, ...fields } as RequiredEntityData<R>);
  return { report, isNew: !isOpen, change: { ...(before && { before }), after: content } };
}

const alreadyDecided = (what: string) =>
  new ServiceError(
    'INVALID_TRANSITION',
    `An administrator has looked into your report of this ${what} and left the ${what} as it is. You can report it again after it was changed.`,
  );

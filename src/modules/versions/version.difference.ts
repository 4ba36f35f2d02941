import { isDeepStrictEqual } from 'node:util';
import type { App } from '../apps/app.entity.js';
import { differingFields, listingFields, listingOf } from '../apps/listing.difference.js';
import type { Listing } from '../apps/listing.entity.js';
import { asText } from '../audit/timeline.mapper.js';
import type { AppVersion } from './app-version.entity.js';
import { openVersions } from './version.lifecycle.js';
import type { VersionConflict } from './version.types.js';

type Field = keyof Listing;

/** Whether the app was edited since the version was begun or last rebased. */
export const isOutdated = (app: App, version: AppVersion) => version.baseRevision !== app.revision;

/**
 * Compares the listing that a version was begun from, the version and the live listing, field by field: which fields
 * only the app has changed, and which both have changed differently. Without a base every difference is a conflict.
 */
export function compareWithLive(app: App, version: AppVersion): { takenOver: Field[]; conflicting: Field[] } {
  const { base } = version;
  const isAsBegun = (listing: Listing, field: Field) =>
    base !== null && isDeepStrictEqual(listing[field], base[field]);
  const changedLive = differingFields(app, version).filter((field) => !isAsBegun(app, field));
  return {
    takenOver: changedLive.filter((field) => isAsBegun(version, field)),
    conflicting: changedLive.filter((field) => !isAsBegun(version, field)),
  };
}

/**
 * Brings an open version up to date with the live listing. Fields that only the app has changed are taken over; of those
 * that both have changed, the version's value stays, and what it was begun from is kept, so that the conflict is shown.
 */
export function rebase(app: App, version: AppVersion) {
  const { takenOver, conflicting } = compareWithLive(app, version);
  const { revision, base } = version;
  const pick = (listing: Listing, fields: readonly Field[]): Record<string, unknown> =>
    Object.fromEntries(fields.map((field) => [field, listing[field]]));
  const change = {
    before: { ...pick(version, takenOver), revision },
    after: { ...pick(app, takenOver), revision: revision + 1 },
  };
  const begunFrom = Object.fromEntries(conflicting.map((field) => [field, base?.[field] ?? null]));
  Object.assign(version, change.after, {
    base: listingOf(app),
    baseRevision: app.revision,
    conflictBases: { ...version.conflictBases, ...begunFrom },
  });
  return { change, conflicting };
}

/** Fields in which a version would replace an edit of the app: those that a rebase has found, and those that one would find. */
export function conflictsOf(app: App, version: AppVersion): VersionConflict[] {
  if (!openVersions.includes(version.status)) return [];
  const { base, conflictBases } = version;
  const { conflicting } = compareWithLive(app, version);
  const differing = differingFields(app, version);
  return listingFields.flatMap((field) => {
    const isNew = conflicting.includes(field);
    if (!isNew && !(field in conflictBases && differing.includes(field))) return [];
    const begunFrom = isNew ? base?.[field] : conflictBases[field];
    return [{ field, base: asText(begunFrom), live: asText(app[field]), proposed: asText(version[field]) }];
  });
}

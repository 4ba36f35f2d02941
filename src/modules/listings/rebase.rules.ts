import { isDeepStrictEqual } from 'node:util';
import type { App } from './app.entity.js';
import type { AppVersion } from './app-version.entity.js';
import type { VersionConflict } from './field-change.types.js';
import type { Listing } from './listing.entity.js';
import { asText, changeTo, differingFields, listingFields, listingOf } from './listing-change.rules.js';
import { openVersions } from './version-state.rules.js';

type ListingField = keyof Listing;

/** True if the app was edited since the version was created or last rebased. */
export const isOutdated = (app: App, version: AppVersion) => version.baseRevision !== app.revision;

/**
 * Compares the version and the live listing with their common base, field by field. `takenOver` are the fields that only
 * the app has changed, `conflicting` those that both have changed differently. Without a base every difference is a conflict.
 */
export function compareWithLive(
  app: App,
  version: AppVersion,
): { takenOver: ListingField[]; conflicting: ListingField[] } {
  const { base } = version;
  const isUnchanged = (listing: Listing, field: ListingField) =>
    // A base that was stored before the field existed does not have it.
    base !== null && isDeepStrictEqual(listing[field], base[field] ?? null);
  const changedLive = differingFields(app, version).filter((field) => !isUnchanged(app, field));
  return {
    takenOver: changedLive.filter((field) => isUnchanged(version, field)),
    conflicting: changedLive.filter((field) => !isUnchanged(version, field)),
  };
}

/**
 * Updates an open version to the live listing. Fields that only the app has changed are copied. In fields that both have
 * changed, the version's value stays and its base value is stored, so that the conflict can be shown.
 */
export function rebase(app: App, version: AppVersion) {
  const { takenOver, conflicting } = compareWithLive(app, version);
  const { base } = version;
  const change = changeTo(version, app, takenOver);
  const baseValues = Object.fromEntries(conflicting.map((field) => [field, base?.[field] ?? null]));
  Object.assign(version, change.after, {
    base: listingOf(app),
    baseRevision: app.revision,
    conflictBases: { ...version.conflictBases, ...baseValues },
  });
  return { change, conflicting };
}

/** Lists the fields in which a version would replace an edit of the app: those that a rebase has found or would find. */
export function conflictsOf(app: App, version: AppVersion): VersionConflict[] {
  if (!openVersions.includes(version.status)) return [];
  const { base, conflictBases } = version;
  const { conflicting } = compareWithLive(app, version);
  const differing = differingFields(app, version);
  return listingFields.flatMap((field) => {
    const isNew = conflicting.includes(field);
    if (!isNew && !(field in conflictBases && differing.includes(field))) return [];
    const baseValue = isNew ? base?.[field] : conflictBases[field];
    return [{ field, base: asText(baseValue), live: asText(app[field]), proposed: asText(version[field]) }];
  });
}

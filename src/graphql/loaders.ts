import type { EntityManager } from '@mikro-orm/postgresql';
import DataLoader from 'dataloader';
import type { RawBuilder } from 'kysely';
import { App } from '../modules/apps/app.entity.js';
import type { Finding } from '../modules/apps/finding.types.js';
import { AuditEvent } from '../modules/audit/audit-event.entity.js';
import { changesBetween, timelineEntry } from '../modules/audit/timeline.entry.js';
import { Developer } from '../modules/developers/developer.entity.js';
import { queuePlace } from '../modules/review/place.estimate.js';
import {
  type PaceRow,
  type PlaceRow,
  reviewPace,
  submissionPlaces,
  verificationPace,
  verificationPlaces,
} from '../modules/review/place.queries.js';
import { ReviewMessage } from '../modules/review/review-message.entity.js';
import { Submission } from '../modules/review/submission.entity.js';
import { AppVersion } from '../modules/versions/app-version.entity.js';
import { conflictsOf } from '../modules/versions/version.difference.js';
import { openVersions } from '../modules/versions/version.lifecycle.js';
import { WebhookAttempt } from '../modules/webhooks/webhook-attempt.entity.js';
import type { Services } from '../services.js';

const oldestFirst = { orderBy: { createdAt: 'asc', id: 'asc' } } as const;

/** Relations of one request, each loaded in one query however long the list. */
export function createLoaders(fork: () => EntityManager, services: (em: EntityManager) => Services) {
  const app = one(async (ids) => fork().find(App, { id: [...ids] }));
  return {
    developer: one(async (ids) => fork().find(Developer, { id: [...ids] })),
    app,
    versionChanges: new DataLoader(async (versions: readonly AppVersion[]) =>
      Promise.all(versions.map(async (version) => changesBetween(await app.load(version.app.id), version))),
    ),
    versionConflicts: new DataLoader(async (versions: readonly AppVersion[]) =>
      Promise.all(versions.map(async (version) => conflictsOf(await app.load(version.app.id), version))),
    ),
    openVersion: new DataLoader(async (appIds: readonly string[]) => {
      const rows = await fork().find(AppVersion, { app: [...appIds], status: [...openVersions] });
      return appIds.map((id) => rows.find((row) => row.app.id === id) ?? null);
    }),
    /** By the app or version that was submitted. */
    openSubmission: new DataLoader(async (subjects: readonly string[]) => {
      const ids = [...subjects];
      const rows = await fork().find(Submission, {
        endedAt: null,
        $or: [{ version: ids }, { app: ids, version: null }],
      });
      return subjects.map((id) => rows.find((row) => (row.version?.id ?? row.app.id) === id) ?? null);
    }),
    timeline: many(
      async (appIds) =>
        fork().find(
          AuditEvent,
          // What its users do, such as rating it, is neither the developer's doing nor the administration's.
          { appId: [...appIds], actorKind: { $ne: 'account' } },
          oldestFirst,
        ),
      (event) => event.appId,
      timelineEntry,
    ),
    messages: many(
      async (appIds) => fork().find(ReviewMessage, { app: [...appIds] }, oldestFirst),
      (message) => message.app.id,
    ),
    reviewPlace: places(fork, submissionPlaces, reviewPace),
    verificationPlace: places(fork, verificationPlaces, verificationPace),
    findings: new DataLoader<App | AppVersion, Finding[], string>(
      (subjects) => services(fork()).preflight.known(subjects),
      { cacheKeyFn: ({ id, revision }) => `${id} ${revision}` },
    ),
    /** What `enforce` would refuse a submission for, of pictures alone. */
    submissionFindings: new DataLoader<App | AppVersion, Finding[], string>(
      (subjects) => services(fork()).preflight.beforeSubmission(subjects),
      { cacheKeyFn: ({ id, revision }) => `${id} ${revision}` },
    ),
    webhookAttempts: many(
      async (deliveryIds) =>
        fork().find(WebhookAttempt, { delivery: [...deliveryIds] }, { orderBy: { number: 'asc' } }),
      (attempt) => attempt.delivery.id,
    ),
  };
}

export type Loaders = ReturnType<typeof createLoaders>;

/** Rows by their own id. */
function one<Row extends { id: string }>(find: (ids: readonly string[]) => Promise<Row[]>) {
  return new DataLoader(async (ids: readonly string[]) => {
    const byId = new Map((await find(ids)).map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id) ?? new Error(`There is no row ${id}`));
  });
}

/** Lists of what belongs to each, in the order in which they are found. */
function many<Row, Item = Row>(
  find: (owners: readonly string[]) => Promise<Row[]>,
  ownerOf: (row: Row) => string | null,
  toItem: (row: Row) => Item = (row) => row as Row & Item,
) {
  return new DataLoader(async (owners: readonly string[]) => {
    const byOwner = Map.groupBy(await find(owners), ownerOf);
    return owners.map((owner) => (byOwner.get(owner) ?? []).map(toItem));
  });
}

/** Places in a queue, with what recent decisions took. */
function places(
  fork: () => EntityManager,
  find: (ids: readonly string[]) => RawBuilder<PlaceRow>,
  pace: () => RawBuilder<PaceRow>,
) {
  return new DataLoader(async (ids: readonly string[]) => {
    const db = fork().getKysely();
    const { rows } = await find(ids).execute(db);
    if (rows.length === 0) return ids.map(() => null);
    const recent = (await pace().execute(db)).rows[0]!;
    return ids.map((id) => {
      const row = rows.find((candidate) => candidate.subject === id);
      return row ? queuePlace(row, recent) : null;
    });
  });
}

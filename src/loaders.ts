import type { EntityManager } from '@mikro-orm/postgresql';
import DataLoader from 'dataloader';
import { type RawBuilder, sql } from 'kysely';
import { App } from './modules/apps/app.entity.js';
import type { Finding } from './modules/apps/finding.types.js';
import { AuditEvent } from './modules/audit/audit-event.entity.js';
import { changesBetween, timelineEntry } from './modules/audit/timeline.mapper.js';
import { Developer } from './modules/developers/developer.entity.js';
import { queuePlace } from './modules/review/place.estimate.js';
import {
  type PaceRow,
  type PlaceRow,
  reviewPace,
  submissionPlaces,
  verificationPace,
  verificationPlaces,
} from './modules/review/place.queries.js';
import { ReviewMessage } from './modules/review/review-message.entity.js';
import { Submission } from './modules/review/submission.entity.js';
import { AppVersion } from './modules/versions/app-version.entity.js';
import { conflictsOf } from './modules/versions/version.difference.js';
import { openVersions } from './modules/versions/version.lifecycle.js';
import { WebhookAttempt } from './modules/webhooks/webhook-attempt.entity.js';
import {
  lengthsOfOwners,
  type OwnedList,
  type OwnedPage,
  type OwnedRow,
  type Page,
  pagesOfOwners,
} from './operations/owned-pages.js';
import type { Services } from './services.js';

const timelineLines: OwnedList<AuditEvent> = {
  entity: AuditEvent,
  table: 'audit_events',
  ownerColumn: 'app_id',
  ownerOf: ({ appId }) => appId,
  // What its users do, such as rating it, is neither the developer's doing nor the administration's.
  where: sql`app_id is not null and actor_kind <> 'account'`,
};
const messagesAbout: OwnedList<ReviewMessage> = {
  entity: ReviewMessage,
  table: 'review_messages',
  ownerColumn: 'app_id',
  ownerOf: ({ app }) => app.id,
};

/** Relations of one request, each loaded in one query however long the list. */
export function createLoaders(fork: () => EntityManager, services: (em: EntityManager) => Services) {
  const app = one(async (ids) => fork().find(App, { id: [...ids] }));
  const timeline = listsOf(fork, timelineLines, timelineEntry);
  const messages = listsOf(fork, messagesAbout, (message) => message);
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
    timeline: timeline.pages,
    timelineLength: timeline.lengths,
    messages: messages.pages,
    messagesLength: messages.lengths,
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
function many<Row>(find: (owners: readonly string[]) => Promise<Row[]>, ownerOf: (row: Row) => string) {
  return new DataLoader(async (owners: readonly string[]) => {
    const byOwner = Map.groupBy(await find(owners), ownerOf);
    return owners.map((owner) => byOwner.get(owner) ?? []);
  });
}

/** A page of one owner's list. */
interface ListKey {
  owner: string;
  page: Page;
}

/** Pages of lists that belong to an owner each: one query for all who ask for the same page, and one for the lengths where somebody asks. */
function listsOf<Row extends OwnedRow, Node>(
  fork: () => EntityManager,
  list: OwnedList<Row>,
  nodeOf: (row: Row) => Node,
) {
  const lengths = new DataLoader((owners: readonly string[]) => lengthsOfOwners(fork(), list, owners));
  const nameOf = ({ page }: ListKey) => JSON.stringify(page);
  const pages = new DataLoader<ListKey, OwnedPage<Node>, string>(
    async (keys) => {
      const found = new Map<ListKey, OwnedPage<Node>>();
      const read = async (alike: readonly ListKey[]) => {
        const owners = alike.map(({ owner }) => owner);
        const each = await pagesOfOwners(fork(), list, nodeOf, owners, alike[0]!.page);
        for (const [i, key] of alike.entries()) found.set(key, each[i]!);
      };
      await Promise.all([...Map.groupBy(keys, nameOf).values()].map(read));
      return keys.map((key) => found.get(key)!);
    },
    { cacheKeyFn: (key) => `${key.owner} ${nameOf(key)}` },
  );
  return { pages, lengths };
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

import type { EntityManager } from '@mikro-orm/postgresql';
import DataLoader from 'dataloader';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { AnalyticsSeries } from './modules/analytics/analytics.input.js';
import type { SeriesPoint } from './modules/analytics/analytics.types.js';
import { ApiKey } from './modules/api-keys/api-key.entity.js';
import { App } from './modules/apps/app.entity.js';
import type { Finding } from './modules/apps/finding.types.js';
import { AuditEvent } from './modules/audit/audit-event.entity.js';
import { administratorsOnly } from './modules/audit/event.types.js';
import { changesBetween, timelineEntry } from './modules/audit/timeline.mapper.js';
import type { AppConnection } from './modules/catalog/catalog.types.js';
import type { DeveloperAppsKey } from './modules/catalog/public-developer.service.js';
import { Developer } from './modules/developers/developer.entity.js';
import type { MeasuredImage } from './modules/preflight/preflight.types.js';
import { Rating } from './modules/ratings/rating.entity.js';
import { RatingReport } from './modules/ratings/rating-report.entity.js';
import {
  type DecisionTimesRow,
  type QueuePlaceRow,
  queuePlace,
  reviewTimes,
  submissionPlaces,
  verificationPlaces,
  verificationTimes,
} from './modules/review/queue.queries.js';
import { ReviewMessage } from './modules/review/review-message.entity.js';
import { Submission } from './modules/review/submission.entity.js';
import { submissionRecord } from './modules/review/submission.mapper.js';
import { AppVersion } from './modules/versions/app-version.entity.js';
import { conflictsOf } from './modules/versions/rebase.rules.js';
import { openVersions } from './modules/versions/version.lifecycle.js';
import { WebhookAttempt } from './modules/webhooks/webhook-attempt.entity.js';
import { WebhookDelivery } from './modules/webhooks/webhook-delivery.entity.js';
import type { ReadRoute } from './operations/context.js';
import { pagesByOwner, rowsById, rowsByOwner, rowsIfAny } from './operations/loaders.js';
import type { OwnedList } from './operations/owned-pages.js';
import type { Services } from './services.js';

const timelineEntries: OwnedList<AuditEvent> = {
  entity: AuditEvent,
  table: 'audit_events',
  ownerColumn: 'app_id',
  ownerOf: ({ appId }) => appId,
  // Without the actions of users, such as ratings, and without what only administrators see.
  where: sql`app_id is not null and actor_kind <> 'account' and kind <> all(${[...administratorsOnly]})`,
};
const reviewMessages: OwnedList<ReviewMessage> = {
  entity: ReviewMessage,
  table: 'review_messages',
  ownerColumn: 'app_id',
  ownerOf: ({ app }) => app.id,
};

const versionsOfApp: OwnedList<AppVersion> = {
  entity: AppVersion,
  table: 'app_versions',
  ownerColumn: 'app_id',
  ownerOf: ({ app }) => app.id,
  newestFirst: true,
};
const submissionsOfApp: OwnedList<Submission> = {
  entity: Submission,
  table: 'submissions',
  ownerColumn: 'app_id',
  ownerOf: ({ app }) => app.id,
  // Without the listing that was decided on, which is large and not shown.
  columns: sql`id, created_at, app_id, version_id, queued_at, due_at, claimed_by, claimed_until, ended_at, outcome,
    revision, decided_by, note, rejection, findings`,
  newestFirst: true,
};
const allRatingsOfApp: OwnedList<Rating> = {
  entity: Rating,
  table: 'ratings',
  ownerColumn: 'app_id',
  ownerOf: ({ app }) => app.id,
  newestFirst: true,
};
const ratingsOfApp: OwnedList<Rating> = { ...allRatingsOfApp, where: sql`hidden_at is null` };
const openReports: OwnedList<RatingReport> = {
  entity: RatingReport,
  table: 'rating_reports',
  ownerColumn: 'rating_id',
  ownerOf: ({ rating }) => rating.id,
  where: sql`closed_at is null`,
  newestFirst: true,
};
const appsOfDeveloper: OwnedList<App> = {
  entity: App,
  table: 'apps',
  ownerColumn: 'developer_id',
  ownerOf: ({ developer }) => developer.id,
  columns: sql`*, (select f.install_count from app_figures f where f.id = apps.id) as install_count`,
  newestFirst: true,
};
const apiKeys: OwnedList<ApiKey> = {
  entity: ApiKey,
  table: 'api_keys',
  ownerColumn: 'developer_id',
  ownerOf: ({ developer }) => developer.id,
  newestFirst: true,
};
const webhookDeliveries: OwnedList<WebhookDelivery> = {
  entity: WebhookDelivery,
  table: 'webhook_deliveries',
  ownerColumn: 'endpoint_id',
  ownerOf: ({ endpoint }) => endpoint.id,
  newestFirst: true,
};

/** Creates the loaders of one request: each reads a relation of all rows of a list in one query. */
export function createLoaders(
  fork: () => EntityManager,
  services: (em: EntityManager, route?: ReadRoute) => Services,
) {
  const app = rowsById(async (ids) => fork().find(App, { id: [...ids] }));
  const timeline = pagesByOwner(fork, timelineEntries, timelineEntry);
  const messages = pagesByOwner(fork, reviewMessages, (message) => message);
  const versions = pagesByOwner(fork, versionsOfApp, (version) => version);
  const submissions = pagesByOwner(fork, submissionsOfApp, submissionRecord);
  const allRatings = pagesByOwner(fork, allRatingsOfApp, (rating) => rating);
  const ratings = pagesByOwner(fork, ratingsOfApp, (rating) => rating);
  const ratingReports = pagesByOwner(fork, openReports, (report) => report);
  const apps = pagesByOwner(fork, appsOfDeveloper, (owned) => owned);
  const keys = pagesByOwner(fork, apiKeys, (key) => key);
  const deliveries = pagesByOwner(fork, webhookDeliveries, (delivery) => delivery);
  return {
    developer: rowsById(async (ids) => fork().find(Developer, { id: [...ids] })),
    /** For administrators only. */
    lookalikes: new DataLoader((ids: readonly string[]) => services(fork()).developerNames.lookalikes(ids)),
    publicProfile: rowsById((ids) => services(fork()).publicDevelopers.profiles(ids)),
    developerApps: new DataLoader<DeveloperAppsKey, AppConnection, string>(
      (keys) => services(fork()).publicDevelopers.pages(keys),
      { cacheKeyFn: (key) => JSON.stringify(key) },
    ),
    app,
    appIfAny: rowsIfAny(async (ids) => fork().find(App, { id: [...ids] })),
    version: rowsById(async (ids) => fork().find(AppVersion, { id: [...ids] })),
    publicForm: rowsById((ids) => services(fork()).catalog.publicForms(ids)),
    publicAppIfAny: rowsIfAny(async (ids) =>
      (await services(fork()).catalog.publicForms(ids)).filter(({ listed }) => listed),
    ),
    ratingDistribution: new DataLoader(async (appIds: readonly string[]) => {
      const rows = await services(fork()).ratings.distributions(appIds);
      const counts = new Map(rows.map((row) => [row.id, row.counts]));
      return appIds.map((id) => (counts.get(id) ?? []).map((count, index) => ({ rating: index + 1, count })));
    }),
    /** An account's rating of an app, hidden or not; null if there is none. */
    ownRating: new DataLoader<{ appId: string; accountUserId: string }, Rating | null, string>(
      async (keys) => {
        const own = { accountUserId: keys[0]!.accountUserId, removedAt: null };
        const rows = await fork().find(Rating, { ...own, app: keys.map(({ appId }) => appId) });
        return keys.map(({ appId }) => rows.find((row) => row.app.id === appId) ?? null);
      },
      { cacheKeyFn: ({ appId, accountUserId }) => `${appId} ${accountUserId}` },
    ),
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
    /** By the id of the submitted app or version. */
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
    versions: versions.pages,
    versionsLength: versions.lengths,
    submissions: submissions.pages,
    submissionsLength: submissions.lengths,
    allRatings: allRatings.pages,
    allRatingsLength: allRatings.lengths,
    ratings: ratings.pages,
    ratingsLength: ratings.lengths,
    ratingReports: ratingReports.pages,
    ratingReportsLength: ratingReports.lengths,
    apps: apps.pages,
    appsLength: apps.lengths,
    apiKeys: keys.pages,
    apiKeysLength: keys.lengths,
    deliveries: deliveries.pages,
    deliveriesLength: deliveries.lengths,
    reviewPlace: queuePositions(fork, submissionPlaces, reviewTimes),
    verificationPlace: queuePositions(fork, verificationPlaces, verificationTimes),
    analyticsSeries: new DataLoader<SeriesKey, SeriesPoint[], string>(
      (keys) => {
        const { analytics } = services(fork(), 'report');
        // One failure must not fail the other keys.
        const read = ({ appId, ...range }: SeriesKey) =>
          analytics.series(appId, range).catch((error: Error) => error);
        return Promise.all(keys.map(read));
      },
      { cacheKeyFn: (key) => JSON.stringify(key) },
    ),
    findings: new DataLoader<App | AppVersion, Finding[], string>(
      (subjects) => services(fork()).preflight.storedFindings(subjects),
      { cacheKeyFn: ({ id, revision }) => `${id} ${revision}` },
    ),
    pictureFindings: new DataLoader<App, Finding[], string>(
      (apps) => services(fork()).preflight.pictureFindings(apps),
      { cacheKeyFn: ({ id, revision }) => `${id} ${revision}` },
    ),
    installFindings: new DataLoader((appIds: readonly string[]) =>
      services(fork()).preflight.installFindings(appIds),
    ),
    images: new DataLoader<App | AppVersion, MeasuredImage[], string>(
      (subjects) => services(fork()).preflight.storedImages(subjects),
      { cacheKeyFn: ({ id, revision }) => `${id} ${revision}` },
    ),
    /** Findings in images that make a submission fail when asset checks are enforced. */
    submissionFindings: new DataLoader<App | AppVersion, Finding[], string>(
      (subjects) => services(fork()).preflight.submissionFindings(subjects),
      { cacheKeyFn: ({ id, revision }) => `${id} ${revision}` },
    ),
    webhookAttempts: rowsByOwner(
      async (deliveryIds) =>
        fork().find(WebhookAttempt, { delivery: [...deliveryIds] }, { orderBy: { number: 'asc' } }),
      (attempt) => attempt.delivery.id,
    ),
  };
}

/** The figures of an app over a range of days. */
type SeriesKey = { appId: string } & z.output<typeof AnalyticsSeries>;

export type Loaders = ReturnType<typeof createLoaders>;

/** Loads positions in a queue, with an estimate of the waiting time from recent decisions. */
function queuePositions(
  fork: () => EntityManager,
  find: (ids: readonly string[]) => RawBuilder<QueuePlaceRow>,
  times: () => RawBuilder<DecisionTimesRow>,
) {
  return new DataLoader(async (ids: readonly string[]) => {
    const db = fork().getKysely();
    const { rows } = await find(ids).execute(db);
    if (rows.length === 0) return ids.map(() => null);
    const recent = (await times().execute(db)).rows[0]!;
    return ids.map((id) => {
      const row = rows.find((candidate) => candidate.subject === id);
      return row ? queuePlace(row, recent) : null;
    });
  });
}

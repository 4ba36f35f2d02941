import type { EntityManager } from '@mikro-orm/postgresql';
import type { PageIndex } from './cache/page-index.js';
import type { Config } from './config.js';
import type { StatementReader } from './db/reader.js';
import type { Replicas } from './db/replicas.js';
import { reportReader } from './db/report-reader.js';
import type { SecretCipher } from './db/secrets.js';
import type { JobQueue } from './jobs.js';
import { AnalyticsService } from './modules/analytics/analytics.service.js';
import { ApiKeyRevocationService } from './modules/api-keys/api-key.revocation.service.js';
import { ApiKeyService } from './modules/api-keys/api-key.service.js';
import { AppReportService } from './modules/app-reports/app-report.service.js';
import { AppAdminService } from './modules/apps/app.admin.service.js';
import { AppService } from './modules/apps/app.service.js';
import { OwnAppService } from './modules/apps/own-app.service.js';
import { PublicLinks } from './modules/apps/public-links.rules.js';
import { AuditLogService } from './modules/audit/audit.service.js';
import { EventService } from './modules/audit/event.service.js';
import { CatalogService } from './modules/catalog/catalog.service.js';
import { PublicDeveloperService } from './modules/catalog/public-developer.service.js';
import { DeveloperAdminService } from './modules/developers/developer.admin.service.js';
import { DeveloperService } from './modules/developers/developer.service.js';
import { DeveloperEmailService } from './modules/developers/developer-email.service.js';
import { DeveloperNameService } from './modules/developers/developer-name.service.js';
import { InstallService } from './modules/installs/install.service.js';
import type { InstallBatcher } from './modules/installs/install-batcher.service.js';
import { KeyChangeService } from './modules/key-changes/key-change.service.js';
import { ProfileUndoService } from './modules/key-changes/profile-undo.service.js';
import { NodeService } from './modules/nodes/node.service.js';
import { AssetCheckService } from './modules/preflight/asset-check.service.js';
import type { AssetChecker } from './modules/preflight/asset-checker.service.js';
import { PreflightService } from './modules/preflight/preflight.service.js';
import { ReservedNames } from './modules/preflight/reserved-name.rules.js';
import { QuotaService } from './modules/quotas/quota.service.js';
import { RatingService } from './modules/ratings/rating.service.js';
import { RatingModerationService } from './modules/ratings/rating-moderation.service.js';
import { RatingReportService } from './modules/ratings/rating-report.service.js';
import { MessageService } from './modules/review/message.service.js';
import { OwnershipService } from './modules/review/ownership.service.js';
import { QueueService } from './modules/review/queue.service.js';
import { ReviewService } from './modules/review/review.service.js';
import { ReviewHistoryService } from './modules/review/review-history.service.js';
import { SubmissionService } from './modules/review/submission.service.js';
import { VersionService } from './modules/versions/version.service.js';
import { VersionReviewService } from './modules/versions/version-review.service.js';
import { EventFeedService } from './modules/webhooks/event-feed.service.js';
import { WebhookDeliveryService } from './modules/webhooks/webhook-delivery.service.js';
import { WebhookEndpointService } from './modules/webhooks/webhook-endpoint.service.js';
import type { AddressGuard } from './net/address-guard.js';

/** Computed once for a configuration, because services are created for every request. */
const reservedOf = new WeakMap<readonly string[], ReservedNames>();
function reservedNames(own: readonly string[]): ReservedNames {
  const known = reservedOf.get(own) ?? new ReservedNames(own);
  reservedOf.set(own, known);
  return known;
}

/** Creates all services, bound to one EntityManager and so to at most one transaction. */
export function createServices(
  em: EntityManager,
  {
    reader,
    searchReader,
    replicas,
    jobs,
    config,
    requestId,
    publicUrl,
    assetChecker,
    guard,
    cipher,
    installBatcher,
    pageIndex,
  }: {
    reader: StatementReader;
    /** Executes searches and counts, a bounded number at once. */
    searchReader: StatementReader;
    /** Null: reports read the primary. */
    replicas: Replicas | null;
    jobs: JobQueue;
    config: Pick<
      Config,
      'keys' | 'quotas' | 'assetChecks' | 'production' | 'rateLimits' | 'mail' | 'ownNames'
    >;
    requestId: () => string;
    /** Address of the service for clients, for the links in mails. */
    publicUrl: string;
    assetChecker: AssetChecker;
    guard: AddressGuard;
    cipher: SecretCipher;
    installBatcher: InstallBatcher | null;
    pageIndex: PageIndex | null;
  },
) {
  const reports = reportReader(em, replicas);
  const events = new EventService(em, jobs, requestId, config.mail.reviewers);
  const quotas = new QuotaService(em, config.quotas);
  const reserved = reservedNames(config.ownNames);
  const developerNames = new DeveloperNameService(em, reserved);
  const emails = new DeveloperEmailService(em, events);
  const developers = new DeveloperService(
    em,
    events,
    config.rateLimits !== null,
    publicUrl,
    developerNames,
    emails,
  );
  const assetChecks = new AssetCheckService(em, jobs, assetChecker, config.assetChecks, (...check) =>
    quotas.chargeCheck(...check),
  );
  const publicLinks = new PublicLinks(config, publicUrl);
  const preflight = new PreflightService(em, assetChecks, reserved, publicLinks);
  const submissions = new SubmissionService(em, events, preflight);
  const queue = new QueueService(em, submissions);
  const apps = new AppService(em, developers, events, submissions, assetChecks, quotas);
  const catalog = new CatalogService(reader, searchReader, pageIndex);
  const webhookEndpoints = new WebhookEndpointService(em, events, guard, config.production, cipher);
  const apiKeyRevocation = new ApiKeyRevocationService(em, events);
  const profileUndo = new ProfileUndoService(em, events, apiKeyRevocation, developerNames);
  return {
    developers,
    developerAdmin: new DeveloperAdminService(em, events, developerNames),
    developerNames,
    apiKeys: new ApiKeyService(em, developers, events, config.keys, quotas),
    apiKeyRevocation,
    profileUndo,
    keyChanges: new KeyChangeService(em, profileUndo, webhookEndpoints, apiKeyRevocation),
    review: new ReviewService(em, developers, events, submissions, preflight),
    queue,
    reviewHistory: new ReviewHistoryService(em, queue),
    messages: new MessageService(em, events, quotas),
    ownership: new OwnershipService(em),
    versions: new VersionService(em, developers, events, submissions, assetChecks, quotas),
    versionReview: new VersionReviewService(em, developers, events, submissions, assetChecks, preflight),
    apps,
    ownApps: new OwnAppService(reader),
    appAdmin: new AppAdminService(em),
    preflight,
    publicLinks,
    catalog,
    publicDevelopers: new PublicDeveloperService(reader),
    installs: new InstallService(em, installBatcher),
    ratings: new RatingService(em, reader, events, config.rateLimits !== null, reserved),
    ratingModeration: new RatingModerationService(em, events),
    ratingReports: new RatingReportService(em, events, quotas),
    appReports: new AppReportService(em, events, quotas),
    analytics: new AnalyticsService(reports),
    webhookEndpoints,
    webhookDeliveries: new WebhookDeliveryService(em, jobs, webhookEndpoints, quotas),
    eventFeed: new EventFeedService(em),
    auditLog: new AuditLogService(em, reports),
    nodes: new NodeService(em, catalog),
    quotas,
  };
}

export type Services = ReturnType<typeof createServices>;

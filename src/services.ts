import type { EntityManager } from '@mikro-orm/postgresql';
import type { PipelineTokens } from './auth/pipeline-token.js';
import type { PageIndex } from './cache/page-index.js';
import type { Config } from './config.js';
import type { StatementReader } from './db/reader.js';
import { type Replicas, reportReader } from './db/replicas.js';
import type { SecretCipher } from './db/secrets.js';
import type { JobQueue } from './jobs.js';
import { analyticsLoaders } from './modules/analytics/analytics.loaders.js';
import { AnalyticsService } from './modules/analytics/analytics.service.js';
import { apiKeyLoaders } from './modules/api-keys/api-key.loaders.js';
import { ApiKeyRevocationService } from './modules/api-keys/api-key.revocation.service.js';
import { ApiKeyService } from './modules/api-keys/api-key.service.js';
import { AppReportService } from './modules/app-reports/app-report.service.js';
import { AppAdminService } from './modules/apps/app.admin.service.js';
import { appLoaders } from './modules/apps/app.loaders.js';
import { AppService } from './modules/apps/app.service.js';
import { OwnAppService } from './modules/apps/own-app.service.js';
import { timelineLoaders } from './modules/audit/audit.loaders.js';
import { AuditLogService } from './modules/audit/audit.service.js';
import { catalogLoaders } from './modules/catalog/catalog.loaders.js';
import { CatalogService } from './modules/catalog/catalog.service.js';
import { PublicDeveloperService } from './modules/catalog/public-developer.service.js';
import { DeveloperAdminService } from './modules/developers/developer.admin.service.js';
import { developerLoaders } from './modules/developers/developer.loaders.js';
import { DeveloperService } from './modules/developers/developer.service.js';
import { DeveloperEmailService } from './modules/developers/developer-email.service.js';
import { DeveloperNameService } from './modules/developers/developer-name.service.js';
import { EventService } from './modules/events/event.service.js';
import { InstallService } from './modules/installs/install.service.js';
import type { InstallBatcher } from './modules/installs/install-batcher.service.js';
import { KeyChangeService } from './modules/key-changes/key-change.service.js';
import { ProfileUndoService } from './modules/key-changes/profile-undo.service.js';
import { PublicLinks } from './modules/listings/public-links.rules.js';
import { ReservedNames } from './modules/names/reserved-name.rules.js';
import { NodeService } from './modules/nodes/node.service.js';
import { mailFacts } from './modules/notifications/mail.queries.js';
import { AssetCheckService } from './modules/preflight/asset-check.service.js';
import type { AssetChecker } from './modules/preflight/asset-checker.service.js';
import { preflightLoaders } from './modules/preflight/preflight.loaders.js';
import { PreflightService } from './modules/preflight/preflight.service.js';
import { QuotaService } from './modules/quotas/quota.service.js';
import { ratingLoaders } from './modules/ratings/rating.loaders.js';
import { RatingService } from './modules/ratings/rating.service.js';
import { RatingModerationService } from './modules/ratings/rating-moderation.service.js';
import { MessageService } from './modules/review/message.service.js';
import { OwnershipService } from './modules/review/ownership.service.js';
import { QueueService } from './modules/review/queue.service.js';
import { reviewLoaders } from './modules/review/review.loaders.js';
import { ReviewService } from './modules/review/review.service.js';
import { ReviewHistoryService } from './modules/review/review-history.service.js';
import { SubmissionService } from './modules/review/submission.service.js';
import { TrustedPublisherService } from './modules/trusted-publishers/trusted-publisher.service.js';
import { versionLoaders } from './modules/versions/version.loaders.js';
import { VersionService } from './modules/versions/version.service.js';
import { VersionReviewService } from './modules/versions/version-review.service.js';
import { EventFeedService } from './modules/webhooks/event-feed.service.js';
import { webhookLoaders } from './modules/webhooks/webhook.loaders.js';
import { WebhookDeliveryService } from './modules/webhooks/webhook-delivery.service.js';
import { WebhookEndpointService } from './modules/webhooks/webhook-endpoint.service.js';
import type { AddressGuard } from './net/address-guard.js';
import type { LoaderSource } from './operations/context.js';

/** The parts of services, besides the EntityManager that they are bound to. */
export interface ServiceParts {
  reader: StatementReader;
  /** Executes searches and counts, a bounded number at once. */
  searchReader: StatementReader;
  /** Null: reports read the primary. */
  replicas: Replicas | null;
  jobs: JobQueue;
  config: Pick<Config, 'keys' | 'quotas' | 'assetChecks' | 'production' | 'rateLimits' | 'mail' | 'ownNames'>;
  requestId: () => string;
  /** Address of the service for clients, for the links in mails. */
  publicUrl: string;
  assetChecker: AssetChecker;
  guard: AddressGuard;
  cipher: SecretCipher;
  installBatcher: InstallBatcher | null;
  pageIndex: PageIndex | null;
  pipelineTokens: PipelineTokens;
}

/** Computed once for a configuration, because services are created for every request. */
const reservedOf = new WeakMap<readonly string[], ReservedNames>();
function reservedNames(own: readonly string[]): ReservedNames {
  const known = reservedOf.get(own) ?? new ReservedNames(own);
  reservedOf.set(own, known);
  return known;
}

/** Creates all services, bound to one EntityManager and so to at most one transaction. */
export function createServices(em: EntityManager, parts: ServiceParts) {
  const { reader, jobs, config, publicUrl } = parts;
  const limited = config.rateLimits !== null;
  const reports = reportReader(em, parts.replicas);
  const reserved = reservedNames(config.ownNames);
  const quotas = new QuotaService(em, config.quotas);
  const events = new EventService(em, jobs, parts.requestId, mailFacts, config.mail.reviewers);

  const developerNames = new DeveloperNameService(em, reserved);
  const emails = new DeveloperEmailService(em, events);
  const developers = new DeveloperService(em, events, limited, publicUrl, developerNames, emails);
  const apiKeys = new ApiKeyService(em, developers, events, config.keys, quotas);
  const apiKeyRevocation = new ApiKeyRevocationService(em, events);
  const profileUndo = new ProfileUndoService(em, events, apiKeyRevocation, developerNames);

  const catalog = new CatalogService(reader, parts.searchReader, parts.pageIndex);
  const publicLinks = new PublicLinks(config, publicUrl);
  const assetChecks = new AssetCheckService(em, jobs, parts.assetChecker, config.assetChecks, (...check) =>
    quotas.chargeCheck(...check),
  );
  const preflight = new PreflightService(em, assetChecks, reserved, publicLinks);
  const submissions = new SubmissionService(em, preflight, assetChecks);
  const queue = new QueueService(em, events);
  const webhookEndpoints = new WebhookEndpointService(
    em,
    events,
    parts.guard,
    config.production,
    parts.cipher,
  );
  return {
    quotas,
    developers,
    developerAdmin: new DeveloperAdminService(em, events, developerNames),
    developerNames,
    apiKeys,
    trustedPublishers: new TrustedPublisherService(
      em,
      events,
      developers,
      apiKeys,
      apiKeyRevocation,
      parts.pipelineTokens,
    ),
    apiKeyRevocation,
    profileUndo,
    keyChanges: new KeyChangeService(em, profileUndo, webhookEndpoints, apiKeyRevocation),
    apps: new AppService(em, developers, events, submissions, assetChecks, quotas),
    ownApps: new OwnAppService(reader),
    appAdmin: new AppAdminService(em),
    versions: new VersionService(em, developers, events, submissions, assetChecks, quotas),
    versionReview: new VersionReviewService(em, developers, events, submissions, assetChecks, preflight),
    preflight,
    publicLinks,
    review: new ReviewService(em, developers, events, submissions, preflight),
    queue,
    reviewHistory: new ReviewHistoryService(em, queue),
    messages: new MessageService(em, events, quotas),
    ownership: new OwnershipService(em),
    catalog,
    publicDevelopers: new PublicDeveloperService(reader),
    installs: new InstallService(parts.installBatcher),
    ratings: new RatingService(em, reader, events, limited, reserved),
    ratingModeration: new RatingModerationService(em, events, quotas),
    appReports: new AppReportService(em, events, quotas),
    analytics: new AnalyticsService(reports),
    webhookEndpoints,
    webhookDeliveries: new WebhookDeliveryService(em, jobs, webhookEndpoints, quotas),
    eventFeed: new EventFeedService(em),
    auditLog: new AuditLogService(em, reports),
    nodes: new NodeService(em, catalog),
  };
}

export type Services = ReturnType<typeof createServices>;

/** Creates the loaders of one request: each reads a relation of all rows of a list in one query. */
export function createLoaders(source: LoaderSource) {
  const apps = appLoaders(source);
  return {
    ...developerLoaders(source),
    ...apiKeyLoaders(source),
    ...catalogLoaders(source),
    ...preflightLoaders(source),
    ...reviewLoaders(source),
    ...apps,
    ...versionLoaders(source, apps),
    ...timelineLoaders(source),
    ...analyticsLoaders(source),
    ...ratingLoaders(source),
    ...webhookLoaders(source),
  };
}

export type Loaders = ReturnType<typeof createLoaders>;

import type { EntityManager } from '@mikro-orm/postgresql';
import type { Config } from './config.js';
import type { Jobs } from './jobs.js';
import { ApiKeyService } from './modules/api-keys/api-key.service.js';
import { AppService } from './modules/apps/app.service.js';
import { EventService } from './modules/audit/event.service.js';
import { CatalogService } from './modules/catalog/catalog.service.js';
import { DeveloperAdminService } from './modules/developers/developer.admin.service.js';
import { DeveloperService } from './modules/developers/developer.service.js';
import { InstallService } from './modules/installs/install.service.js';
import { MessageService } from './modules/review/message.service.js';
import { QueueService } from './modules/review/queue.service.js';
import { ReviewService } from './modules/review/review.service.js';
import { SubmissionService } from './modules/review/submission.service.js';
import { VersionService } from './modules/versions/version.service.js';

/** What the service can do, bound to one EntityManager and so to at most one transaction. */
export function createServices(
  em: EntityManager,
  { jobs, config, requestId }: { jobs: Jobs; config: Pick<Config, 'keys'>; requestId: () => string },
) {
  const events = new EventService(em, jobs, requestId);
  const developers = new DeveloperService(em, events);
  const submissions = new SubmissionService(em, events);
  return {
    developers,
    developerAdmin: new DeveloperAdminService(em, events),
    apiKeys: new ApiKeyService(em, developers, events, config.keys),
    apps: new AppService(em, developers, events, submissions),
    review: new ReviewService(em, events, submissions),
    queue: new QueueService(em, submissions),
    messages: new MessageService(em, events),
    versions: new VersionService(em, developers, events, submissions),
    catalog: new CatalogService(em),
    installs: new InstallService(em),
  };
}

export type Services = ReturnType<typeof createServices>;

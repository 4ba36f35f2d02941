import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountCaller, Caller, DeveloperCaller } from '../../auth/caller.js';
import { DeveloperStatus } from '../../auth/developer-status.js';
import { ApiKey } from '../api-keys/api-key.entity.js';
import { timelineEntry } from '../audit/timeline.rules.js';
import type { TimelineEntry } from '../audit/timeline.types.js';
import type { CatalogService, PublicForm } from '../catalog/catalog.service.js';
import { Developer } from '../developers/developer.entity.js';
import { findEvents } from '../events/audit-event.queries.js';
import { administratorsOnly } from '../events/event.types.js';
import { asDeveloperEvent } from '../events/published-event.types.js';
import { App, AppStatus } from '../listings/app.entity.js';
import { AppVersion } from '../listings/app-version.entity.js';
import { Rating } from '../ratings/rating.entity.js';
import { ReviewMessage } from '../review/review-message.entity.js';
import { Submission } from '../review/submission.entity.js';
import { publishedEvents } from '../webhooks/event-feed.service.js';
import type { DeveloperEvent } from '../webhooks/webhook.types.js';
import { WebhookAttempt } from '../webhooks/webhook-attempt.entity.js';
import { WebhookDelivery } from '../webhooks/webhook-delivery.entity.js';
import { WebhookEndpoint } from '../webhooks/webhook-endpoint.entity.js';
import { type NodeTable, tablesContaining } from './node.queries.js';

type Ids = readonly string[];

const publicApp = { status: AppStatus.APPROVED, developer: { status: { $ne: DeveloperStatus.SUSPENDED } } };

/** Reads objects of any type by their ids, as far as the caller may see them. What they may not see is left out. */
export class NodeService {
  constructor(
    private readonly em: EntityManager,
    private readonly catalog: CatalogService,
  ) {}

  async tablesOf(ids: Ids): Promise<{ id: string; table: NodeTable }[]> {
    const { rows } = await tablesContaining(ids).execute(this.em.getKysely());
    return rows;
  }

  apps(caller: Caller, ids: Ids): Promise<App[]> {
    return this.em.find(App, { id: [...ids], ...ownedBy(caller) });
  }

  async publicApps(ids: Ids): Promise<PublicForm[]> {
    return (await this.catalog.publicForms(ids)).filter(({ listed }) => listed);
  }

  /** Reads the public form of apps that were public and are not public now. */
  async hiddenApps(caller: Caller, ids: Ids): Promise<PublicForm[]> {
    const { developer } = ownedBy(caller);
    return (await this.catalog.publicForms(ids)).filter(
      (app) => app.approvedAt !== null && (developer === undefined || app.developer.id === developer),
    );
  }

  versions(caller: Caller, ids: Ids): Promise<AppVersion[]> {
    return this.em.find(AppVersion, { id: [...ids], app: ownedBy(caller) });
  }

  messages(caller: Caller, ids: Ids): Promise<ReviewMessage[]> {
    return this.em.find(ReviewMessage, { id: [...ids], app: ownedBy(caller) });
  }

  submissions(caller: Caller, ids: Ids): Promise<Submission[]> {
    return this.em.find(Submission, { id: [...ids], app: ownedBy(caller) });
  }

  /** Reads what the timelines of apps contain: not the acts of users, such as ratings. */
  async timelineEntries(caller: Caller, ids: Ids): Promise<TimelineEntry[]> {
    const rows = (await findEvents(this.em, ids)).filter(
      ({ actorKind, kind }) => actorKind !== 'account' && !administratorsOnly.has(kind),
    );
    const appIds = rows.flatMap(({ appId }) => appId ?? []);
    const apps = new Set((await this.apps(caller, appIds)).map(({ id }) => id));
    return rows.filter(({ appId }) => appId !== null && apps.has(appId)).map(timelineEntry);
  }

  developers(caller: Caller, ids: Ids): Promise<Developer[]> {
    const { developer } = ownedBy(caller);
    return this.em.find(Developer, { id: ids.filter((id) => developer === undefined || id === developer) });
  }

  publicRatings(ids: Ids): Promise<Rating[]> {
    return this.em.find(Rating, { id: [...ids], hiddenAt: null, app: publicApp });
  }

  /** Reads the caller's own ratings of public apps, hidden or not; administrators read all. */
  ratings(caller: AccountCaller, ids: Ids): Promise<Rating[]> {
    const { accountUserId } = caller;
    const own = { accountUserId, removedAt: null, app: publicApp };
    return this.em.find(Rating, { id: [...ids], ...(caller.isAdmin ? {} : own) });
  }

  apiKeys({ developer }: DeveloperCaller, ids: Ids): Promise<ApiKey[]> {
    return this.em.find(ApiKey, { id: [...ids], developer: developer.id });
  }

  endpoints({ developer }: DeveloperCaller, ids: Ids): Promise<WebhookEndpoint[]> {
    return this.em.find(WebhookEndpoint, { id: [...ids], developer: developer.id });
  }

  deliveries({ developer }: DeveloperCaller, ids: Ids): Promise<WebhookDelivery[]> {
    return this.em.find(WebhookDelivery, { id: [...ids], endpoint: { developer: developer.id } });
  }

  attempts({ developer }: DeveloperCaller, ids: Ids): Promise<WebhookAttempt[]> {
    const delivery = { endpoint: { developer: developer.id } };
    return this.em.find(WebhookAttempt, { id: [...ids], delivery });
  }

  async events({ developer }: DeveloperCaller, ids: Ids): Promise<DeveloperEvent[]> {
    const own = (await findEvents(this.em, ids)).filter(({ developerId }) => developerId === developer.id);
    return publishedEvents(this.em, own, asDeveloperEvent);
  }
}

/** Returns the condition that apps belong to the caller; none for administrators. */
function ownedBy(caller: Caller): { developer?: string } {
  if (caller.kind === 'account' && caller.isAdmin) return {};
  // The policy admits no other caller without a developer.
  return { developer: caller.developer!.id };
}

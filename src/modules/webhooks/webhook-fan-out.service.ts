import { raw, ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as newId } from 'uuid';
import { z } from 'zod';
import type { Job, Jobs } from '../../jobs.js';
import type { AuditEvent } from '../events/audit-event.entity.js';
import { findEvent } from '../events/audit-event.queries.js';
import { asAdminEvent, asDeveloperEvent, type PublishedKind } from '../events/published-event.types.js';
import { publishedEvents, webhookBody } from './event-feed.service.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { scheduleDelivery } from './webhook-delivery.service.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

const EventJob = z.object({ eventId: z.string() });

/** Creates one delivery of a recorded event for each endpoint that subscribes to it. */
export class WebhookFanOut {
  constructor(
    private readonly fork: () => EntityManager,
    private readonly jobs: Jobs,
  ) {}

  async createDeliveries({ data }: Job): Promise<void> {
    const { eventId } = EventJob.parse(data);
    await this.fork().transactional(async (em) => {
      const auditEvent = await findEvent(em, eventId);
      if (auditEvent.developerId !== null)
        await this.deliverTo(em, auditEvent.developerId, auditEvent, asDeveloperEvent);
      await this.deliverTo(em, null, auditEvent, asAdminEvent);
    });
  }

  /** Creates the deliveries to the endpoints of one owner: a developer, or the administration (null). */
  private async deliverTo(
    em: EntityManager,
    owner: string | null,
    auditEvent: AuditEvent,
    published: (event: Pick<AuditEvent, 'kind' | 'developerId'>) => PublishedKind | null,
  ): Promise<void> {
    const type = published(auditEvent)?.type;
    const endpoints = type === undefined ? [] : await this.endpointsFor(em, owner, auditEvent, type);
    if (endpoints.length === 0) return;
    const [event] = await publishedEvents(em, [auditEvent], published);
    if (!event) return;
    for (const endpoint of endpoints) {
      const delivery = em.create(WebhookDelivery, {
        endpoint: ref(endpoint),
        eventId: event.id,
        type: event.type,
        requestBody: webhookBody(event),
        jobId: newId(),
      });
      await scheduleDelivery(em, this.jobs, delivery);
    }
  }

  /**
   * Finds the enabled endpoints that were created before the event and subscribe to it. Their positions are compared,
   * because clocks of gateways differ (D266). Endpoints that already have the delivery are excluded, because the job may
   * have run before in a process that died.
   */
  private async endpointsFor(
    em: EntityManager,
    owner: string | null,
    event: AuditEvent,
    type: string,
  ): Promise<WebhookEndpoint[]> {
    const endpoints = await em.find(WebhookEndpoint, {
      developer: owner,
      disabledAt: null,
      [raw('coalesce(created_position, 0)')]: {
        $lt: raw('(select position from audit_events where id = ? and created_at = ?)', [
          event.id,
          event.createdAt,
        ]),
      },
    });
    const subscribed = endpoints.filter(({ events }) => events.length === 0 || events.includes(type));
    const existing = await em.find(WebhookDelivery, {
      eventId: event.id,
      endpoint: { $in: subscribed.map(({ id }) => id) },
    });
    const done = new Set(existing.map(({ endpoint }) => endpoint.id));
    return subscribed.filter(({ id }) => !done.has(id));
  }
}

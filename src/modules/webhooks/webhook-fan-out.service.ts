import { ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as newId } from 'uuid';
import { z } from 'zod';
import type { Job, Jobs } from '../../jobs.js';
import { AuditEvent } from '../audit/audit-event.entity.js';
import { developerEvents, webhookBody } from './event-feed.service.js';
import { WebhookDelivery, WebhookDeliveryStatus } from './webhook-delivery.entity.js';
import { scheduleDelivery } from './webhook-delivery.service.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

const EventJob = z.object({ eventId: z.string() });
const dayMs = 24 * 60 * 60 * 1000;
const logRetentionDays = 30;

/** Creates one delivery of a recorded event for each endpoint that subscribes to it. */
export class WebhookFanOut {
  constructor(
    private readonly fork: () => EntityManager,
    private readonly jobs: Jobs,
  ) {}

  async createDeliveries({ data }: Job): Promise<void> {
    const { eventId } = EventJob.parse(data);
    await this.fork().transactional(async (em) => {
      const auditEvent = await em.findOneOrFail(AuditEvent, eventId);
      const endpoints = await this.endpointsFor(em, auditEvent);
      if (endpoints.length === 0) return;
      const [event] = await developerEvents(em, [auditEvent]);
      if (!event) return;
      for (const endpoint of endpoints) {
        const delivery = em.create(WebhookDelivery, {
          endpoint: ref(endpoint),
          eventId,
          type: event.type,
          requestBody: webhookBody(event),
          jobId: newId(),
        });
        await scheduleDelivery(em, this.jobs, delivery);
      }
      await this.removeOldDeliveries(em, endpoints);
    });
  }

  /**
   * Finds the enabled endpoints that existed at the time of the event and subscribe to it. Endpoints that already have the
   * delivery are excluded, because the job may have run before in a process that died.
   */
  private async endpointsFor(em: EntityManager, event: AuditEvent): Promise<WebhookEndpoint[]> {
    const endpoints = await em.find(WebhookEndpoint, {
      developer: event.developerId,
      disabledAt: null,
      createdAt: { $lte: event.createdAt },
    });
    const subscribed = endpoints.filter(({ events }) => events.length === 0 || events.includes(event.kind));
    const existing = await em.find(WebhookDelivery, {
      eventId: event.id,
      endpoint: { $in: subscribed.map(({ id }) => id) },
    });
    const done = new Set(existing.map(({ endpoint }) => endpoint.id));
    return subscribed.filter(({ id }) => !done.has(id));
  }

  private async removeOldDeliveries(em: EntityManager, endpoints: readonly WebhookEndpoint[]): Promise<void> {
    await em.nativeDelete(WebhookDelivery, {
      endpoint: { $in: endpoints.map(({ id }) => id) },
      status: { $ne: WebhookDeliveryStatus.PENDING },
      createdAt: { $lt: new Date(Date.now() - logRetentionDays * dayMs) },
    });
  }
}

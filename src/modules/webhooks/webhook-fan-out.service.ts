import { ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as newId } from 'uuid';
import { z } from 'zod';
import type { Job, Jobs } from '../../jobs.js';
import { AuditEvent } from '../audit/audit-event.entity.js';
import { bodyOf, toldOf } from './webhook.payload.js';
import { logDays, send } from './webhook.schedule.js';
import { WebhookDelivery, WebhookDeliveryStatus } from './webhook-delivery.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

const EventJob = z.object({ eventId: z.string() });
const dayMs = 24 * 60 * 60 * 1000;

/** Turns a recorded event into one delivery for each endpoint that wants it, each on its own from then on. */
export class WebhookFanOut {
  constructor(
    private readonly fork: () => EntityManager,
    private readonly jobs: Jobs,
  ) {}

  async spread({ data }: Job): Promise<void> {
    const { eventId } = EventJob.parse(data);
    await this.fork().transactional(async (em) => {
      const line = await em.findOneOrFail(AuditEvent, eventId);
      const endpoints = await this.endpointsFor(em, line);
      if (endpoints.length === 0) return;
      const [event] = await toldOf(em, [line]);
      if (!event) return;
      for (const endpoint of endpoints) {
        const delivery = em.create(WebhookDelivery, {
          endpoint: ref(endpoint),
          eventId,
          type: event.type,
          requestBody: bodyOf(event),
          jobId: newId(),
        });
        await send(em, this.jobs, delivery);
      }
      await this.forgetOldDeliveries(em, endpoints);
    });
  }

  /** Those that are enabled, were there, want it and have not got it: the job may have been done before by a process that died. */
  private async endpointsFor(em: EntityManager, line: AuditEvent): Promise<WebhookEndpoint[]> {
    const endpoints = await em.find(WebhookEndpoint, {
      developer: line.developerId,
      disabledAt: null,
      createdAt: { $lte: line.createdAt },
    });
    const wanting = endpoints.filter(({ events }) => events.length === 0 || events.includes(line.kind));
    const known = await em.find(WebhookDelivery, {
      eventId: line.id,
      endpoint: { $in: wanting.map(({ id }) => id) },
    });
    const served = new Set(known.map(({ endpoint }) => endpoint.id));
    return wanting.filter(({ id }) => !served.has(id));
  }

  private async forgetOldDeliveries(em: EntityManager, endpoints: readonly WebhookEndpoint[]): Promise<void> {
    await em.nativeDelete(WebhookDelivery, {
      endpoint: { $in: endpoints.map(({ id }) => id) },
      status: { $ne: WebhookDeliveryStatus.PENDING },
      createdAt: { $lt: new Date(Date.now() - logDays * dayMs) },
    });
  }
}

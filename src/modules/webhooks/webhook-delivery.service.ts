import { LockMode, ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as newId } from 'uuid';
import type { z } from 'zod';
import { now, nowMs } from '../../db/clock.js';
import { notFound, ServiceError } from '../../errors.js';
import type { JobQueue } from '../../jobs.js';
import type { Connection } from '../../operations/connection.types.js';
import { latestFirst } from '../../operations/paging.js';
import type { QuotaService } from '../quotas/quota.service.js';
import { publicDeveloper, webhookBody } from './event-feed.service.js';
import type { ListWebhookDeliveries } from './webhook.input.js';
import { WebhookDelivery, WebhookDeliveryStatus } from './webhook-delivery.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import type { WebhookEndpointService } from './webhook-endpoint.service.js';
import type { EndpointOwner } from './webhook-owner.rules.js';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The delays between the attempts of a delivery: eleven attempts within about 24 hours. */
export const retryDelaysMs: readonly number[] = [
  5 * secondMs,
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  4 * hourMs,
  6 * hourMs,
  10 * hourMs,
];

/** Type of the event that `testWebhookEndpoint` sends. It is sent to that endpoint only, and cannot be subscribed to. */
export const testType = 'webhook.test';

/** Schedules an attempt in the current transaction. It replaces the attempt that is scheduled already, if there is one. */
export async function scheduleDelivery(
  em: EntityManager,
  jobs: JobQueue,
  delivery: WebhookDelivery,
  { inMs = 0 }: { inMs?: number } = {},
): Promise<void> {
  delivery.nextAttemptAt = new Date(nowMs() + inMs);
  delivery.jobId = newId();
  await jobs.enqueue(
    em,
    'webhook-deliveries',
    { deliveryId: delivery.id },
    {
      id: delivery.jobId,
      group: { id: delivery.endpoint.id },
      // Workers are notified only of jobs without a start time.
      ...(inMs > 0 && { startAfter: delivery.nextAttemptAt }),
    },
  );
}

/** The delivery log of endpoints, and the deliveries that their owners start themselves: tests and replays. */
export class WebhookDeliveryService {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobQueue,
    private readonly endpoints: WebhookEndpointService,
    private readonly quotas: QuotaService,
  ) {}

  /** Lists the newest deliveries first. */
  async list(
    owner: EndpointOwner,
    { endpointId, ...page }: z.output<typeof ListWebhookDeliveries>,
  ): Promise<Connection<WebhookDelivery>> {
    const endpoint = { id: endpointId, developer: owner.developerId };
    if (!(await this.em.count(WebhookEndpoint, endpoint))) throw notFound('webhook endpoint');
    return latestFirst(this.em, WebhookDelivery, { endpoint: endpointId }, 'createdAt', page);
  }

  /** Sends a test event. A disabled endpoint can be tested too, to check it before it is enabled. */
  async test(owner: EndpointOwner, endpointId: string): Promise<WebhookDelivery> {
    const endpoint = await this.endpoints.lock(owner, endpointId);
    await this.quotas.requireRoomFor('webhookTests', endpointId);
    const developer = (await endpoint.developer?.loadOrFail()) ?? null;
    // The shape of every other message, so that a parser that accepts the test accepts them too.
    const data = { developer: developer && publicDeveloper(developer.id, developer), app: null, endpointId };
    const delivery = this.em.create(WebhookDelivery, {
      endpoint: ref(endpoint),
      eventId: newId(),
      type: testType,
      requestBody: webhookBody({ type: testType, timestamp: now(), data }),
      jobId: newId(),
    });
    await scheduleDelivery(this.em, this.jobs, delivery);
    return delivery;
  }

  /** Sends the same message again at once, with all its retries, even if the delivery is still pending. */
  async replay(owner: EndpointOwner, id: string): Promise<WebhookDelivery> {
    const found = await this.em.findOne(WebhookDelivery, {
      id,
      endpoint: { developer: owner.developerId },
    });
    if (!found) throw notFound('webhook delivery');
    // Lock the endpoint before the delivery, in the same order as everywhere, to avoid deadlocks.
    const endpoint = await this.endpoints.lock(owner, found.endpoint.id);
    const delivery = await this.em.refresh(found, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!delivery) throw notFound('webhook delivery');
    if (endpoint.disabledAt && delivery.type !== testType) {
      throw new ServiceError(
        'INVALID_TRANSITION',
        `The endpoint is disabled. Call ${owner.developerId === null ? 'enableAdminWebhook' : 'enableWebhookEndpoint'} before you replay its deliveries.`,
      );
    }
    delivery.status = WebhookDeliveryStatus.PENDING;
    delivery.failure = null;
    delivery.tryCount = 0;
    await scheduleDelivery(this.em, this.jobs, delivery);
    return delivery;
  }
}

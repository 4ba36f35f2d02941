import { LockMode, ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as newId } from 'uuid';
import type { z } from 'zod';
import type { DeveloperCaller } from '../../auth/caller.js';
import { notFound, ServiceError } from '../../errors.js';
import type { Jobs } from '../../jobs.js';
import type { Connection } from '../../operations/connection.types.js';
import { latestFirst } from '../../operations/paging.js';
import type { QuotaService } from '../quotas/quota.service.js';
import type { ListWebhookDeliveries } from './webhook.input.js';
import { bodyOf } from './webhook.payload.js';
import { send } from './webhook.schedule.js';
import { WebhookDelivery, WebhookDeliveryStatus } from './webhook-delivery.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import type { WebhookEndpointService } from './webhook-endpoint.service.js';

/** The type of the event that `testWebhookEndpoint` sends. It is no event of the marketplace, and nobody subscribes to it. */
export const testType = 'webhook.test';

/** What developers see of their deliveries, and what they set on its way themselves. */
export class WebhookDeliveryService {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: Jobs,
    private readonly endpoints: WebhookEndpointService,
    private readonly quotas: QuotaService,
  ) {}

  /** Newest first. */
  async list(
    caller: DeveloperCaller,
    { endpointId, ...page }: z.output<typeof ListWebhookDeliveries>,
  ): Promise<Connection<WebhookDelivery>> {
    const endpoint = { id: endpointId, developer: caller.developer.id };
    if (!(await this.em.count(WebhookEndpoint, endpoint))) throw notFound('webhook endpoint');
    return latestFirst(this.em, WebhookDelivery, { endpoint: endpointId }, 'createdAt', page);
  }

  /** Works for a disabled endpoint too: one wants to know that it is mended before enabling it. */
  async test(caller: DeveloperCaller, endpointId: string): Promise<WebhookDelivery> {
    const endpoint = await this.endpoints.lock(caller, endpointId);
    await this.quotas.requireRoomForWebhookTest(endpointId);
    const data = { developer: { id: caller.developer.id }, endpointId };
    const delivery = this.em.create(WebhookDelivery, {
      endpoint: ref(endpoint),
      eventId: newId(),
      type: testType,
      requestBody: bodyOf({ type: testType, timestamp: new Date(), data }),
      jobId: newId(),
    });
    await send(this.em, this.jobs, delivery);
    return delivery;
  }

  /** Sends the same message again, now, with all its retries; a pending one need not wait for its time. */
  async replay(caller: DeveloperCaller, id: string): Promise<WebhookDelivery> {
    const found = await this.em.findOne(WebhookDelivery, {
      id,
      endpoint: { developer: caller.developer.id },
    });
    if (!found) throw notFound('webhook delivery');
    // Endpoint first, then delivery: the order in which everybody locks them.
    const endpoint = await this.endpoints.lock(caller, found.endpoint.id);
    const delivery = await this.em.refresh(found, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!delivery) throw notFound('webhook delivery');
    if (endpoint.disabledAt && delivery.type !== testType) {
      throw new ServiceError(
        'INVALID_TRANSITION',
        'The endpoint is disabled: call enableWebhookEndpoint before you replay its deliveries.',
      );
    }
    delivery.status = WebhookDeliveryStatus.PENDING;
    delivery.failure = null;
    delivery.tryCount = 0;
    await send(this.em, this.jobs, delivery);
    return delivery;
  }
}

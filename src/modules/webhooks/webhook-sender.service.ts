import { LockMode, ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { SecretCipher } from '../../db/secrets.js';
import type { Job, Jobs } from '../../jobs.js';
import type { GuardedFetcher } from '../../net/guarded-fetch.js';
import { bySystem, EventService } from '../audit/event.service.js';
import { post, type Sent } from './webhook.post.js';
import { attemptsKept, disableAfterMs, pausesMs, send } from './webhook.schedule.js';
import { WebhookAttempt } from './webhook-attempt.entity.js';
import { WebhookDelivery, WebhookDeliveryStatus } from './webhook-delivery.entity.js';
import { testType } from './webhook-delivery.service.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { stateOf } from './webhook-endpoint.service.js';

const DeliveryJob = z.object({ deliveryId: z.string() });
const gone = 410;

/** How often and how patiently to send. Only the tests set it. */
export interface SenderSettings {
  pausesMs: readonly number[];
  timeoutMs: number;
}

/** Sends deliveries, writes down what came of it, and decides what comes next. */
export class WebhookSender {
  private readonly settings: SenderSettings;
  private readonly stopping = new AbortController();

  constructor(
    private readonly fork: () => EntityManager,
    private readonly jobs: Jobs,
    private readonly fetcher: GuardedFetcher,
    private readonly cipher: SecretCipher,
    settings: Partial<SenderSettings> = {},
  ) {
    this.settings = { pausesMs, timeoutMs: 10_000, ...settings };
  }

  /** One attempt. Nothing is held in the database while the receiver takes its time. */
  async deliver({ id: jobId, data }: Job): Promise<void> {
    const { deliveryId } = DeliveryJob.parse(data);
    const em = this.fork();
    const delivery = await em.findOne(WebhookDelivery, { id: deliveryId, jobId }, { populate: ['endpoint'] });
    // Deleted with its endpoint, overtaken by a replay, or done before by a process that died just after.
    if (delivery?.status !== WebhookDeliveryStatus.PENDING) return;
    const endpoint = delivery.endpoint.$;
    if (endpoint.disabledAt && delivery.type !== testType) {
      const failed = givenUp('The endpoint was disabled before it could be sent.');
      // Unless a replay came in between: then it is another job's to send.
      await em.nativeUpdate(WebhookDelivery, { id: deliveryId, jobId }, failed);
      return;
    }
    const sent = await post(this.fetcher, endpoint, delivery, {
      cipher: this.cipher,
      timeoutMs: this.settings.timeoutMs,
      signal: this.stopping.signal,
    });
    await this.fork().transactional((transaction) => this.record(transaction, delivery, jobId, sent));
  }

  private async record(
    em: EntityManager,
    { id, endpoint: { id: endpointId } }: WebhookDelivery,
    jobId: string,
    sent: Sent,
  ): Promise<void> {
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const endpoint = await em.findOne(WebhookEndpoint, { id: endpointId }, { lockMode });
    const delivery = await em.findOne(WebhookDelivery, { id }, { lockMode });
    if (!endpoint || !delivery) return;
    delivery.attemptCount += 1;
    em.create(WebhookAttempt, { ...sent, delivery: ref(delivery), number: delivery.attemptCount });
    await em.nativeDelete(WebhookAttempt, {
      delivery: id,
      number: { $lte: delivery.attemptCount - attemptsKept },
    });
    if (sent.error === null) {
      endpoint.failingSince = null;
      delivery.deliveredAt = new Date();
    } else if (delivery.type !== testType) {
      endpoint.failingSince ??= sent.createdAt;
    }
    if (endpoint.formerSecretUntil && endpoint.formerSecretUntil < new Date())
      Object.assign(endpoint, { formerSecret: null, formerSecretUntil: null });
    // A replay that came in between goes its own way.
    if (delivery.jobId === jobId) await this.goOn(em, endpoint, delivery, sent);
  }

  /** Done, tried again later, or given up. */
  private async goOn(
    em: EntityManager,
    endpoint: WebhookEndpoint,
    delivery: WebhookDelivery,
    { error, responseStatus }: Sent,
  ): Promise<void> {
    if (error === null) {
      delivery.status = WebhookDeliveryStatus.DELIVERED;
      delivery.nextAttemptAt = null;
      return;
    }
    const pause = delivery.type === testType ? undefined : this.settings.pausesMs[delivery.tryCount];
    delivery.tryCount += 1;
    if (responseStatus === gone) {
      Object.assign(delivery, givenUp(error));
      return this.disable(em, endpoint, 'It answered 410 Gone, which means that it wants no more events.');
    }
    if (pause !== undefined) return send(em, this.jobs, delivery, { inMs: pause });
    Object.assign(delivery, givenUp(`Every attempt failed. The last one: ${error}`));
    const { failingSince } = endpoint;
    if (failingSince && failingSince.getTime() <= Date.now() - disableAfterMs)
      await this.disable(em, endpoint, `Every attempt has failed since ${failingSince.toISOString()}.`);
  }

  /** In the log, in the developer's mail, and to their other endpoints. */
  private async disable(em: EntityManager, endpoint: WebhookEndpoint, reason: string): Promise<void> {
    if (endpoint.disabledAt) return;
    const before = stateOf(endpoint);
    endpoint.disabledAt = new Date();
    endpoint.disabledReason = reason;
    await new EventService(em, this.jobs, () => `webhook-endpoint-${endpoint.id}`).record(
      bySystem,
      {
        kind: 'webhook.disabled',
        developerId: endpoint.developer.id,
        endpointId: endpoint.id,
        host: new URL(endpoint.url).host,
        reason,
      },
      { before, after: stateOf(endpoint) },
    );
  }

  /** Whatever is being sent is broken off and sent again later. */
  close(): void {
    this.stopping.abort();
  }
}

/** What a delivery is once nobody will send it again. */
const givenUp = (failure: string) => ({ status: WebhookDeliveryStatus.FAILED, nextAttemptAt: null, failure });

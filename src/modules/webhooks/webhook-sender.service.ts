import { LockMode, ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { DeveloperStatus } from '../../auth/developer-status.js';
import { now, nowMs } from '../../db/clock.js';
import type { SecretCipher } from '../../db/secrets.js';
import type { Job, Jobs } from '../../jobs.js';
import { FetchSlots } from '../../net/fetch-slots.js';
import type { GuardedFetcher } from '../../net/guarded-fetch.js';
import type { Developer } from '../developers/developer.entity.js';
import { bySystem, type EventsOf } from '../events/event.service.js';
import { WebhookAttempt } from './webhook-attempt.entity.js';
import { WebhookDelivery, WebhookDeliveryStatus } from './webhook-delivery.entity.js';
import { retryDelaysMs, scheduleDelivery, testType } from './webhook-delivery.service.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { disableEndpoint } from './webhook-endpoint.service.js';
import { type AttemptResult, postMessage } from './webhook-transport.service.js';

const DeliveryJob = z.object({ deliveryId: z.string() });
/** HTTP status of an endpoint that wants no more events. */
const gone = 410;
/** An endpoint is disabled when a delivery fails and every attempt has failed for this long. */
const disableAfterMs = 3 * 24 * 60 * 60 * 1000;
/** Stored attempts of a delivery. Replays add attempts, and the oldest are deleted. */
const maxStoredAttempts = 50;

/** A receiver can delay the next attempt by this much with `Retry-After`: as long as the longest delay of our own. */
const maxRetryAfterMs = Math.max(...retryDelaysMs);

/**
 * Attempts for one owner that run at once in this process; unverified developers share one owner's part, since anybody can
 * register. A delivery that waits longer for its turn is tried again later, so that receivers that hang leave room for others.
 */
const maxAttemptsAtOnce = 6;
const maxTurnMs = 500;
const leastPauseMs = 20_000;

/** Time for the whole response of a receiver, as Standard Webhooks recommends (15 to 30 s). */
export const attemptTimeoutMs = 20_000;

/** Delays and timeout of the attempts, which only tests set. */
export interface SenderSettings {
  retryDelaysMs: readonly number[];
  timeoutMs: number;
}

/** Sends deliveries, stores the result of each attempt, and schedules the next one. */
export class WebhookSender {
  private readonly settings: SenderSettings;
  private readonly stopping = new AbortController();
  private readonly turns = new FetchSlots(maxAttemptsAtOnce);

  constructor(
    private readonly fork: () => EntityManager,
    private readonly jobs: Jobs,
    private readonly fetcher: GuardedFetcher,
    private readonly cipher: SecretCipher,
    private readonly eventsOf: EventsOf,
    settings: Partial<SenderSettings> = {},
  ) {
    this.settings = { retryDelaysMs, timeoutMs: attemptTimeoutMs, ...settings };
  }

  /** Makes one attempt. No transaction is open while it waits for the receiver. */
  async deliver({ id: jobId, data }: Job): Promise<void> {
    const { deliveryId } = DeliveryJob.parse(data);
    const em = this.fork();
    const populate = ['endpoint.developer'] as const;
    const delivery = await em.findOne(WebhookDelivery, { id: deliveryId, jobId }, { populate });
    // Deleted with its endpoint, replaced by a replay, or already sent by a process that died before it finished the job.
    if (delivery?.status !== WebhookDeliveryStatus.PENDING) return;
    const endpoint = delivery.endpoint.$;
    if (endpoint.disabledAt && delivery.type !== testType) {
      const failed = asFailed('The endpoint was disabled before the event could be sent.');
      // The condition on the job id excludes a delivery that was replayed in the meantime.
      await em.nativeUpdate(WebhookDelivery, { id: deliveryId, jobId }, failed);
      return;
    }
    const leave = await this.turn(endpoint.developer?.$ ?? null);
    if (!leave) return this.postpone(deliveryId, jobId);
    const { cipher, settings, stopping } = this;
    const options = { cipher, timeoutMs: settings.timeoutMs, signal: stopping.signal };
    const result = await postMessage(this.fetcher, endpoint, delivery, options).finally(leave);
    await this.fork().transactional((transaction) => this.record(transaction, delivery, jobId, result));
  }

  /** Waits for the turn of an owner. Returns the function that ends it, or null if others of the owner take too long. */
  private async turn(owner: Developer | null): Promise<(() => void) | null> {
    const isVerified = owner?.status === DeveloperStatus.VERIFIED;
    const key = owner === null ? 'administration' : isVerified ? owner.id : 'unverified';
    return this.turns.enter(key, AbortSignal.timeout(maxTurnMs)).catch(() => null);
  }

  private postpone(id: string, jobId: string): Promise<void> {
    return this.fork().transactional(async (em) => {
      const lockMode = LockMode.PESSIMISTIC_WRITE;
      const delivery = await em.findOne(WebhookDelivery, { id, jobId }, { lockMode });
      // Different times, so that they do not come together again.
      const inMs = leastPauseMs * (1 + 2 * Math.random());
      if (delivery) await scheduleDelivery(em, this.jobs, delivery, { inMs });
    });
  }

  private async record(
    em: EntityManager,
    { id, endpoint: { id: endpointId } }: WebhookDelivery,
    jobId: string,
    { retryAfterMs, ...attempt }: AttemptResult,
  ): Promise<void> {
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const endpoint = await em.findOne(WebhookEndpoint, { id: endpointId }, { lockMode });
    const delivery = await em.findOne(WebhookDelivery, { id }, { lockMode });
    if (!endpoint || !delivery) return;
    delivery.attemptCount += 1;
    em.create(WebhookAttempt, { ...attempt, delivery: ref(delivery), number: delivery.attemptCount });
    await em.nativeDelete(WebhookAttempt, {
      delivery: id,
      number: { $lte: delivery.attemptCount - maxStoredAttempts },
    });
    // The answer of a former URL says nothing about the endpoint.
    const isOfEndpoint = attempt.url === endpoint.url;
    if (attempt.error === null) {
      if (isOfEndpoint) endpoint.failingSince = null;
      delivery.deliveredAt = now();
    } else if (delivery.type !== testType && isOfEndpoint) {
      endpoint.failingSince ??= attempt.createdAt;
    }
    if (endpoint.formerSecretUntil && endpoint.formerSecretUntil < now())
      Object.assign(endpoint, { formerSecret: null, formerSecretUntil: null });
    // After a replay in the meantime, the replay's own job decides what comes next.
    if (delivery.jobId === jobId)
      await this.finishAttempt(em, endpoint, delivery, { retryAfterMs, ...attempt });
  }

  /** Marks a delivery as delivered, schedules the next attempt, or marks it as failed. */
  private async finishAttempt(
    em: EntityManager,
    endpoint: WebhookEndpoint,
    delivery: WebhookDelivery,
    { url, error, responseStatus, retryAfterMs }: AttemptResult,
  ): Promise<void> {
    if (error === null) {
      delivery.status = WebhookDeliveryStatus.DELIVERED;
      delivery.nextAttemptAt = null;
      return;
    }
    const delayMs = delivery.type === testType ? undefined : this.settings.retryDelaysMs[delivery.tryCount];
    delivery.tryCount += 1;
    if (responseStatus === gone && url === endpoint.url) {
      Object.assign(delivery, asFailed(error));
      return this.disable(
        em,
        endpoint,
        'It responded with status 410 Gone, which means that it wants no more events.',
      );
    }
    if (delayMs !== undefined)
      return scheduleDelivery(em, this.jobs, delivery, {
        inMs: Math.max(delayMs, Math.min(retryAfterMs, maxRetryAfterMs)),
      });
    Object.assign(delivery, asFailed(`Every attempt failed. The last one: ${error}`));
    const { failingSince } = endpoint;
    if (failingSince && failingSince.getTime() <= nowMs() - disableAfterMs)
      await this.disable(em, endpoint, `Every attempt has failed since ${failingSince.toISOString()}.`);
  }

  private disable(em: EntityManager, endpoint: WebhookEndpoint, reason: string): Promise<void> {
    const events = this.eventsOf(em, `webhook-endpoint-${endpoint.id}`);
    return disableEndpoint(events, bySystem, endpoint, reason);
  }

  /** Aborts the running attempts. Their jobs are retried later. */
  close(): void {
    this.stopping.abort();
  }
}

/** The fields of a delivery that is not retried any more. */
const asFailed = (failure: string) => ({
  status: WebhookDeliveryStatus.FAILED,
  nextAttemptAt: null,
  failure,
});

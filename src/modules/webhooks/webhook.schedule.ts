import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as newId } from 'uuid';
import type { Jobs } from '../../jobs.js';
import type { WebhookDelivery } from './webhook-delivery.entity.js';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The pauses between the attempts of a delivery: eleven attempts over a day. */
export const pausesMs: readonly number[] = [
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

/** An endpoint of which every attempt has failed for so long is switched off when the next delivery is given up. */
export const disableAfterMs = 3 * 24 * hourMs;

/** How many attempts of a delivery are kept: replays add to them, the oldest go first. */
export const attemptsKept = 50;

/** How long the delivery log goes back. */
export const logDays = 30;

/** Sets a delivery on its way, in the transaction at hand. Of several jobs for it only the last one sends. */
export async function send(
  em: EntityManager,
  jobs: Jobs,
  delivery: WebhookDelivery,
  { inMs = 0 }: { inMs?: number } = {},
): Promise<void> {
  delivery.nextAttemptAt = new Date(Date.now() + inMs);
  delivery.jobId = newId();
  await jobs.enqueue(
    em,
    'webhook-deliveries',
    { deliveryId: delivery.id },
    {
      id: delivery.jobId,
      group: { id: delivery.endpoint.id },
      // Without a time of its own a job is for now, and the workers are told so.
      ...(inMs > 0 && { startAfter: delivery.nextAttemptAt }),
    },
  );
}

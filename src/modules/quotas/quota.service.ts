import type { EntityManager } from '@mikro-orm/postgresql';
import type { RawBuilder } from 'kysely';
import type { Config } from '../../config.js';
import { ServiceError } from '../../errors.js';
import {
  answersKeptFor,
  appsOf,
  holdQuota,
  liveKeysOf,
  recentMessagesAbout,
  recentTestsOf,
  recentVersionsOf,
} from './quota.queries.js';

/**
 * Bounds how much one developer can make (D101). A quota is checked after everything else that can refuse the call,
 * and in the transaction that makes one more: whoever counts holds a lock on what is counted until it is committed.
 */
export class QuotaService {
  constructor(
    private readonly em: EntityManager,
    private readonly bounds: Config['quotas'],
  ) {}

  async requireRoomForApp(developerId: string): Promise<void> {
    const { apps, appsUnverified } = this.bounds;
    if (apps === 0 && appsUnverified === 0) return;
    const { count, isVerified } = await this.count(`apps:${developerId}`, appsOf(developerId));
    if (isFull(count, apps))
      throw exceeded(
        `A developer has at most ${apps} apps, in any state, and you have ${count}. Delete a draft that you no longer need.`,
      );
    if (!isVerified && isFull(count, appsUnverified))
      throw exceeded(
        `A developer who is not verified has at most ${appsUnverified} apps, and you have ${count}. Delete a draft that you no longer need, or wait for your verification.`,
      );
  }

  async requireRoomForKey(developerId: string): Promise<void> {
    const { keys } = this.bounds;
    if (keys === 0) return;
    const { count } = await this.count(`keys:${developerId}`, liveKeysOf(developerId));
    if (isFull(count, keys))
      throw exceeded(
        `A developer has at most ${keys} live API keys, and you have ${count}; a rotated key counts until its grace time is over. Revoke a key that you no longer use, or rotate one with graceHours: 0.`,
      );
  }

  async requireRoomForMessage(appId: string): Promise<void> {
    const { messages } = this.bounds;
    if (messages === 0) return;
    const { count } = await this.count(`messages:${appId}`, recentMessagesAbout(appId));
    if (isFull(count, messages))
      throw exceeded(
        `You can write at most ${messages} messages about an app within 24 hours. Wait for an answer, and put more into one message.`,
      );
  }

  /** The app's row must be locked: that is what callers wait for here. */
  async requireRoomForVersion(appId: string): Promise<void> {
    const { versions } = this.bounds;
    if (versions === 0) return;
    const { count } = await this.count(null, recentVersionsOf(appId));
    if (isFull(count, versions))
      throw exceeded(
        `You can begin at most ${versions} versions of an app within 24 hours, those that were discarded included. Change the open version instead of beginning another, or wait.`,
      );
  }

  /** The endpoint's row must be locked: that is what callers wait for here. */
  async requireRoomForWebhookTest(endpointId: string): Promise<void> {
    const { webhookTests } = this.bounds;
    if (webhookTests === 0) return;
    const { count } = await this.count(null, recentTestsOf(endpointId));
    if (isFull(count, webhookTests))
      throw exceeded(
        `You can send at most ${webhookTests} tests to a webhook endpoint within 24 hours. Replay one of them instead, or wait.`,
      );
  }

  /** Null: the answer belongs to nobody who has a quota. */
  async requireRoomForKeptAnswer(developerId: string | null): Promise<void> {
    const { idempotencyKeys } = this.bounds;
    if (idempotencyKeys === 0 || developerId === null) return;
    const { count } = await this.count(`answers:${developerId}`, answersKeptFor(developerId));
    if (isFull(count, idempotencyKeys))
      throw exceeded(
        `At most ${idempotencyKeys} requests of a developer with an Idempotency-Key are kept within 24 hours. Nothing was done: send it without the header, or wait.`,
      );
  }

  /** Counts in a statement of its own after the lock, so that it sees what those before have committed. */
  private async count<Row extends { count: number }>(
    lock: string | null,
    rows: RawBuilder<Row>,
  ): Promise<Row> {
    const db = this.em.getKysely();
    if (lock !== null) await holdQuota(lock).execute(db);
    return (await rows.execute(db)).rows[0]!;
  }
}

const isFull = (count: number, bound: number) => bound > 0 && count >= bound;

const exceeded = (message: string) => new ServiceError('QUOTA_EXCEEDED', message);

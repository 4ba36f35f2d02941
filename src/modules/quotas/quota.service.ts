import type { EntityManager } from '@mikro-orm/postgresql';
import type { RawBuilder } from 'kysely';
import type { Config } from '../../config.js';
import { type ErrorDetail, ServiceError } from '../../errors.js';
import {
  appsOf,
  countCheck,
  liveKeysOf,
  lockQuota,
  recentIdempotencyKeysOf,
  recentMessagesAbout,
  recentReportsBy,
  recentTestsOf,
  recentVersionsOf,
} from './quota.queries.js';

/** Checks of images are counted separately for submissions, so that nobody who may only read uses up what they need. */
export type CheckShare = 'preflights' | 'submissions';

/**
 * Limits how many things one developer or account can create (D101). A quota is the last check of a request. It runs in the
 * transaction that creates the thing and holds a lock until the commit, so parallel requests cannot exceed it.
 */
export class QuotaService {
  constructor(
    private readonly em: EntityManager,
    private readonly limits: Config['quotas'],
  ) {}

  async requireRoomForApp(developerId: string): Promise<void> {
    const { apps, appsUnverified } = this.limits;
    if (apps === 0 && appsUnverified === 0) return;
    const { count, isVerified } = await this.count(`apps:${developerId}`, appsOf(developerId));
    if (isFull(count, apps))
      throw exceeded(
        `A developer can have at most ${apps} apps, in any state, and you have ${count}. Delete a draft that you no longer need.`,
      );
    if (!isVerified && isFull(count, appsUnverified))
      throw exceeded(
        `A developer who is not verified can have at most ${appsUnverified} apps, and you have ${count}. Delete a draft that you no longer need, or wait for your verification.`,
      );
  }

  async requireRoomForKey(developerId: string): Promise<void> {
    const { keys } = this.limits;
    if (keys === 0) return;
    const { count } = await this.count(`keys:${developerId}`, liveKeysOf(developerId, false));
    if (isFull(count, keys))
      throw exceeded(
        `A developer can have at most ${keys} live API keys, and you have ${count}. A rotated key counts until its grace period ends. Revoke a key that you no longer use, or rotate one with graceHours: 0.`,
      );
  }

  /** Counted on their own, so that a busy pipeline does not keep people from creating a key. */
  async requireRoomForPipelineKey(developerId: string): Promise<void> {
    const { keys } = this.limits;
    if (keys === 0) return;
    const { count } = await this.count(`pipeline-keys:${developerId}`, liveKeysOf(developerId, true));
    if (isFull(count, keys))
      throw exceeded(
        `The pipelines of a developer can have at most ${keys} live API keys. Each lives 15 minutes: try again later, and exchange one token in a job.`,
      );
  }

  async requireRoomForMessage(appId: string): Promise<void> {
    const { messages } = this.limits;
    if (messages === 0) return;
    const { count } = await this.count(`messages:${appId}`, recentMessagesAbout(appId));
    if (isFull(count, messages))
      throw exceeded(
        `You can write at most ${messages} messages about an app within 24 hours. Wait for a reply, and write fewer, longer messages.`,
      );
  }

  /** Needs no lock of its own: the caller must have locked the app's row. */
  async requireRoomForVersion(appId: string): Promise<void> {
    const { versions } = this.limits;
    if (versions === 0) return;
    const { count } = await this.count(null, recentVersionsOf(appId));
    if (isFull(count, versions))
      throw exceeded(
        `You can create at most ${versions} versions of an app within 24 hours, discarded ones included. Change the open version instead of creating another one, or wait.`,
      );
  }

  /** Needs no lock of its own: the caller must have locked the endpoint's row. */
  async requireRoomForWebhookTest(endpointId: string): Promise<void> {
    const { webhookTests } = this.limits;
    if (webhookTests === 0) return;
    const { count } = await this.count(null, recentTestsOf(endpointId));
    if (isFull(count, webhookTests))
      throw exceeded(
        `You can send at most ${webhookTests} tests to a webhook endpoint within 24 hours. Replay one of them instead, or wait.`,
      );
  }

  async requireRoomForReport(accountUserId: string): Promise<void> {
    const { reports } = this.limits;
    if (reports === 0) return;
    const { count } = await this.count(`reports:${accountUserId}`, recentReportsBy(accountUserId));
    if (isFull(count, reports))
      throw exceeded(
        `You can report at most ${reports} ratings and apps within 24 hours, changed reasons included. Report the worst ones first, or wait.`,
      );
  }

  /** Charges a check of a listing's images, which fetches them. Needs no lock: the statement counts and reads at once. */
  async chargeCheck(developerId: string, share: CheckShare): Promise<void> {
    const { preflights } = this.limits;
    if (preflights === 0) return;
    const { count } = await this.count(null, countCheck(developerId, share));
    if (count > preflights)
      throw exceeded(
        share === 'preflights'
          ? `Your listings can be checked at most ${preflights} times within 24 hours, because each check fetches their images. Submissions are counted separately: you can still submit. Try again later.`
          : `You can submit listings, and edit submitted ones, at most ${preflights} times within 24 hours, because each time their images are fetched. Try again later.`,
      );
  }

  /** There is no quota for requests without a developer (null). */
  async requireRoomForIdempotencyKey(developerId: string | null): Promise<void> {
    const { idempotencyKeys } = this.limits;
    if (idempotencyKeys === 0 || developerId === null) return;
    const { count } = await this.count(`answers:${developerId}`, recentIdempotencyKeysOf(developerId));
    if (!isFull(count, idempotencyKeys)) return;
    const message = `At most ${idempotencyKeys} requests of a developer with an Idempotency-Key are stored within 24 hours. Nothing was changed: send the request without the header, or wait.`;
    throw exceeded(message, [{ field: 'Idempotency-Key', code: 'too_many_keys', message }]);
  }

  /** Counts in a separate statement after the lock, so that it sees the rows that earlier holders have committed. */
  private async count<Row extends { count: number }>(
    lock: string | null,
    rows: RawBuilder<Row>,
  ): Promise<Row> {
    const db = this.em.getKysely();
    if (lock !== null) await lockQuota(lock).execute(db);
    return (await rows.execute(db)).rows[0]!;
  }
}

/** A limit of 0 means no limit. */
const isFull = (count: number, limit: number) => limit > 0 && count >= limit;

const exceeded = (message: string, details: ErrorDetail[] = []) =>
  new ServiceError('QUOTA_EXCEEDED', message, details);

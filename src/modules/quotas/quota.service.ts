import type { EntityManager } from '@mikro-orm/postgresql';
import type { Config } from '../../config.js';
import { type ErrorDetail, ServiceError } from '../../errors.js';
import { countCheck, lockQuota, type Quota, quotas } from './quota.queries.js';

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

  /** Rejects one more of these things; `of` is the id of the developer, account, app or endpoint that they are counted for. */
  async requireRoomFor(what: keyof typeof quotas, of: string): Promise<void> {
    const { lock, count, message, detail }: Quota = quotas[what];
    const max = this.limits[what === 'pipelineKeys' ? 'keys' : what];
    if (max === 0) return;
    const db = this.em.getKysely();
    if (lock !== null) await lockQuota(`${lock}:${of}`).execute(db);
    // A separate statement after the lock, so that it sees the rows that earlier holders have committed.
    const existing = (await count(of).execute(db)).rows[0]!.count;
    if (existing < max) return;
    const text = message(max, existing);
    throw exceeded(text, detail && [{ ...detail, message: text }]);
  }

  async requireRoomForApp(developerId: string): Promise<void> {
    await this.requireRoomFor('apps', developerId);
    await this.requireRoomFor('appsUnverified', developerId);
  }

  /** Charges a check of a listing's images, which fetches them. Needs no lock: the statement counts and reads at once. */
  async chargeCheck(developerId: string, share: CheckShare): Promise<void> {
    const { preflights } = this.limits;
    if (preflights === 0) return;
    const { rows } = await countCheck(developerId, share).execute(this.em.getKysely());
    if (rows[0]!.count > preflights)
      throw exceeded(
        share === 'preflights'
          ? `Your listings can be checked at most ${preflights} times within 24 hours, because each check fetches their images. Submissions are counted separately: you can still submit. Try again later.`
          : `You can submit listings, and edit submitted ones, at most ${preflights} times within 24 hours, because each time their images are fetched. Try again later.`,
      );
  }
}

const exceeded = (message: string, details?: ErrorDetail[]) =>
  new ServiceError('QUOTA_EXCEEDED', message, details);

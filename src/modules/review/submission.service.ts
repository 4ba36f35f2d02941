import { LockMode, ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountCaller } from '../../auth/caller.js';
import { notFound, ServiceError } from '../../errors.js';
import type { App } from '../apps/app.entity.js';
import { listingOf } from '../apps/app.listing.js';
import { Developer } from '../developers/developer.entity.js';
import { AppVersion } from '../versions/app-version.entity.js';
import { type Outcome, Submission } from './submission.entity.js';

const hourMs = 60 * 60 * 1000;
const reviewTimeMs = 48 * hourMs;
const leaseMs = 0.5 * hourMs;
const placeIsKeptForMs = 7 * 24 * hourMs;

/** Submissions in the queue: their place, who looks at them, how they ended. */
export class SubmissionService {
  constructor(private readonly em: EntityManager) {}

  /** Enters the queue: at the end, or where it stood if it was withdrawn within a week and nobody had begun. */
  async open(app: App, version: AppVersion | null): Promise<Submission> {
    const now = new Date();
    const queuedAt = (await this.keptPlace(app, version, now)) ?? now;
    return this.em.create(Submission, {
      app: ref(app),
      version: version && ref(version),
      createdAt: now,
      queuedAt,
      dueAt: new Date(queuedAt.getTime() + reviewTimeMs),
    });
  }

  async withdraw(app: App, version: AppVersion | null): Promise<void> {
    const submission = await this.openOne(app, version);
    if (submission) end(submission, 'WITHDRAWN');
  }

  /** Ends a submission by a decision, unless somebody else is at it. */
  async decide(caller: AccountCaller, outcome: Outcome, app: App, subject: App | AppVersion): Promise<void> {
    const submission = await this.openOne(app, subject instanceof AppVersion ? subject : null);
    if (!submission) return;
    requireUnclaimed(caller, submission);
    end(submission, outcome);
    submission.revision = subject.revision;
    submission.listing = listingOf(subject);
  }

  /** Takes a submission for a while; the holder's own claim is renewed. */
  async claim(caller: AccountCaller, id: string, takeOver: boolean): Promise<Submission> {
    const submission = await this.lock(id);
    await this.requireForeign(caller, await submission.app.loadOrFail());
    if (!takeOver) requireUnclaimed(caller, submission);
    submission.claimedBy = caller.accountUserId;
    submission.claimedUntil = new Date(Date.now() + leaseMs);
    submission.reviewBeganAt ??= new Date();
    return submission;
  }

  async release(caller: AccountCaller, id: string): Promise<Submission> {
    const submission = await this.lock(id);
    requireUnclaimed(caller, submission);
    submission.claimedBy = null;
    submission.claimedUntil = null;
    return submission;
  }

  private async keptPlace(app: App, version: AppVersion | null, now: Date): Promise<Date | null> {
    const last = await this.em.findOne(
      Submission,
      { app: app.id, version: version?.id ?? null, outcome: { $ne: null } },
      { orderBy: { createdAt: 'desc', id: 'desc' } },
    );
    if (last?.outcome !== 'WITHDRAWN' || last.reviewBeganAt || !last.endedAt) return null;
    return now.getTime() - last.endedAt.getTime() <= placeIsKeptForMs ? last.queuedAt : null;
  }

  private async openOne(app: App, version: AppVersion | null): Promise<Submission | null> {
    return this.em.findOne(
      Submission,
      { app: app.id, version: version?.id ?? null, endedAt: null },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
  }

  /** By the submission's own id, or by that of the app or version it is about. */
  private async lock(id: string): Promise<Submission> {
    const submission = await this.em.findOne(
      Submission,
      { endedAt: null, $or: [{ id }, { version: id }, { app: id, version: null }] },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    if (!submission) throw notFound('open submission');
    return submission;
  }

  /** Nobody reviews their own app. */
  async requireForeign(caller: AccountCaller, app: App): Promise<void> {
    const owner = await this.em.findOneOrFail(Developer, app.developer.id);
    if (owner.accountUserId === caller.accountUserId) {
      throw new ServiceError('FORBIDDEN', 'This app is your own: another administrator must review it.');
    }
  }
}

function requireUnclaimed(caller: AccountCaller, submission: Submission): void {
  const { holder } = submission;
  if (!holder || holder === caller.accountUserId) return;
  throw new ServiceError(
    'REVIEW_CLAIMED',
    `Another administrator is at this submission until ${submission.claimedUntil?.toISOString()}. Wait, or take it over with claimReview(takeOver: true).`,
  );
}

function end(submission: Submission, outcome: Outcome): void {
  submission.endedAt = new Date();
  submission.outcome = outcome;
}

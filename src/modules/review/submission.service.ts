import { LockMode, ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountCaller } from '../../auth/caller.js';
import { App } from '../apps/app.entity.js';
import { listingOf } from '../apps/listing.difference.js';
import { aboutApp, asAdministrator, type EventService } from '../audit/event.service.js';
import type { AppVersion } from '../versions/app-version.entity.js';
import { noOpenSubmission, requireClaimable, requireReleasable } from './review.guards.js';
import { type Outcome, Submission } from './submission.entity.js';

const hourMs = 60 * 60 * 1000;
const reviewTimeMs = 48 * hourMs;
const leaseMs = 0.5 * hourMs;
const placeIsKeptForMs = 7 * 24 * hourMs;

/** Submissions in the queue: their place, who looks at them, how they ended. */
export class SubmissionService {
  constructor(
    private readonly em: EntityManager,
    private readonly events: EventService,
  ) {}

  /** Enters the queue: at the end, or where it stood if it was withdrawn within a week, nobody had begun, and nothing was edited. */
  async open(app: App, version: AppVersion | null): Promise<Submission> {
    const now = new Date();
    const queuedAt = (await this.keptPlace(app, version, now)) ?? now;
    return this.em.create(Submission, {
      app: ref(app),
      version: version && ref(version),
      createdAt: now,
      queuedAt,
      dueAt: dueAfter(queuedAt),
    });
  }

  /** Notes an edit of what waits. A place that was kept belongs to what was withdrawn: from then on only the wait since the submission counts. */
  async edited(app: App, version: AppVersion | null): Promise<void> {
    const submission = await this.openOne(app, version);
    if (!submission || submission.queuedAt >= submission.createdAt) return;
    submission.queuedAt = submission.createdAt;
    submission.dueAt = dueAfter(submission.queuedAt);
  }

  async withdraw(app: App, version: AppVersion | null): Promise<void> {
    const submission = await this.openOne(app, version);
    if (!submission) return;
    end(submission, 'WITHDRAWN');
    submission.revision = (version ?? app).revision;
  }

  /** Ends a submission by a decision on what was seen. */
  decide(submission: Submission | null, outcome: Outcome, subject: App | AppVersion): void {
    if (!submission) return;
    end(submission, outcome);
    submission.revision = subject.revision;
    submission.listing = listingOf(subject);
  }

  /** Takes a submission for a while; the holder's own claim is renewed. */
  async claim(caller: AccountCaller, id: string, takeOver: boolean): Promise<Submission> {
    const submission = await this.lock(id);
    const app = await submission.app.loadOrFail();
    requireClaimable(caller, await app.developer.loadOrFail(), submission, takeOver);
    const former = submission.holder;
    const now = new Date();
    submission.claimedBy = caller.accountUserId;
    submission.claimedByEmail = caller.email;
    submission.claimedUntil = new Date(now.getTime() + leaseMs);
    submission.reviewBeganAt ??= now;
    if (former !== caller.accountUserId)
      await this.events.record(
        asAdministrator(caller),
        { kind: 'review.claimed', ...aboutSubmission(app, submission), takenFrom: former },
        former ? {} : { before: { stage: 'QUEUED' }, after: { stage: 'IN_REVIEW' } },
      );
    return submission;
  }

  async release(caller: AccountCaller, id: string): Promise<Submission> {
    const submission = await this.lock(id);
    const app = await submission.app.loadOrFail();
    requireReleasable(caller, submission);
    const wasHeld = submission.holder !== null;
    submission.claimedBy = null;
    submission.claimedByEmail = null;
    submission.claimedUntil = null;
    if (wasHeld)
      await this.events.record(
        asAdministrator(caller),
        { kind: 'review.released', ...aboutSubmission(app, submission) },
        { before: { stage: 'IN_REVIEW' }, after: { stage: 'QUEUED' } },
      );
    return submission;
  }

  private async keptPlace(app: App, version: AppVersion | null, now: Date): Promise<Date | null> {
    const last = await this.em.findOne(
      Submission,
      { app: app.id, version: version?.id ?? null, outcome: { $ne: null } },
      { orderBy: { createdAt: 'desc', id: 'desc' } },
    );
    if (last?.outcome !== 'WITHDRAWN' || last.reviewBeganAt || !last.endedAt) return null;
    if (last.revision !== (version ?? app).revision) return null;
    return now.getTime() - last.endedAt.getTime() <= placeIsKeptForMs ? last.queuedAt : null;
  }

  /** What waits for a decision, held until the transaction is over. */
  async openOne(app: App, version: AppVersion | null): Promise<Submission | null> {
    return this.em.findOne(
      Submission,
      { app: app.id, version: version?.id ?? null, endedAt: null },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
  }

  /** By the submission's own id, or by that of the app or version it is about. */
  private async lock(id: string): Promise<Submission> {
    const open = { endedAt: null, $or: [{ id }, { version: id }, { app: id, version: null }] };
    const seen = await this.em.findOne(Submission, open);
    if (!seen) throw noOpenSubmission();
    // The app first, as everywhere: its events refer to it, and whoever withdraws it holds it already.
    await this.em.findOne(App, { id: seen.app.id }, { lockMode: LockMode.PESSIMISTIC_READ });
    const submission = await this.em.findOne(Submission, open, {
      lockMode: LockMode.PESSIMISTIC_WRITE,
      refresh: true,
    });
    if (!submission) throw noOpenSubmission();
    return submission;
  }
}

const aboutSubmission = (app: App, { id, version }: Submission) => ({
  ...aboutApp(app),
  submissionId: id,
  versionId: version?.id ?? null,
});

const dueAfter = (queuedAt: Date) => new Date(queuedAt.getTime() + reviewTimeMs);

function end(submission: Submission, outcome: Outcome): void {
  submission.endedAt = new Date();
  submission.outcome = outcome;
}

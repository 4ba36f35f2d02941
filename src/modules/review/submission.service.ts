import { LockMode, ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountCaller } from '../../auth/caller.js';
import { now } from '../../db/clock.js';
import { aboutApp, asAdministrator, type EventService } from '../events/event.service.js';
import { App } from '../listings/app.entity.js';
import type { AppVersion } from '../listings/app-version.entity.js';
import type { Finding } from '../listings/finding.types.js';
import type { Listing } from '../listings/listing.entity.js';
import { listingOf } from '../listings/listing-change.rules.js';
import type { Rejection } from '../listings/rejection.types.js';
import type { PreflightService } from '../preflight/preflight.service.js';
import { noOpenSubmission, requireClaimable, requireReleasable } from './review.rules.js';
import { Submission, SubmissionOutcome } from './submission.entity.js';

const hourMs = 60 * 60 * 1000;
const reviewTimeMs = 48 * hourMs;
const claimMs = 0.5 * hourMs;
const placeKeptMs = 7 * 24 * hourMs;

/** A decision of an administrator. */
type Decision =
  | { outcome: SubmissionOutcome.APPROVED; note: string | null }
  | { outcome: SubmissionOutcome.REJECTED; rejection: Rejection };

/** Submissions in the review queue: their place, their claims and their outcome. */
export class SubmissionService {
  constructor(
    private readonly em: EntityManager,
    private readonly events: EventService,
    private readonly preflight: PreflightService,
  ) {}

  /** Returns the findings about links of a listing that block its submission. */
  linkFindings(listing: Listing): Finding[] {
    return this.preflight.linkFindings(listing);
  }

  /** Adds a submission at the end of the queue, or at its former place if it was withdrawn within a week, before any review, and not edited since. */
  async open(
    app: App,
    version: AppVersion | null,
  ): Promise<{ submission: Submission; resubmission: boolean }> {
    const at = now();
    const last = await this.lastEnded(app, version);
    const queuedAt = (last && keptPlace(last, version ?? app, at)) ?? at;
    const submission = this.em.create(Submission, {
      app: ref(app),
      version: version && ref(version),
      createdAt: at,
      queuedAt,
      dueAt: dueAfter(queuedAt),
    });
    return { submission, resubmission: last !== null };
  }

  /** Handles an edit of a listing in the queue. A place that was kept from a withdrawn submission is lost: the time of the submission counts again. */
  async edited(app: App, version: AppVersion | null): Promise<void> {
    const submission = await this.openOne(app, version);
    if (!submission || submission.queuedAt >= submission.createdAt) return;
    submission.queuedAt = submission.createdAt;
    submission.dueAt = dueAfter(submission.queuedAt);
  }

  async withdraw(app: App, version: AppVersion | null): Promise<void> {
    const submission = await this.openOne(app, version);
    if (!submission) return;
    end(submission, SubmissionOutcome.WITHDRAWN);
    submission.revision = (version ?? app).revision;
  }

  /** Ends a submission with a decision, and stores what it was based on: the listing and the findings. */
  async decide(
    caller: AccountCaller,
    submission: Submission | null,
    subject: App | AppVersion,
    { outcome, ...grounds }: Decision,
  ): Promise<void> {
    if (!submission) return;
    const [findings] = await this.preflight.storedFindings([subject]);
    end(submission, outcome);
    Object.assign(submission, grounds, {
      decidedBy: caller.accountUserId,
      revision: subject.revision,
      listing: listingOf(subject),
      findings,
    });
  }

  /** Claims a submission for half an hour. The holder's own claim is renewed. */
  async claim(caller: AccountCaller, id: string, takeOver: boolean): Promise<Submission> {
    const submission = await this.lock(id);
    const app = await submission.app.loadOrFail();
    requireClaimable(caller, await app.developer.loadOrFail(), submission, takeOver);
    return this.hold(caller, app, submission);
  }

  /** Claims a submission that was found claimable when its row was locked. */
  async claimLocked(caller: AccountCaller, id: string): Promise<Submission> {
    const submission = await this.em.findOneOrFail(Submission, { id });
    return this.hold(caller, await submission.app.loadOrFail(), submission);
  }

  private async hold(caller: AccountCaller, app: App, submission: Submission): Promise<Submission> {
    const former = submission.holder;
    const at = now();
    submission.claimedBy = caller.accountUserId;
    submission.claimedByEmail = caller.email;
    submission.claimedUntil = new Date(at.getTime() + claimMs);
    submission.reviewBeganAt ??= at;
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

  private async lastEnded(app: App, version: AppVersion | null): Promise<Submission | null> {
    return this.em.findOne(
      Submission,
      { app: app.id, version: version?.id ?? null, outcome: { $ne: null } },
      { orderBy: { createdAt: 'desc', id: 'desc' } },
    );
  }

  /** Returns the open submission of an app or version, and locks its row. */
  async openOne(app: App, version: AppVersion | null): Promise<Submission | null> {
    return this.em.findOne(
      Submission,
      { app: app.id, version: version?.id ?? null, endedAt: null },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
  }

  /** Locks an open submission, found by its id or by the id of its app or version. */
  private async lock(id: string): Promise<Submission> {
    const open = { endedAt: null, $or: [{ id }, { version: id }, { app: id, version: null }] };
    const seen = await this.em.findOne(Submission, open);
    if (!seen) throw noOpenSubmission();
    // Lock the app first, in the same order as every other operation, to avoid deadlocks.
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

/** Returns the place in the queue that a new submission takes over from the last one; null if it takes over none. */
function keptPlace(last: Submission, { revision }: App | AppVersion, now: Date): Date | null {
  if (last.outcome !== SubmissionOutcome.WITHDRAWN || last.reviewBeganAt || !last.endedAt) return null;
  if (last.revision !== revision) return null;
  return now.getTime() - last.endedAt.getTime() <= placeKeptMs ? last.queuedAt : null;
}

const dueAfter = (queuedAt: Date) => new Date(queuedAt.getTime() + reviewTimeMs);

function end(submission: Submission, outcome: SubmissionOutcome): void {
  submission.endedAt = now();
  submission.outcome = outcome;
}

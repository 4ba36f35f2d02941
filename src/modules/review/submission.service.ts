import { LockMode, ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { AccountCaller } from '../../auth/caller.js';
import { now } from '../../db/clock.js';
import type { Acknowledging } from '../events/event.types.js';
import { type App, AppStatus } from '../listings/app.entity.js';
import { AppVersion } from '../listings/app-version.entity.js';
import { requireReadyForReview } from '../listings/listing.rules.js';
import { type ListingChange, listingOf } from '../listings/listing-change.rules.js';
import { type Rejection, withDefaultMessages } from '../listings/rejection.types.js';
import { requireSeenRevision } from '../listings/revision.rules.js';
import { type AssetCheckService, appIdOf, type CheckedAssets } from '../preflight/asset-check.service.js';
import type { PreflightService } from '../preflight/preflight.service.js';
import type { Approve, Reject } from './review.input.js';
import { requireAcknowledged } from './review.rules.js';
import { Submission, SubmissionOutcome } from './submission.entity.js';

const hourMs = 60 * 60 * 1000;
const reviewTimeMs = 48 * hourMs;
const placeKeptMs = 7 * 24 * hourMs;

type Subject = App | AppVersion;

/** Submissions in the review queue: their place and their outcome. */
export class SubmissionService {
  constructor(
    private readonly em: EntityManager,
    private readonly preflight: PreflightService,
    private readonly assetChecks: AssetCheckService,
  ) {}

  /**
   * Checks a listing, and adds its submission at the end of the queue, or at its former place if it was withdrawn within a
   * week, before any review, and not edited since. Returns whether it was submitted before.
   */
  async open(subject: Subject, checked: CheckedAssets | null): Promise<{ resubmission: boolean }> {
    requireReadyForReview(subject, [
      ...this.preflight.linkFindings(subject),
      ...this.assetChecks.require(checked, subject.revision),
    ]);
    const at = now();
    const last = await this.lastEnded(subject);
    const queuedAt = (last && keptPlace(last, subject, at)) ?? at;
    const version = subject instanceof AppVersion ? subject : null;
    this.em.create(Submission, {
      app: version ? version.app : ref(subject as App),
      version: version && ref(version),
      createdAt: at,
      queuedAt,
      dueAt: dueAfter(queuedAt),
    });
    subject.submittedAt = at;
    await this.assetChecks.attach(subject, checked);
    return { resubmission: last !== null };
  }

  /**
   * Checks an edit of a listing, if it is in the queue. A place that was kept from a withdrawn submission is lost: the time
   * of the submission counts again.
   */
  async edited(subject: Subject, change: ListingChange, checked: CheckedAssets | null): Promise<void> {
    if (subject.status !== AppStatus.PENDING) return;
    const findings = this.assetChecks.require(checked, change.before.revision);
    requireReadyForReview(subject, findings, Object.keys(change.after));
    await this.assetChecks.attach(subject, checked);
    const submission = await this.openOne(subject);
    if (!submission || submission.queuedAt >= submission.createdAt) return;
    submission.queuedAt = submission.createdAt;
    submission.dueAt = dueAfter(submission.queuedAt);
  }

  async withdraw(subject: Subject): Promise<void> {
    const submission = await this.openOne(subject);
    if (!submission) return;
    end(submission, SubmissionOutcome.WITHDRAWN);
    submission.revision = subject.revision;
  }

  /** Ends a submission with an approval of the revision that the caller has seen; returns what the caller acknowledged. */
  async approve(
    caller: AccountCaller,
    submission: Submission | null,
    subject: Subject,
    { revision, note, ...grounds }: z.output<typeof Approve>,
  ): Promise<Acknowledging> {
    await requireSeenRevision(this.em, subject, new Set([revision]));
    const acknowledgement = requireAcknowledged(await this.preflight.lockedNameFindings(subject), grounds);
    if (submission)
      await this.decide(caller, submission, subject, SubmissionOutcome.APPROVED, { note: note || null });
    subject.rejection = null;
    return acknowledgement;
  }

  /** Ends a submission with a rejection of the revision that the caller has seen. */
  async reject(
    caller: AccountCaller,
    submission: Submission | null,
    subject: Subject,
    { revision, reasons, guidance }: z.output<typeof Reject>,
  ): Promise<Rejection> {
    await requireSeenRevision(this.em, subject, new Set([revision]));
    const rejection = { reasons: withDefaultMessages(reasons), guidance, rejectedAt: now() };
    if (submission) await this.decide(caller, submission, subject, SubmissionOutcome.REJECTED, { rejection });
    subject.rejection = rejection;
    return rejection;
  }

  /** Stores a decision, and what it was based on: the listing and the findings. */
  private async decide(
    { accountUserId }: AccountCaller,
    submission: Submission,
    subject: Subject,
    outcome: SubmissionOutcome,
    grounds: Partial<Pick<Submission, 'note' | 'rejection'>>,
  ): Promise<void> {
    const [findings] = await this.preflight.storedFindings([subject]);
    end(submission, outcome);
    const { revision } = subject;
    Object.assign(submission, grounds, {
      decidedBy: accountUserId,
      revision,
      listing: listingOf(subject),
      findings,
    });
  }

  private async lastEnded(subject: Subject): Promise<Submission | null> {
    return this.em.findOne(
      Submission,
      { ...submissionOf(subject), outcome: { $ne: null } },
      { orderBy: { createdAt: 'desc', id: 'desc' } },
    );
  }

  /** Returns the open submission of an app or version, and locks its row. */
  async openOne(subject: Subject): Promise<Submission | null> {
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    return this.em.findOne(Submission, { ...submissionOf(subject), endedAt: null }, { lockMode });
  }
}

/** Names the submissions of an app itself, or of one of its versions. */
const submissionOf = (subject: Subject) => ({
  app: appIdOf(subject),
  version: subject instanceof AppVersion ? subject.id : null,
});

/** Returns the place in the queue that a new submission takes over from the last one; null if it takes over none. */
function keptPlace(last: Submission, { revision }: Subject, now: Date): Date | null {
  if (last.outcome !== SubmissionOutcome.WITHDRAWN || last.reviewBeganAt || !last.endedAt) return null;
  if (last.revision !== revision) return null;
  return now.getTime() - last.endedAt.getTime() <= placeKeptMs ? last.queuedAt : null;
}

const dueAfter = (queuedAt: Date) => new Date(queuedAt.getTime() + reviewTimeMs);

function end(submission: Submission, outcome: SubmissionOutcome): void {
  submission.endedAt = now();
  submission.outcome = outcome;
}

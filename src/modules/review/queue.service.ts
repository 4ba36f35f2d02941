import { type FilterQuery, LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { AccountCaller } from '../../auth/caller.js';
import { DeveloperStatus } from '../../auth/developer-status.js';
import { now } from '../../db/clock.js';
import { notFound } from '../../errors.js';
import type { Connection } from '../../operations/connection.types.js';
import { inOrder, pageOfIds } from '../../operations/id-pages.js';
import { connection, defaultPageSize } from '../../operations/paging.js';
import { aboutApp, asAdministrator, type EventService } from '../events/event.service.js';
import { App } from '../listings/app.entity.js';
import { changesBetween } from '../listings/listing-change.rules.js';
import { latestDecisions, matchingSubmissions, nextToClaim } from './queue.queries.js';
import type { ClaimNext, ReviewQueue } from './review.input.js';
import { noOpenSubmission, requireClaimable, requireReleasable } from './review.rules.js';
import type { ReviewCounts, ReviewQueueItem } from './review.types.js';
import { Submission } from './submission.entity.js';

const claimMs = 30 * 60 * 1000;

/** The review queue of the administrators, and their claims on it. The longest waiting submission is first, so overdue ones are at the top. */
export class QueueService {
  constructor(
    private readonly em: EntityManager,
    private readonly events: EventService,
  ) {}

  async list(
    caller: AccountCaller,
    { first, after, filter }: z.output<typeof ReviewQueue>,
  ): Promise<Connection<ReviewQueueItem>> {
    const size = first ?? defaultPageSize;
    const matching = matchingSubmissions(caller.accountUserId, filter ?? {});
    const { ids, totalCount } = await pageOfIds(this.em, matching, 'asc', { first, after });
    const found = await this.em.find(Submission, { id: ids }, { populate: ['app', 'version'] });
    const rows = inOrder(ids, found);
    const items = new Map((await this.itemsOf(rows.slice(0, size))).map((item) => [item.id, item]));
    return connection(rows, {
      first: size,
      after,
      totalCount,
      position: (row) => ({ at: row.queuedAt, id: row.id }),
      node: (row) => items.get(row.id)!,
    });
  }

  /** Finds submissions in the queue by their ids. */
  async find(ids: readonly string[]): Promise<ReviewQueueItem[]> {
    return this.itemsOf(await this.waiting({ id: [...ids] }));
  }

  /** Returns the submission in the queue that an id names (D59). */
  async get(id: string): Promise<ReviewQueueItem> {
    const rows = await this.waiting({ $or: [{ id }, { version: id }, { app: id, version: null }] });
    const [item] = await this.itemsOf(rows);
    if (!item) throw notFound('submission');
    return item;
  }

  private waiting(named: FilterQuery<Submission>): Promise<Submission[]> {
    // As the view `queued_submissions` has it.
    const queued = { endedAt: null, app: { developer: { status: { $ne: DeveloperStatus.SUSPENDED } } } };
    return this.em.find(Submission, { $and: [named, queued] }, { populate: ['app', 'version'] });
  }

  async counts(): Promise<ReviewCounts> {
    const [counts] = await this.em.execute<ReviewCounts[]>(`
      select count(*)::int as total,
        count(*) filter (where due_at < now())::int as overdue,
        count(*) filter (where claimed_until > now())::int as claimed,
        count(*) filter (where version_id is not null)::int as versions
      from queued_submissions`);
    return counts!;
  }

  /** Claims a submission for half an hour. The holder's own claim is renewed. */
  async claim(caller: AccountCaller, id: string, takeOver: boolean): Promise<ReviewQueueItem> {
    const submission = await this.lock(id);
    const app = await submission.app.loadOrFail();
    requireClaimable(caller, await app.developer.loadOrFail(), submission, takeOver);
    return this.hold(caller, submission);
  }

  /** Claims the submission that has waited longest of those that the caller may decide on; null if there is none. */
  async claimNext(
    caller: AccountCaller,
    { filter }: z.output<typeof ClaimNext>,
  ): Promise<ReviewQueueItem | null> {
    const find = async (waits: boolean) => {
      const next = nextToClaim(caller.accountUserId, filter ?? {}, { waits });
      return (await next.execute(this.em.getKysely())).rows[0];
    };
    // A claim of another administrator that is not committed yet may fail, so the queue is empty only after those have ended.
    const next = (await find(false)) ?? (await find(true));
    return next ? this.hold(caller, await this.em.findOneOrFail(Submission, { id: next.id })) : null;
  }

  private async hold(caller: AccountCaller, submission: Submission): Promise<ReviewQueueItem> {
    const app = await submission.app.loadOrFail();
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
    return this.itemOf(submission);
  }

  async release(caller: AccountCaller, id: string): Promise<ReviewQueueItem> {
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
    return this.itemOf(submission);
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

  private async itemOf(submission: Submission): Promise<ReviewQueueItem> {
    await this.em.populate(submission, ['app', 'version']);
    const [item] = await this.itemsOf([submission]);
    return item!;
  }

  private async itemsOf(rows: readonly Submission[]): Promise<ReviewQueueItem[]> {
    const decided = await this.lastDecided(rows);
    return rows.map((row) => {
      const app = row.app.getEntity() as App;
      const version = row.version?.getEntity() ?? null;
      const last = decided.get(version?.id ?? app.id) ?? null;
      const before = last?.listing ?? (version ? app : null);
      const { dueAt } = row;
      return {
        id: row.id,
        app,
        version,
        submittedAt: row.createdAt,
        dueAt,
        overdue: dueAt < now(),
        claim: row.currentClaim,
        lastReviewedRevision: last?.revision ?? null,
        changes: before ? changesBetween(before, version ?? app) : [],
      };
    });
  }

  /** Finds the latest decided submission of each app or version, in one query. */
  private async lastDecided(rows: readonly Submission[]): Promise<Map<string, Submission>> {
    const latest = latestDecisions(rows.map((row) => row.app.id));
    const found = (await latest.execute(this.em.getKysely())).rows.map((row) => this.em.map(Submission, row));
    return new Map(found.map((row) => [row.version?.id ?? row.app.id, row]));
  }
}

const aboutSubmission = (app: App, { id, version }: Submission) => ({
  ...aboutApp(app),
  submissionId: id,
  versionId: version?.id ?? null,
});

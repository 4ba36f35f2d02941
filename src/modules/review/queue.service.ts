import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { AccountCaller } from '../../auth/caller.js';
import { DeveloperStatus } from '../../auth/developer-status.js';
import type { Connection } from '../../operations/connection.types.js';
import { connection, defaultPageSize, positionOf } from '../../operations/paging.js';
import type { App } from '../apps/app.entity.js';
import { changesBetween } from '../audit/timeline.mapper.js';
import { latestDecisions } from './queue.queries.js';
import type { ReviewQueue } from './review.input.js';
import type { ReviewCounts, ReviewQueueItem } from './review.types.js';
import { Submission } from './submission.entity.js';
import type { SubmissionService } from './submission.service.js';

/** Submissions of a suspended developer are not in the queue until the developer is reinstated (D119). */
const inQueue = { endedAt: null, app: { developer: { status: { $ne: DeveloperStatus.SUSPENDED } } } };

/** The review queue of the administrators. The longest waiting submission is first, so overdue ones are at the top. */
export class QueueService {
  constructor(
    private readonly em: EntityManager,
    private readonly submissions: SubmissionService,
  ) {}

  async list(
    caller: AccountCaller,
    { first, after, filter }: z.output<typeof ReviewQueue>,
  ): Promise<Connection<ReviewQueueItem>> {
    const size = first ?? defaultPageSize;
    const position = positionOf(after);
    const page = await this.em.findByCursor(Submission, {
      where: { $and: [inQueue, ...this.conditions(caller, filter ?? {})] },
      orderBy: { queuedAt: 'asc', id: 'asc' },
      ...(position && { after: { queuedAt: position.at, id: position.id } }),
      first: size + 1,
      overfetch: false,
      populate: ['app', 'version'],
    });
    const items = new Map((await this.itemsOf(page.items.slice(0, size))).map((item) => [item.id, item]));
    return connection(page.items, {
      first: size,
      after,
      totalCount: page.totalCount,
      position: (row) => ({ at: row.queuedAt, id: row.id }),
      node: (row) => items.get(row.id)!,
    });
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

  async claim(caller: AccountCaller, id: string, takeOver: boolean): Promise<ReviewQueueItem> {
    return this.itemOf(await this.submissions.claim(caller, id, takeOver));
  }

  async release(caller: AccountCaller, id: string): Promise<ReviewQueueItem> {
    return this.itemOf(await this.submissions.release(caller, id));
  }

  private conditions(
    caller: AccountCaller,
    filter: NonNullable<z.output<typeof ReviewQueue>['filter']>,
  ): object[] {
    const now = new Date();
    const { category } = filter;
    return [
      ...(category ? [{ $or: [{ version: { category } }, { version: null, app: { category } }] }] : []),
      ...(filter.environment ? [{ app: { environment: filter.environment } }] : []),
      ...(filter.overdue ? [{ dueAt: { $lt: now } }] : []),
      ...(filter.mine ? [{ claimedBy: caller.accountUserId, claimedUntil: { $gt: now } }] : []),
      ...(filter.unclaimed ? [{ $or: [{ claimedUntil: null }, { claimedUntil: { $lte: now } }] }] : []),
      ...(typeof filter.versions === 'boolean' ? [{ version: filter.versions ? { $ne: null } : null }] : []),
    ];
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
      const { holder, claimedUntil, dueAt } = row;
      return {
        id: row.id,
        app,
        version,
        submittedAt: row.createdAt,
        dueAt,
        overdue: dueAt < new Date(),
        claim: holder && claimedUntil ? { by: holder, until: claimedUntil } : null,
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

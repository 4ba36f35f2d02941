import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { Connection } from '../../operations/connection.types.js';
import { inOrder, pageOfIds } from '../../operations/id-pages.js';
import { connection, defaultPageSize } from '../../operations/paging.js';
import type { QueueService } from './queue.service.js';
import type { ListDecisions } from './review.input.js';
import {
  decisionsByDay,
  decisionsByReviewer,
  decisionTotals,
  matchingDecisions,
} from './review-history.queries.js';
import type { ReviewStats } from './review-stats.types.js';
import { Submission } from './submission.entity.js';

/** Past decisions on submissions, for administrators. */
export class ReviewHistoryService {
  constructor(
    private readonly em: EntityManager,
    private readonly queue: QueueService,
  ) {}

  /** Lists decisions, latest first. */
  async decisions({
    first,
    after,
    ...filter
  }: z.output<typeof ListDecisions>): Promise<Connection<Submission>> {
    const { ids, totalCount } = await pageOfIds(this.em, matchingDecisions(filter), 'desc', { first, after });
    return connection(inOrder(ids, await this.em.find(Submission, { id: ids })), {
      first: first ?? defaultPageSize,
      after,
      totalCount,
      // Every decided submission has ended.
      position: ({ endedAt, id }) => ({ at: endedAt!, id }),
      node: (submission) => submission,
    });
  }

  /** Counts the queue, and the decisions of the last days, today included. */
  async stats(days: number): Promise<ReviewStats> {
    const db = this.em.getKysely();
    const { total: waiting, overdue } = await this.queue.counts();
    const [totals] = (await decisionTotals(days).execute(db)).rows;
    const { rows: byDay } = await decisionsByDay(days).execute(db);
    const { rows: reviewers } = await decisionsByReviewer(days).execute(db);
    return { waiting, overdue, ...totals!, days: byDay, reviewers };
  }
}

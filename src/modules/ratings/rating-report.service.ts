import { ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { AccountCaller } from '../../auth/caller.js';
import { DeveloperStatus } from '../../auth/developer-status.js';
import { now } from '../../db/clock.js';
import { notFound, ServiceError } from '../../errors.js';
import type { Connection } from '../../operations/connection.types.js';
import { latestFirst } from '../../operations/paging.js';
import { hasChangedSince } from '../events/audit-event.queries.js';
import { aboutApp, asAccount, asAdministrator, type EventService } from '../events/event.service.js';
import { type App, AppStatus } from '../listings/app.entity.js';
import type { QuotaService } from '../quotas/quota.service.js';
import { Rating } from './rating.entity.js';
import type { ListReportedRatings, ReportRating } from './rating.input.js';
import { lockRating } from './rating.rules.js';
import { RatingReport } from './rating-report.entity.js';

const authorsEvents = ['rating.created', 'rating.updated'] as const;

/** Reports of ratings by accounts, and what administrators do with them (D192). */
export class RatingReportService {
  constructor(
    private readonly em: EntityManager,
    private readonly events: EventService,
    private readonly quotas: QuotaService,
  ) {}

  /** Reports a rating, or changes the reason of the caller's report. The same report again changes nothing. */
  async report(caller: AccountCaller, { id, reason }: z.output<typeof ReportRating>): Promise<RatingReport> {
    const { accountUserId } = caller;
    const { rating, app } = await lockRating(this.em, id);
    if (rating.removedAt || !(await isPublic(app))) throw notFound('rating');
    // Checked before hidden ratings, because authors must not learn that theirs is hidden.
    if (rating.accountUserId === accountUserId) throw ownRating();
    if (rating.hiddenAt) throw notFound('rating');
    const known = await this.em.findOne(RatingReport, { rating: id, accountUserId });
    const isOpen = known !== null && known.closedAt === null;
    if (isOpen && known.reason === reason) return known;
    if (known?.closedAt) {
      // A reply also changes `updatedAt`, but not what the author wrote.
      const isNew = await hasChangedSince(this.em, known.closedAt, authorsEvents, {
        appId: app.id,
        ratingId: id,
      });
      if (!isNew) throw alreadyDecided();
    }
    await this.quotas.requireRoomForReport(accountUserId);
    const before = isOpen ? { before: { reason: known.reason } } : {};
    const report = isOpen ? changed(known, reason) : this.open(rating, accountUserId, reason, known);
    await this.events.record(
      asAccount(caller),
      { kind: 'rating.reported', ...aboutApp(app), ratingId: id },
      { ...before, after: { reason } },
    );
    return report;
  }

  /** Closes the open reports of a rating, which stays visible. */
  async dismiss(caller: AccountCaller, id: string): Promise<Rating> {
    const { rating, app } = await lockRating(this.em, id);
    const reports = await closeReports(this.em, rating);
    if (reports === 0) return rating;
    // Without reports nothing of a removed rating is needed.
    if (rating.removedAt) this.em.remove(rating);
    await this.events.record(
      asAdministrator(caller),
      { kind: 'rating.reports_dismissed', ...aboutApp(app), ratingId: id },
      { before: { reports }, after: { reports: 0 } },
    );
    return rating;
  }

  /** Lists the ratings with open reports, the most recently reported first. */
  async list(page: z.output<typeof ListReportedRatings>): Promise<Connection<Rating>> {
    return latestFirst(this.em, Rating, { reportedAt: { $ne: null }, removedAt: null }, 'reportedAt', page);
  }

  /** Opens a report: a new one, or again one that was closed before the rating changed. */
  private open(
    rating: Rating,
    accountUserId: string,
    reason: string,
    closed: RatingReport | null,
  ): RatingReport {
    const at = now();
    rating.reportedAt = at;
    const times = { createdAt: at, updatedAt: at };
    return closed
      ? Object.assign(closed, { reason, closedAt: null, ...times })
      : this.em.create(RatingReport, { rating: ref(rating), accountUserId, reason, ...times });
  }
}

/** Closes the open reports of a rating and returns their number. The caller must have locked the app's row. */
export async function closeReports(em: EntityManager, rating: Rating): Promise<number> {
  if (!rating.reportedAt) return 0;
  rating.reportedAt = null;
  const open = { rating: rating.id, closedAt: null };
  return em.nativeUpdate(RatingReport, open, { closedAt: now() });
}

/** Does not move the rating up in the list, so that an account cannot keep it there. */
const changed = (report: RatingReport, reason: string): RatingReport =>
  Object.assign(report, { reason, updatedAt: now() });

async function isPublic(app: App): Promise<boolean> {
  if (app.status !== AppStatus.APPROVED) return false;
  const developer = await app.developer.loadOrFail();
  return developer.status !== DeveloperStatus.SUSPENDED;
}

const ownRating = () =>
  new ServiceError('FORBIDDEN', 'You cannot report your own rating. You can change or remove it.');

const alreadyDecided = () =>
  new ServiceError(
    'INVALID_TRANSITION',
    'An administrator has looked into your report of this rating and left the rating as it is. You can report it again after it was changed.',
  );

import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { AccountCaller, DeveloperCaller } from '../../auth/caller.js';
import { now } from '../../db/clock.js';
import { notFound, ServiceError } from '../../errors.js';
import type { Connection } from '../../operations/connection.types.js';
import { latestFirst } from '../../operations/paging.js';
import { fileReport } from '../app-reports/report.service.js';
import {
  aboutApp,
  asAccount,
  asAdministrator,
  asDeveloper,
  type EventService,
} from '../events/event.service.js';
import type { App } from '../listings/app.entity.js';
import { isPublic, lockApp } from '../listings/app-lock.service.js';
import type { QuotaService } from '../quotas/quota.service.js';
import { Rating } from './rating.entity.js';
import type { ListHiddenRatings, ListReportedRatings, ReportRating } from './rating.input.js';
import { addToRatingTotals } from './rating.queries.js';
import { RatingReport } from './rating-report.entity.js';

/** Replies of developers, reports by accounts (D192), and moderation by administrators. Repeating an act changes nothing and returns the same rating. */
export class RatingModerationService {
  constructor(
    private readonly em: EntityManager,
    private readonly events: EventService,
    private readonly quotas: QuotaService,
  ) {}

  /** Sets the reply to a rating of one of the caller's apps. A hidden rating is NOT_FOUND for its developer too. */
  async reply(caller: DeveloperCaller, id: string, text: string | null): Promise<Rating> {
    const { rating, app } = await this.lock(id);
    if (app.developer.id !== caller.developer.id || rating.hiddenAt) throw notFound('rating');
    const before = { reply: rating.reply };
    if (text === rating.reply) return rating;
    Object.assign(rating, { reply: text, updatedAt: now() });
    await this.events.record(
      asDeveloper(caller),
      { kind: 'rating.replied', ...aboutApp(app), ratingId: id },
      { before, after: { reply: text } },
    );
    return rating;
  }

  /** Reports a rating, or changes the reason of the caller's report. The same report again changes nothing. */
  async report(caller: AccountCaller, { id, reason }: z.output<typeof ReportRating>): Promise<RatingReport> {
    const { accountUserId } = caller;
    const { rating, app } = await this.lock(id);
    if (rating.removedAt || !(await isPublic(app))) throw notFound('rating');
    // Checked before hidden ratings, because authors must not learn that theirs is hidden.
    if (rating.accountUserId === accountUserId) throw ownRating();
    if (rating.hiddenAt) throw notFound('rating');
    const { report, isNew, change } = await fileReport(this.em, this.quotas, {
      entity: RatingReport,
      key: { rating: id, accountUserId },
      content: { reason },
      subject: { what: 'rating', appId: app.id, ratingId: id },
      // A reply also changes `updatedAt`, but not what the author wrote.
      changes: ['rating.created', 'rating.updated'],
    });
    // Another reason does not move the rating up in the list, so that an account cannot keep it there.
    if (isNew) rating.reportedAt = report.createdAt;
    if (change)
      await this.events.record(
        asAccount(caller),
        { kind: 'rating.reported', ...aboutApp(app), ratingId: id },
        change,
      );
    return report;
  }

  /** Closes the open reports of a rating, which stays visible. */
  async dismiss(caller: AccountCaller, id: string): Promise<Rating> {
    const { rating, app } = await this.lock(id);
    const reports = await this.closeReports(rating);
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
  async listReported(page: z.output<typeof ListReportedRatings>): Promise<Connection<Rating>> {
    return latestFirst(this.em, Rating, { reportedAt: { $ne: null }, removedAt: null }, 'reportedAt', page);
  }

  /** Hides a rating, which also closes its reports. */
  async hide(caller: AccountCaller, id: string, reason: string): Promise<Rating> {
    const { rating, app } = await this.lock(id);
    if (isHidden(rating)) return rating;
    const wasShown = rating.hiddenAt === null;
    Object.assign(rating, {
      hiddenAt: now(),
      hiddenReason: reason,
      hiddenBy: caller.accountUserId,
    });
    await this.closeReports(rating);
    if (wasShown)
      await addToRatingTotals(app.id, { count: -1, sum: -rating.rating }).execute(this.em.getKysely());
    await this.events.record(
      asAdministrator(caller),
      { kind: 'rating.hidden', ...aboutApp(app), ratingId: id, reason },
      { before: { hidden: false }, after: { hidden: true } },
    );
    return rating;
  }

  /** Shows a rating again. One that its author removed is deleted, so that the account's next rating is not hidden. */
  async unhide(caller: AccountCaller, id: string): Promise<Rating> {
    const { rating, app } = await this.lock(id);
    if (!isHidden(rating)) return rating;
    Object.assign(rating, { hiddenAt: null, hiddenReason: null, hiddenBy: null });
    if (rating.removedAt) this.em.remove(rating);
    else await addToRatingTotals(app.id, { count: 1, sum: rating.rating }).execute(this.em.getKysely());
    await this.events.record(
      asAdministrator(caller),
      { kind: 'rating.unhidden', ...aboutApp(app), ratingId: id },
      { before: { hidden: true }, after: { hidden: false } },
    );
    return rating;
  }

  /** Lists the most recently hidden first (see `isHidden`), including those that their authors have removed since. */
  async listHidden(page: z.output<typeof ListHiddenRatings>): Promise<Connection<Rating>> {
    return latestFirst(this.em, Rating, { hiddenAt: { $ne: null }, reportedAt: null }, 'hiddenAt', page);
  }

  /** Closes the open reports of a rating and returns their number. */
  private async closeReports(rating: Rating): Promise<number> {
    if (!rating.reportedAt) return 0;
    rating.reportedAt = null;
    const open = { rating: rating.id, closedAt: null };
    return this.em.nativeUpdate(RatingReport, open, { closedAt: now() });
  }

  /** Locks the app's row before it reads the rating, because every change of a rating holds that lock. */
  private async lock(id: string): Promise<{ rating: Rating; app: App }> {
    const seen = await this.em.fork({ keepTransactionContext: true }).findOne(Rating, { id });
    if (!seen) throw notFound('rating');
    const app = await lockApp(this.em, { id: seen.app.id });
    const rating = await this.em.findOne(Rating, { id });
    if (!rating) throw notFound('rating');
    return { rating, app };
  }
}

/** True if an administrator hid the rating. One with open reports that is not shown was removed by its author. */
const isHidden = ({ hiddenAt, reportedAt }: Rating): boolean => hiddenAt !== null && reportedAt === null;

const ownRating = () =>
  new ServiceError('FORBIDDEN', 'You cannot report your own rating. You can change or remove it.');

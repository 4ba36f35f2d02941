import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { AccountCaller, DeveloperCaller } from '../../auth/caller.js';
import { now } from '../../db/clock.js';
import { notFound } from '../../errors.js';
import type { Connection } from '../../operations/connection.types.js';
import { latestFirst } from '../../operations/paging.js';
import { aboutApp, asAdministrator, asDeveloper, type EventService } from '../events/event.service.js';
import { Rating } from './rating.entity.js';
import type { ListHiddenRatings } from './rating.input.js';
import { addToRatingTotals } from './rating.queries.js';
import { isHidden, lockRating } from './rating.rules.js';
import { closeReports } from './rating-report.service.js';

/** Replies of developers and moderation by administrators. Repeating an act changes nothing and returns the same rating. */
export class RatingModerationService {
  constructor(
    private readonly em: EntityManager,
    private readonly events: EventService,
  ) {}

  /** Sets the reply to a rating of one of the caller's apps. A hidden rating is NOT_FOUND for its developer too. */
  async reply(caller: DeveloperCaller, id: string, text: string | null): Promise<Rating> {
    const { rating, app } = await lockRating(this.em, id);
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

  /** Hides a rating, which also closes its reports. */
  async hide(caller: AccountCaller, id: string, reason: string): Promise<Rating> {
    const { rating, app } = await lockRating(this.em, id);
    if (isHidden(rating)) return rating;
    const wasShown = rating.hiddenAt === null;
    Object.assign(rating, {
      hiddenAt: now(),
      hiddenReason: reason,
      hiddenBy: caller.accountUserId,
    });
    await closeReports(this.em, rating);
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
    const { rating, app } = await lockRating(this.em, id);
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
}

import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { AccountCaller, DeveloperCaller } from '../../auth/caller.js';
import { notFound } from '../../errors.js';
import type { Connection } from '../../operations/connection.types.js';
import { latestFirst } from '../../operations/paging.js';
import { App } from '../apps/app.entity.js';
import { aboutApp, asAdministrator, asDeveloper, type EventService } from '../audit/event.service.js';
import { Rating } from './rating.entity.js';
import type { ListHiddenRatings } from './rating.input.js';
import { changeFigures } from './rating.queries.js';

/** What developers and administrators do about the ratings of others. An act that is already so answers the same record. */
export class RatingModerationService {
  constructor(
    private readonly em: EntityManager,
    private readonly events: EventService,
  ) {}

  /** Of a rating of one of the caller's apps; what is hidden from everybody is hidden from them, too. */
  async reply(caller: DeveloperCaller, id: string, text: string | null): Promise<Rating> {
    const { rating, app } = await this.lock(id);
    if (app.developer.id !== caller.developer.id || rating.hiddenAt) throw notFound('rating');
    const before = { reply: rating.reply };
    if (text === rating.reply) return rating;
    Object.assign(rating, { reply: text, updatedAt: new Date() });
    await this.events.record(
      asDeveloper(caller),
      { kind: 'rating.replied', ...aboutApp(app), ratingId: id },
      { before, after: { reply: text } },
    );
    return rating;
  }

  async hide(caller: AccountCaller, id: string, reason: string): Promise<Rating> {
    const { rating, app } = await this.lock(id);
    if (rating.hiddenAt) return rating;
    Object.assign(rating, { hiddenAt: new Date(), hiddenReason: reason });
    await changeFigures(app.id, { count: -1, sum: -rating.rating }).execute(this.em.getKysely());
    await this.events.record(
      asAdministrator(caller),
      { kind: 'rating.hidden', ...aboutApp(app), ratingId: id, reason },
      { before: { hidden: false }, after: { hidden: true } },
    );
    return rating;
  }

  /** Of a rating that its author removed, nothing is left to show: the account's next one is not hidden any more. */
  async unhide(caller: AccountCaller, id: string): Promise<Rating> {
    const { rating, app } = await this.lock(id);
    if (!rating.hiddenAt) return rating;
    Object.assign(rating, { hiddenAt: null, hiddenReason: null });
    if (rating.removedAt) this.em.remove(rating);
    else await changeFigures(app.id, { count: 1, sum: rating.rating }).execute(this.em.getKysely());
    await this.events.record(
      asAdministrator(caller),
      { kind: 'rating.unhidden', ...aboutApp(app), ratingId: id },
      { before: { hidden: true }, after: { hidden: false } },
    );
    return rating;
  }

  /** The latest hidden first, those included that their authors have removed. */
  async listHidden(page: z.output<typeof ListHiddenRatings>): Promise<Connection<Rating>> {
    return latestFirst(this.em, Rating, { hiddenAt: { $ne: null } }, 'hiddenAt', page);
  }

  /** The app's row first, as everywhere; only under its lock is the rating what it is. */
  private async lock(id: string): Promise<{ rating: Rating; app: App }> {
    const seen = await this.em.fork({ keepTransactionContext: true }).findOne(Rating, { id });
    if (!seen) throw notFound('rating');
    const app = await this.em.findOneOrFail(
      App,
      { id: seen.app.id },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    const rating = await this.em.findOne(Rating, { id });
    if (!rating) throw notFound('rating');
    return { rating, app };
  }
}

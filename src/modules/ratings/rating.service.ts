import { LockMode, ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { AccountCaller } from '../../auth/caller.js';
import type { Connection } from '../../db/connection.types.js';
import { latestFirst } from '../../db/keyset.js';
import { notFound, ServiceError } from '../../errors.js';
import { App, AppStatus } from '../apps/app.entity.js';
import { about } from '../apps/app.service.js';
import { asAccount, type EventService } from '../audit/event.service.js';
import { DeveloperStatus } from '../developers/developer.entity.js';
import { Rating } from './rating.entity.js';
import type { ListRatings, RateApp } from './rating.input.js';
import { changeFigures } from './rating.queries.js';

/**
 * What accounts think of apps. Whoever changes a rating holds its app's row,
 * so the figures on that row are exact, however many rate at once.
 */
export class RatingService {
  constructor(
    private readonly em: EntityManager,
    private readonly events: EventService,
  ) {}

  /** Newest first, without those that are hidden. */
  async list({ slug, ...page }: z.output<typeof ListRatings>): Promise<Connection<Rating>> {
    const { id, reviewCount: totalCount } = await this.publicApp(slug);
    return latestFirst(this.em, Rating, { app: id, hiddenAt: null }, 'createdAt', page, { totalCount });
  }

  /** The caller's own, hidden or not. */
  async mine(caller: AccountCaller, slug: string): Promise<Rating> {
    return this.ownOf(await this.publicApp(slug), caller);
  }

  async rate(caller: AccountCaller, { slug, ...input }: z.output<typeof RateApp>): Promise<Rating> {
    const app = await this.publicApp(slug, LockMode.PESSIMISTIC_WRITE);
    if (app.developer.getEntity().accountUserId === caller.accountUserId) throw ownApp();
    const opinion = { rating: input.rating, title: input.title || null, text: input.text || null };
    const known = await this.em.findOne(Rating, { app: app.id, accountUserId: caller.accountUserId });
    return known ? this.change(caller, app, known, opinion) : this.create(caller, app, opinion);
  }

  async remove(caller: AccountCaller, slug: string): Promise<Rating> {
    const app = await this.publicApp(slug, LockMode.PESSIMISTIC_WRITE);
    const rating = await this.ownOf(app, caller);
    this.em.remove(rating);
    if (!rating.hiddenAt) await this.count(app, { count: -1, sum: -rating.rating });
    await this.events.record(
      asAccount(caller),
      { kind: 'rating.removed', ...about(app), ratingId: rating.id },
      { before: opinionOf(rating) },
    );
    return rating;
  }

  private async create(caller: AccountCaller, app: App, opinion: Opinion): Promise<Rating> {
    const { accountUserId } = caller;
    const rating = this.em.create(Rating, { app: ref(app), accountUserId, ...opinion });
    await this.count(app, { count: 1, sum: rating.rating });
    await this.events.record(
      asAccount(caller),
      { kind: 'rating.created', ...about(app), ratingId: rating.id, ...opinion },
      { after: opinion },
    );
    return rating;
  }

  /** The developer's reply stays, and so does it stay hidden. */
  private async change(caller: AccountCaller, app: App, rating: Rating, opinion: Opinion): Promise<Rating> {
    const before = opinionOf(rating);
    const changed = fields.filter((field) => before[field] !== opinion[field]);
    if (changed.length === 0) return rating;
    Object.assign(rating, opinion);
    if (!rating.hiddenAt) await this.count(app, { count: 0, sum: opinion.rating - before.rating });
    const only = (of: Opinion) => Object.fromEntries(changed.map((field) => [field, of[field]]));
    await this.events.record(
      asAccount(caller),
      { kind: 'rating.updated', ...about(app), ratingId: rating.id },
      { before: only(before), after: only(opinion) },
    );
    return rating;
  }

  private async ownOf(app: App, { accountUserId }: AccountCaller): Promise<Rating> {
    const rating = await this.em.findOne(Rating, { app: app.id, accountUserId });
    if (!rating) throw notFound('rating');
    return rating;
  }

  /** The app as the public finds it, with its developer. */
  private async publicApp(slug: string, lockMode = LockMode.NONE): Promise<App> {
    const app = await this.em.findOne(App, { slug, status: AppStatus.APPROVED }, { lockMode });
    const developer = await app?.developer.load();
    if (!app || !developer || developer.status === DeveloperStatus.SUSPENDED) throw notFound('app');
    return app;
  }

  private async count(app: App, difference: { count: number; sum: number }): Promise<void> {
    await changeFigures(app.id, difference).execute(this.em.getKysely());
  }
}

const fields = ['rating', 'title', 'text'] as const;
type Opinion = Pick<Rating, (typeof fields)[number]>;
const opinionOf = ({ rating, title, text }: Rating): Opinion => ({ rating, title, text });

const ownApp = () =>
  new ServiceError('FORBIDDEN', 'Nobody rates their own app. Reply to the ratings of others instead.');

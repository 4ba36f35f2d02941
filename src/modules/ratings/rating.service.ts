import { LockMode, ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { AccountCaller } from '../../auth/caller.js';
import { DeveloperStatus } from '../../auth/developer-status.js';
import { notFound, ServiceError } from '../../errors.js';
import type { Connection } from '../../operations/connection.types.js';
import { latestFirst } from '../../operations/paging.js';
import { App, AppStatus } from '../apps/app.entity.js';
import { aboutApp, asAccount, type EventService } from '../audit/event.service.js';
import { Rating } from './rating.entity.js';
import type { ListRatings, RateApp } from './rating.input.js';
import { changeFigures, recentChanges } from './rating.queries.js';

/** How often an account may give or change its rating of one app within 24 hours. */
const changesPerDay = 20;

/**
 * What accounts think of apps. Whoever changes a rating holds its app's row,
 * so the figures on that row are exact, however many rate at once.
 */
export class RatingService {
  constructor(
    private readonly em: EntityManager,
    private readonly events: EventService,
    private readonly isLimited: boolean,
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
    return known && !known.removedAt
      ? this.change(caller, app, known, opinion)
      : this.create(caller, app, opinion, known);
  }

  async remove(caller: AccountCaller, slug: string): Promise<Rating> {
    const app = await this.publicApp(slug, LockMode.PESSIMISTIC_WRITE);
    const rating = await this.ownOf(app, caller);
    if (rating.hiddenAt) rating.removedAt = new Date();
    else {
      this.em.remove(rating);
      await this.count(app, { count: -1, sum: -rating.rating });
    }
    await this.events.record(
      asAccount(caller),
      { kind: 'rating.removed', ...aboutApp(app), ratingId: rating.id },
      { before: opinionOf(rating) },
    );
    return rating;
  }

  /** What takes the place of a hidden rating that was removed is hidden too, and looks like any other to its author. */
  private async create(
    caller: AccountCaller,
    app: App,
    opinion: Opinion,
    hidden: Rating | null,
  ): Promise<Rating> {
    const { accountUserId } = caller;
    const { wasTold } = await this.chargeChange(caller, app);
    if (hidden) await this.em.nativeDelete(Rating, { id: hidden.id });
    const { hiddenAt = null, hiddenReason = null } = hidden ?? {};
    const rating = this.em.create(Rating, {
      app: ref(app),
      accountUserId,
      ...opinion,
      hiddenAt,
      hiddenReason,
    });
    if (!hiddenAt) await this.count(app, { count: 1, sum: rating.rating });
    const subject = { ...aboutApp(app), ratingId: rating.id };
    await this.events.record(
      asAccount(caller),
      // Removing a rating and giving it again is no news to the developer.
      hiddenAt || wasTold
        ? { kind: 'rating.updated', ...subject }
        : { kind: 'rating.created', ...subject, ...opinion },
      { after: { ...opinion, ...(hiddenAt && { hidden: true }) } },
    );
    return rating;
  }

  /** The developer's reply stays, and so does it stay hidden. */
  private async change(caller: AccountCaller, app: App, rating: Rating, opinion: Opinion): Promise<Rating> {
    const before = opinionOf(rating);
    const changed = fields.filter((field) => before[field] !== opinion[field]);
    if (changed.length === 0) return rating;
    await this.chargeChange(caller, app);
    Object.assign(rating, opinion, { updatedAt: new Date() });
    if (!rating.hiddenAt) await this.count(app, { count: 0, sum: opinion.rating - before.rating });
    const only = (of: Opinion) => Object.fromEntries(changed.map((field) => [field, of[field]]));
    await this.events.record(
      asAccount(caller),
      { kind: 'rating.updated', ...aboutApp(app), ratingId: rating.id },
      { before: only(before), after: only(opinion) },
    );
    return rating;
  }

  /** Removing needs no limit of its own: only what was given can be removed. */
  private async chargeChange({ accountUserId }: AccountCaller, app: App): Promise<{ wasTold: boolean }> {
    const { rows } = await recentChanges(app.id, accountUserId).execute(this.em.getKysely());
    const { changes, wasTold, secondsLeft } = rows[0]!;
    if (this.isLimited && changes >= changesPerDay) throw tooManyChanges(secondsLeft);
    return { wasTold };
  }

  private async ownOf(app: App, { accountUserId }: AccountCaller): Promise<Rating> {
    const rating = await this.em.findOne(Rating, { app: app.id, accountUserId, removedAt: null });
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

const tooManyChanges = (secondsLeft: number) =>
  new ServiceError(
    'RATE_LIMITED',
    `A rating can be given and changed ${changesPerDay} times within 24 hours. Try again in ${Math.ceil(secondsLeft / 60)} minutes.`,
    [],
    { retryAfterSeconds: secondsLeft },
  );

const ownApp = () =>
  new ServiceError('FORBIDDEN', 'Nobody rates their own app. Reply to the ratings of others instead.');

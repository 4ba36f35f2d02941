import { LockMode, ref } from '@mikro-orm/core';
import type { EntityData, EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import type { AccountCaller } from '../../auth/caller.js';
import { now } from '../../db/clock.js';
import type { StatementReader } from '../../db/reader.js';
import { notFound, ServiceError } from '../../errors.js';
import type { Connection } from '../../operations/connection.types.js';
import { connection, defaultPageSize, positionOf } from '../../operations/paging.js';
import { aboutApp, asAccount, type EventService } from '../events/event.service.js';
import type { App } from '../listings/app.entity.js';
import { findPublicApp } from '../listings/app-lock.service.js';
import type { ReservedNames } from '../names/reserved-name.rules.js';
import { Rating } from './rating.entity.js';
import type { ListRatings, RateApp } from './rating.input.js';
import {
  addToRatingTotals,
  changeId,
  changesOfAnHour,
  lockChangesOf,
  type RatingTotalsChange,
  ratedApp,
  ratingCounts,
  recentChanges,
  visibleRatings,
} from './rating.queries.js';

/** Limit for one account and one app within 24 hours. */
const changesPerDay = 20;
/** Limit for one account and all apps within an hour (D351). A first rating of an app does not count. */
const changesPerHour = 60;

/**
 * Ratings of apps by accounts. Every change of a rating locks the app's row, so the totals on that row are exact with
 * any number of parallel requests.
 */
export class RatingService {
  constructor(
    private readonly em: EntityManager,
    private readonly reader: StatementReader,
    private readonly events: EventService,
    private readonly isLimited: boolean,
    private readonly reserved: ReservedNames,
  ) {}

  /** Lists the newest ratings first, without the hidden ones. */
  async list({ slug, first, after }: z.output<typeof ListRatings>): Promise<RatingsOfApp> {
    const [app] = await this.reader.rows<{ id: string; reviewCount: number }>(ratedApp(slug));
    if (!app) throw notFound('app');
    const size = first ?? defaultPageSize;
    const rows = await this.reader.rows<EntityData<Rating>>(
      visibleRatings(app.id, size + 1, positionOf(after)),
    );
    const ratings = rows.map((row) => this.em.map(Rating, row));
    const page = connection<Rating, Rating>(ratings, {
      first: size,
      after,
      totalCount: app.reviewCount,
      position: ({ createdAt, id }) => ({ at: createdAt, id }),
      node: (rating) => rating,
    });
    return { ...page, owner: app.id };
  }

  /** Returns the number of visible ratings of each app, by the number of stars. */
  async distributions(appIds: readonly string[]): Promise<{ id: string; counts: number[] }[]> {
    return this.reader.rows<{ id: string; counts: number[] }>(ratingCounts(appIds));
  }

  /** Returns the caller's own rating, even if it is hidden. */
  async mine(caller: AccountCaller, slug: string): Promise<Rating> {
    return this.ownOf(await findPublicApp(this.em, slug), caller);
  }

  async rate(caller: AccountCaller, { slug, ...input }: z.output<typeof RateApp>): Promise<Rating> {
    const app = await findPublicApp(this.em, slug, LockMode.PESSIMISTIC_WRITE);
    if (app.developer.getEntity().accountUserId === caller.accountUserId) throw ownApp();
    const opinion = {
      rating: input.rating,
      authorName: input.authorName || null,
      title: input.title || null,
      text: input.text || null,
    };
    const existing = await this.em.findOne(Rating, { app: app.id, accountUserId: caller.accountUserId });
    const current = existing?.removedAt ? null : existing;
    if (opinion.authorName !== (current?.authorName ?? null)) this.requireUnreserved(opinion);
    return current ? this.change(caller, app, current, opinion) : this.create(caller, app, opinion, existing);
  }

  async remove(caller: AccountCaller, slug: string): Promise<Rating> {
    const app = await findPublicApp(this.em, slug, LockMode.PESSIMISTIC_WRITE);
    const rating = await this.ownOf(app, caller);
    await this.chargeHour(caller);
    if (!rating.hiddenAt) await this.addToTotals(app, { count: -1, sum: -rating.rating });
    if (rating.hiddenAt) rating.removedAt = now();
    // Its open reports wait for the account's next rating of the app.
    else if (rating.reportedAt) Object.assign(rating, { hiddenAt: now(), removedAt: now() });
    else this.em.remove(rating);
    await this.events.record(
      asAccount(caller),
      { kind: 'rating.removed', ...aboutApp(app), ratingId: rating.id },
      { before: opinionOf(rating) },
    );
    return rating;
  }

  /**
   * Creates a rating. If it replaces one that its author removed, it is hidden as that one was, or keeps its open reports;
   * its author does not see the difference.
   */
  private async create(
    caller: AccountCaller,
    app: App,
    opinion: Opinion,
    removed: Rating | null,
  ): Promise<Rating> {
    const { wasNotified } = await this.chargeChange(caller, app);
    if (removed || wasNotified) await this.chargeHour(caller);
    const rating = await this.insert(caller, app, opinion, removed);
    const { hiddenAt } = rating;
    if (!hiddenAt) await this.addToTotals(app, { count: 1, sum: rating.rating });
    const subject = { ...aboutApp(app), ratingId: rating.id };
    await this.events.record(
      asAccount(caller),
      // The developer is not notified again when a rating is removed and created again.
      hiddenAt || wasNotified
        ? { kind: 'rating.updated', ...subject }
        : { kind: 'rating.created', ...subject, ...opinion },
      { after: { ...opinion, ...(hiddenAt && { hidden: true }) } },
    );
    return rating;
  }

  private async insert(
    { accountUserId }: AccountCaller,
    app: App,
    opinion: Opinion,
    removed: Rating | null,
  ): Promise<Rating> {
    if (removed?.reportedAt) {
      const shown = { reply: null, hiddenAt: null, removedAt: null, createdAt: now(), updatedAt: now() };
      return Object.assign(await this.withNewId(removed), opinion, shown);
    }
    if (removed) await this.em.nativeDelete(Rating, { id: removed.id });
    const { hiddenAt = null, hiddenReason = null, hiddenBy = null } = removed ?? {};
    return this.em.create(Rating, {
      app: ref(app),
      accountUserId,
      ...opinion,
      hiddenAt,
      hiddenReason,
      hiddenBy,
    });
  }

  /** Rows of new ratings have new ids. The same id would tell the author that the rating was reported. */
  private async withNewId({ id }: Rating): Promise<Rating> {
    const next = uuidv7();
    await changeId(id, next).execute(this.em.getKysely());
    return this.em.findOneOrFail(Rating, { id: next });
  }

  /** Changes a rating. The developer's reply stays, and a hidden rating stays hidden. */
  private async change(caller: AccountCaller, app: App, rating: Rating, opinion: Opinion): Promise<Rating> {
    const before = opinionOf(rating);
    const changed = fields.filter((field) => before[field] !== opinion[field]);
    if (changed.length === 0) return rating;
    await this.chargeChange(caller, app);
    await this.chargeHour(caller);
    Object.assign(rating, opinion, { updatedAt: now() });
    if (!rating.hiddenAt) await this.addToTotals(app, { count: 0, sum: opinion.rating - before.rating });
    const pickChanged = (from: Opinion) => Object.fromEntries(changed.map((field) => [field, from[field]]));
    await this.events.record(
      asAccount(caller),
      { kind: 'rating.updated', ...aboutApp(app), ratingId: rating.id },
      { before: pickChanged(before), after: pickChanged(opinion) },
    );
    return rating;
  }

  /** Rejects an author who calls themselves as the marketplace would (D325). */
  private requireUnreserved({ authorName }: Opinion): void {
    const problems = this.reserved.problemsOf({ authorName });
    if (problems.length > 0)
      throw new ServiceError('VALIDATION_FAILED', 'The input is not valid: see details.', problems);
  }

  /** Enforces the limit on changes of one app's rating. */
  private async chargeChange({ accountUserId }: AccountCaller, app: App): Promise<{ wasNotified: boolean }> {
    const { rows } = await recentChanges(app.id, accountUserId).execute(this.em.getKysely());
    const { changes, wasNotified, secondsLeft } = rows[0]!;
    if (this.isLimited && changes >= changesPerDay)
      throw tooMany(
        `You can create or change your rating of an app ${changesPerDay} times within 24 hours.`,
        secondsLeft,
      );
    return { wasNotified };
  }

  /** Enforces the limit over all apps. The lock makes parallel requests of the account take turns. */
  private async chargeHour({ accountUserId }: AccountCaller): Promise<void> {
    if (!this.isLimited) return;
    await lockChangesOf(accountUserId).execute(this.em.getKysely());
    const { rows } = await changesOfAnHour(accountUserId).execute(this.em.getKysely());
    const { changes, secondsLeft } = rows[0]!;
    if (changes >= changesPerHour)
      throw tooMany(`You can change or remove ${changesPerHour} ratings within an hour.`, secondsLeft);
  }

  private async ownOf(app: App, { accountUserId }: AccountCaller): Promise<Rating> {
    const rating = await this.em.findOne(Rating, { app: app.id, accountUserId, removedAt: null });
    if (!rating) throw notFound('rating');
    return rating;
  }

  private async addToTotals(app: App, change: RatingTotalsChange): Promise<void> {
    await addToRatingTotals(app.id, change).execute(this.em.getKysely());
  }
}

/** A page of the ratings of one app. */
export type RatingsOfApp = Connection<Rating> & { owner: string };

const fields = ['rating', 'authorName', 'title', 'text'] as const;
type Opinion = Pick<Rating, (typeof fields)[number]>;
const opinionOf = ({ rating, authorName, title, text }: Rating): Opinion => ({
  rating,
  authorName,
  title,
  text,
});

const tooMany = (rule: string, secondsLeft: number) =>
  new ServiceError('RATE_LIMITED', `${rule} Try again in ${Math.ceil(secondsLeft / 60)} minutes.`, [], {
    retryAfterSeconds: secondsLeft,
  });

const ownApp = () =>
  new ServiceError('FORBIDDEN', 'You cannot rate your own app. You can reply to the ratings of others.');

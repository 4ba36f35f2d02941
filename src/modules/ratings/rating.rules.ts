import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../errors.js';
import { App } from '../listings/app.entity.js';
import { Rating } from './rating.entity.js';

/** Locks the app's row before it reads the rating, because every change of a rating holds that lock. */
export async function lockRating(em: EntityManager, id: string): Promise<{ rating: Rating; app: App }> {
  const seen = await em.fork({ keepTransactionContext: true }).findOne(Rating, { id });
  if (!seen) throw notFound('rating');
  const app = await em.findOneOrFail(App, { id: seen.app.id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const rating = await em.findOne(Rating, { id });
  if (!rating) throw notFound('rating');
  return { rating, app };
}

/** True if an administrator hid the rating. One with open reports that is not shown was removed by its author. */
export const isHidden = ({ hiddenAt, reportedAt }: Rating): boolean =>
  hiddenAt !== null && reportedAt === null;

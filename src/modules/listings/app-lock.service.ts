import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { DeveloperCaller } from '../../auth/caller.js';
import { notFound } from '../../errors.js';
import { App } from './app.entity.js';

/** Locks one of the caller's apps until the transaction ends. */
export async function lockOwnApp(
  em: EntityManager,
  { developer }: DeveloperCaller,
  id: string,
): Promise<App> {
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const app = await em.findOne(App, { id, developer: developer.id }, { lockMode });
  if (!app) throw notFound('app');
  return app;
}

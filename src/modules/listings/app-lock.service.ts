import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { DeveloperCaller } from '../../auth/caller.js';
import { DeveloperStatus } from '../../auth/developer-status.js';
import { notFound } from '../../errors.js';
import { App, AppStatus } from './app.entity.js';

/** Locks an app until the transaction ends. */
export async function lockApp(em: EntityManager, where: { id: string; developer?: string }): Promise<App> {
  const app = await em.findOne(App, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!app) throw notFound('app');
  return app;
}

/** Locks one of the caller's apps until the transaction ends. */
export const lockOwnApp = (em: EntityManager, { developer }: DeveloperCaller, id: string): Promise<App> =>
  lockApp(em, { id, developer: developer.id });

/** Finds an app that everybody sees, with its developer loaded. */
export async function findPublicApp(em: EntityManager, slug: string, lockMode = LockMode.NONE): Promise<App> {
  const app = await em.findOne(App, { slug }, { lockMode });
  if (!app || !(await isPublic(app))) throw notFound('app');
  return app;
}

/** Returns whether everybody sees an app. Loads its developer. */
export async function isPublic(app: App): Promise<boolean> {
  const { status } = await app.developer.loadOrFail();
  return app.status === AppStatus.APPROVED && status !== DeveloperStatus.SUSPENDED;
}

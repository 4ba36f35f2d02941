import { isDeepStrictEqual } from 'node:util';
import { LockMode, ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { DeveloperCaller } from '../../auth/caller.js';
import { notFound } from '../../errors.js';
import { asDeveloper, type Change, type EventService } from '../audit/event.service.js';
import { Developer } from '../developers/developer.entity.js';
import type { DeveloperService } from '../developers/developer.service.js';
import { App, AppStatus } from './app.entity.js';
import type { AppChanges, CreateApp, ScreenshotInput } from './app.input.js';
import { move, requireEditableByDeveloper, requireRevision } from './app.lifecycle.js';
import { takeSlug } from './app.slug.js';
import { requireReadyForReview } from './app.submission.js';
import type { DeletedApp, Screenshot } from './app.types.js';

/** What developers do with their own apps. */
export class AppService {
  constructor(
    private readonly em: EntityManager,
    private readonly developers: DeveloperService,
    private readonly events: EventService,
  ) {}

  async create(caller: DeveloperCaller, input: z.output<typeof CreateApp>): Promise<App> {
    const { name, description, category, environment } = input;
    const developer = ref(this.em.getReference(Developer, caller.developer.id));
    const slug = await takeSlug(this.em, name);
    const app = this.em.create(App, { developer, slug, name, description, category, environment });
    Object.assign(app, normalized(input));
    await this.events.record(
      asDeveloper(caller),
      { kind: 'app.created', ...about(app) },
      { after: { name, slug, status: app.status } },
    );
    return app;
  }

  async list(caller: DeveloperCaller): Promise<App[]> {
    return this.em.find(
      App,
      { developer: caller.developer.id },
      { orderBy: { createdAt: 'desc', id: 'desc' } },
    );
  }

  async get(caller: DeveloperCaller, id: string): Promise<App> {
    const app = await this.em.findOne(App, { id, developer: caller.developer.id });
    if (!app) throw notFound('app');
    return app;
  }

  async update(
    caller: DeveloperCaller,
    id: string,
    changes: z.output<typeof AppChanges>,
    expected?: ReadonlySet<number>,
  ): Promise<App> {
    const app = await this.lock(caller, id);
    requireEditableByDeveloper(app);
    requireRevision(app, expected);
    const change = applyChanges(app, changes);
    if (app.status === AppStatus.PENDING) requireReadyForReview(app);
    if (change) await this.events.record(asDeveloper(caller), { kind: 'app.updated', ...about(app) }, change);
    return app;
  }

  async delete(caller: DeveloperCaller, id: string, expected?: ReadonlySet<number>): Promise<DeletedApp> {
    const app = await this.lock(caller, id);
    requireEditableByDeveloper(app);
    requireRevision(app, expected);
    this.em.remove(app);
    const { name, slug, status } = app;
    await this.events.record(
      asDeveloper(caller),
      { kind: 'app.deleted', ...about(app) },
      { before: { name, slug, status } },
    );
    return { id, deleted: true };
  }

  async submit(caller: DeveloperCaller, id: string): Promise<App> {
    await this.developers.requireVerified(caller);
    const app = await this.lock(caller, id);
    const change = move(app, 'submit');
    requireReadyForReview(app);
    app.submittedAt = new Date();
    await this.events.record(asDeveloper(caller), { kind: 'app.submitted', ...about(app) }, change);
    return app;
  }

  async withdraw(caller: DeveloperCaller, id: string): Promise<App> {
    const app = await this.lock(caller, id);
    const change = move(app, 'withdraw');
    app.submittedAt = null;
    await this.events.record(asDeveloper(caller), { kind: 'app.withdrawn', ...about(app) }, change);
    return app;
  }

  private async lock(caller: DeveloperCaller, id: string): Promise<App> {
    const app = await this.em.findOne(
      App,
      { id, developer: caller.developer.id },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    if (!app) throw notFound('app');
    return app;
  }
}

/** What an event about an app names. */
export const about = (app: App) => ({ developerId: app.developer.id, appId: app.id });

/** Changes what differs, and raises the revision if anything does; answers what changed. */
export function applyChanges(app: App, changes: z.output<typeof AppChanges>): Required<Change> | null {
  const differing = Object.entries(normalized(changes)).filter(
    ([field, value]) => !isDeepStrictEqual(app[field as keyof App], value),
  );
  if (differing.length === 0) return null;
  const before = Object.fromEntries(differing.map(([field]) => [field, app[field as keyof App]]));
  const after = { ...Object.fromEntries(differing), revision: app.revision + 1 };
  Object.assign(app, after);
  return { before, after };
}

/** The fields that were sent, in the form in which they are stored. */
function normalized({ screenshots, ...fields }: z.output<typeof AppChanges>): Partial<App> {
  const sent = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return screenshots === undefined ? sent : { ...sent, screenshots: inOrder(screenshots ?? []) };
}

/** Sorted by `order`, which defaults to the position; ties stay as they were sent. */
const inOrder = (screenshots: readonly ScreenshotInput[]): Screenshot[] =>
  screenshots
    .map(({ url, caption, order }, position) => ({ url, caption: caption ?? null, order: order ?? position }))
    .sort((a, b) => a.order - b.order);

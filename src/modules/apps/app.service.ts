import { ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import { type Caller, type DeveloperCaller, isActingAsAdmin } from '../../auth/caller.js';
import { notFound } from '../../errors.js';
import { Developer } from '../developers/developer.entity.js';
import type { DeveloperService } from '../developers/developer.service.js';
import { aboutApp, asDeveloper, type EventService } from '../events/event.service.js';
import { App, AppStatus } from '../listings/app.entity.js';
import { lockOwnApp } from '../listings/app-lock.service.js';
import {
  applyTransition,
  requireEditableByDeveloper,
  requireRevision,
  transitions,
} from '../listings/app-state.rules.js';
import type { AppChanges, CreateApp } from '../listings/listing.input.js';
import { applyChanges, normalized } from '../listings/listing-change.rules.js';
import { requireSeenRevision } from '../listings/revision.rules.js';
import type { AssetCheckService, CheckedAssets } from '../preflight/asset-check.service.js';
import type { QuotaService } from '../quotas/quota.service.js';
import { Submission } from '../review/submission.entity.js';
import type { SubmissionService } from '../review/submission.service.js';
import type { DeletedApp } from './app.types.js';
import { reserveSlug } from './app-slug.service.js';

/** Creates, changes, submits and deletes the caller's own apps. */
export class AppService {
  constructor(
    private readonly em: EntityManager,
    private readonly developers: DeveloperService,
    private readonly events: EventService,
    private readonly submissions: SubmissionService,
    private readonly assetChecks: AssetCheckService,
    private readonly quotas: QuotaService,
  ) {}

  async create(caller: DeveloperCaller, input: z.output<typeof CreateApp>): Promise<App> {
    const { name, description, category, environment } = input;
    const developer = ref(this.em.getReference(Developer, caller.developer.id));
    await this.quotas.requireRoomForApp(caller.developer.id);
    const slug = await reserveSlug(this.em, name);
    const app = this.em.create(App, { developer, slug, name, description, category, environment });
    Object.assign(app, normalized(input));
    await this.events.record(
      asDeveloper(caller),
      { kind: 'app.created', ...aboutApp(app) },
      { after: { name, slug, status: app.status } },
    );
    return app;
  }

  async get(caller: DeveloperCaller, id: string): Promise<App> {
    const app = await this.em.findOne(App, { id, developer: caller.developer.id });
    if (!app) throw notFound('app');
    return app;
  }

  async getBySlug(caller: DeveloperCaller, slug: string): Promise<App> {
    const app = await this.em.findOne(App, { slug, developer: caller.developer.id });
    if (!app) throw notFound('app');
    return app;
  }

  /** Returns the id of the app with a slug; null if there is none. */
  async idOfSlug(slug: string): Promise<string | null> {
    return (await this.em.findOne(App, { slug }, { fields: ['id'] }))?.id ?? null;
  }

  /** Finds an app of the caller's, or any app for an administrator. */
  findVisible(caller: Caller, id: string): Promise<App | null> {
    const developer = caller.developer?.id ?? null;
    return this.em.findOne(App, isActingAsAdmin(caller) ? { id } : { id, developer });
  }

  async isInQueue(id: string): Promise<boolean> {
    return (await this.em.count(Submission, { app: id, endedAt: null })) > 0;
  }

  async getVisible(caller: Caller, id: string): Promise<App> {
    const app = await this.findVisible(caller, id);
    if (!app) throw notFound('app');
    return app;
  }

  async update(
    caller: DeveloperCaller,
    id: string,
    changes: z.output<typeof AppChanges>,
    expected?: ReadonlySet<number>,
    checked: CheckedAssets | null = null,
  ): Promise<App> {
    const app = await lockOwnApp(this.em, caller, id);
    requireEditableByDeveloper(app);
    await requireSeenRevision(this.em, app, expected);
    const change = applyChanges(app, changes);
    if (!change) return app;
    await this.submissions.edited(app, change, checked);
    await this.events.record(asDeveloper(caller), { kind: 'app.updated', ...aboutApp(app) }, change);
    return app;
  }

  async delete(caller: DeveloperCaller, id: string, expected?: ReadonlySet<number>): Promise<DeletedApp> {
    const app = await lockOwnApp(this.em, caller, id);
    requireEditableByDeveloper(app);
    requireRevision(app, expected);
    this.em.remove(app);
    const { name, slug, status } = app;
    await this.events.record(
      asDeveloper(caller),
      { kind: 'app.deleted', ...aboutApp(app) },
      { before: { name, slug, status } },
    );
    return { id, deleted: true };
  }

  /** Fetches the images before the transaction of a submission, if their checks can block it (D24). */
  async checkBeforeSubmit(caller: DeveloperCaller, id: string): Promise<CheckedAssets | null> {
    const own = { id, developer: caller.developer.id, status: transitions.submit.from };
    return this.assetChecks.checkBefore(() => this.em.findOne(App, own));
  }

  /** Fetches the images before the transaction of an edit, if the app is already submitted. */
  async checkBeforeUpdate(
    caller: DeveloperCaller,
    id: string,
    changes: z.output<typeof AppChanges>,
  ): Promise<CheckedAssets | null> {
    const waiting = { id, developer: caller.developer.id, status: AppStatus.PENDING };
    return this.assetChecks.checkBefore(() => this.em.findOne(App, waiting), changes);
  }

  async submit(
    caller: DeveloperCaller,
    id: string,
    checked: CheckedAssets | null = null,
    expected?: ReadonlySet<number>,
  ): Promise<App> {
    await this.developers.requireSubmitter(caller);
    const app = await lockOwnApp(this.em, caller, id);
    const change = applyTransition(app, 'submit');
    await requireSeenRevision(this.em, app, expected);
    const { resubmission } = await this.submissions.open(app, checked);
    await this.events.record(
      asDeveloper(caller),
      { kind: 'app.submitted', ...aboutApp(app), resubmission },
      change,
    );
    return app;
  }

  async withdraw(caller: DeveloperCaller, id: string): Promise<App> {
    const app = await lockOwnApp(this.em, caller, id);
    const change = applyTransition(app, 'withdraw');
    app.submittedAt = null;
    await this.submissions.withdraw(app);
    await this.events.record(asDeveloper(caller), { kind: 'app.withdrawn', ...aboutApp(app) }, change);
    return app;
  }
}

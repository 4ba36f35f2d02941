import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { AccountCaller } from '../../auth/caller.js';
import { now } from '../../db/clock.js';
import { notFound } from '../../errors.js';
import { closeAppReports } from '../app-reports/app-report.service.js';
import type { DeveloperService } from '../developers/developer.service.js';
import { aboutApp, asAdministrator, type EventService } from '../events/event.service.js';
import { App } from '../listings/app.entity.js';
import { lockApp } from '../listings/app-lock.service.js';
import {
  applyTransition,
  isTransitionDone,
  requireEditableByAdministrator,
  requireFeaturable,
  requireTransitionOrDone,
} from '../listings/app-state.rules.js';
import { requireReadyForReview } from '../listings/listing.rules.js';
import { applyChanges } from '../listings/listing-change.rules.js';
import type { PreflightService } from '../preflight/preflight.service.js';
import type { ApproveApp, EditApp, RejectApp } from './review.input.js';
import { requireDecidableApp } from './review.rules.js';
import type { SubmissionService } from './submission.service.js';

/** Decisions and other acts of administrators on apps. Each one locks the app's row, so of two parallel decisions only one succeeds. */
export class ReviewService {
  constructor(
    private readonly em: EntityManager,
    private readonly developers: DeveloperService,
    private readonly events: EventService,
    private readonly submissions: SubmissionService,
    private readonly preflight: PreflightService,
  ) {}

  async approve(caller: AccountCaller, { id, ...input }: z.output<typeof ApproveApp>): Promise<App> {
    const { app, developer, submission } = await this.lockSubmitted(id);
    requireDecidableApp(caller, 'approve', { app, developer }, submission);
    const acknowledgement = await this.submissions.approve(caller, submission, app, input);
    const change = applyTransition(app, 'approve');
    app.approvedAt = now();
    await this.preflight.storeName(app);
    await this.events.record(
      asAdministrator(caller),
      { kind: 'app.approved', ...aboutApp(app), note: input.note ?? null, ...acknowledgement },
      change,
    );
    return app;
  }

  async reject(caller: AccountCaller, { id, ...input }: z.output<typeof RejectApp>): Promise<App> {
    const { app, developer, submission } = await this.lockSubmitted(id);
    requireDecidableApp(caller, 'reject', { app, developer }, submission);
    const { reasons, guidance } = await this.submissions.reject(caller, submission, app, input);
    const change = applyTransition(app, 'reject');
    await this.events.record(
      asAdministrator(caller),
      { kind: 'app.rejected', ...aboutApp(app), reasons, guidance },
      change,
    );
    return app;
  }

  async suspend(caller: AccountCaller, id: string, reason: string): Promise<App> {
    const app = await lockApp(this.em, { id });
    if (isTransitionDone(app, 'suspend')) return app;
    const change = applyTransition(app, 'suspend');
    await closeAppReports(this.em, id);
    await this.events.record(
      asAdministrator(caller),
      { kind: 'app.suspended', ...aboutApp(app), reason },
      change,
    );
    return app;
  }

  async restore(caller: AccountCaller, id: string): Promise<App> {
    const app = await lockApp(this.em, { id });
    requireTransitionOrDone(app, 'restore');
    if (isTransitionDone(app, 'restore')) return app;
    await this.preflight.lockName(app);
    const change = applyTransition(app, 'restore');
    await this.preflight.storeName(app);
    await this.events.record(asAdministrator(caller), { kind: 'app.restored', ...aboutApp(app) }, change);
    return app;
  }

  async feature(caller: AccountCaller, id: string, featured: boolean): Promise<App> {
    const app = await lockApp(this.em, { id });
    if (featured) requireFeaturable(app);
    if (app.featured === featured) return app;
    const change = { before: { featured: app.featured }, after: { featured } };
    app.featured = featured;
    const kind = featured ? 'app.featured' : 'app.unfeatured';
    await this.events.record(asAdministrator(caller), { kind, ...aboutApp(app) }, change);
    return app;
  }

  /** Corrects a public listing on behalf of the developer. */
  async edit(caller: AccountCaller, { id, reason, ...changes }: z.output<typeof EditApp>): Promise<App> {
    const app = await lockApp(this.em, { id });
    requireEditableByAdministrator(app);
    const change = applyChanges(app, changes);
    requireReadyForReview(app, [], Object.keys(change?.after ?? {}));
    if (!change) return app;
    if ('name' in change.after) {
      await this.preflight.lockName(app);
      await this.preflight.storeName(app);
    }
    await this.events.record(
      asAdministrator(caller),
      { kind: 'app.edited', ...aboutApp(app), reason },
      change,
    );
    return app;
  }

  /** Locks everything that a decision depends on: the developer's row first, as submissions and suspensions do, to avoid deadlocks. */
  private async lockSubmitted(id: string) {
    const found = await this.em.findOne(App, { id }, { fields: ['developer'], disableIdentityMap: true });
    if (!found) throw notFound('app');
    const developer = await this.developers.lockForShare(found.developer.id);
    const app = await lockApp(this.em, { id });
    const submission = await this.submissions.openOne(app);
    return { app, developer, submission };
  }
}

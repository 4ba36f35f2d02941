import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { AccountCaller } from '../../auth/caller.js';
import { notFound } from '../../errors.js';
import { App, AppStatus } from '../apps/app.entity.js';
import {
  move,
  requireEditableByAdministrator,
  requireFeaturable,
  requireRevision,
} from '../apps/app.lifecycle.js';
import { applyChanges } from '../apps/app.listing.js';
import { about } from '../apps/app.service.js';
import { requireReadyForReview } from '../apps/app.submission.js';
import { asAdministrator, type EventService } from '../audit/event.service.js';
import type { ApproveApp, EditApp, RejectApp } from './review.input.js';
import type { SubmissionService } from './submission.service.js';

/** What administrators do with apps. Each act holds the app's row, so of two decisions one wins. */
export class ReviewService {
  constructor(
    private readonly em: EntityManager,
    private readonly events: EventService,
    private readonly submissions: SubmissionService,
  ) {}

  async approve(caller: AccountCaller, { id, revision, note }: z.output<typeof ApproveApp>): Promise<App> {
    const app = await this.lock(id);
    await this.submissions.requireForeign(caller, app);
    const change = move(app, 'approve');
    requireRevision(app, new Set([revision]));
    await this.submissions.decide(caller, 'APPROVED', app, app);
    app.approvedAt = new Date();
    app.rejection = null;
    await this.events.record(
      asAdministrator(caller),
      { kind: 'app.approved', ...about(app), note: note ?? null },
      change,
    );
    return app;
  }

  async reject(
    caller: AccountCaller,
    { id, revision, reasons, guidance }: z.output<typeof RejectApp>,
  ): Promise<App> {
    const app = await this.lock(id);
    await this.submissions.requireForeign(caller, app);
    const change = move(app, 'reject');
    requireRevision(app, new Set([revision]));
    await this.submissions.decide(caller, 'REJECTED', app, app);
    const stated = reasons.map(({ code, field, message }) => ({ code, field: field || null, message }));
    app.rejection = { reasons: stated, guidance, rejectedAt: new Date() };
    await this.events.record(
      asAdministrator(caller),
      { kind: 'app.rejected', ...about(app), reasons: stated, guidance },
      change,
    );
    return app;
  }

  async suspend(caller: AccountCaller, id: string, reason: string): Promise<App> {
    const app = await this.lock(id);
    if (app.status === AppStatus.SUSPENDED) return app;
    const change = move(app, 'suspend');
    await this.events.record(
      asAdministrator(caller),
      { kind: 'app.suspended', ...about(app), reason },
      change,
    );
    return app;
  }

  async restore(caller: AccountCaller, id: string): Promise<App> {
    const app = await this.lock(id);
    if (app.status === AppStatus.APPROVED) return app;
    const change = move(app, 'restore');
    await this.events.record(asAdministrator(caller), { kind: 'app.restored', ...about(app) }, change);
    return app;
  }

  async feature(caller: AccountCaller, id: string, featured: boolean): Promise<App> {
    const app = await this.lock(id);
    if (featured) requireFeaturable(app);
    if (app.featured === featured) return app;
    app.featured = featured;
    const kind = featured ? 'app.featured' : 'app.unfeatured';
    await this.events.record(asAdministrator(caller), { kind, ...about(app) });
    return app;
  }

  /** A small correction of a public listing, on the developer's behalf. */
  async edit(caller: AccountCaller, { id, reason, ...changes }: z.output<typeof EditApp>): Promise<App> {
    const app = await this.lock(id);
    requireEditableByAdministrator(app);
    const change = applyChanges(app, changes);
    requireReadyForReview(app);
    if (!change) return app;
    await this.events.record(asAdministrator(caller), { kind: 'app.edited', ...about(app), reason }, change);
    return app;
  }

  private async lock(id: string): Promise<App> {
    const app = await this.em.findOne(App, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!app) throw notFound('app');
    return app;
  }
}

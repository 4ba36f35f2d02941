import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { AccountCaller } from '../../auth/caller.js';
import type { Connection } from '../../db/connection.types.js';
import { connection, defaultPageSize, placeOf } from '../../db/keyset.js';
import { notFound } from '../../errors.js';
import { App, AppStatus } from '../apps/app.entity.js';
import { editableBy, invalidTransition, move, requireRevision } from '../apps/app.lifecycle.js';
import { about, applyChanges } from '../apps/app.service.js';
import { findingsOf, requireReadyForReview } from '../apps/app.submission.js';
import { asAdministrator, type EventService } from '../audit/event.service.js';
import type { ApproveApp, EditApp, RejectApp, ReviewQueue } from './review.input.js';
import type { ReviewQueueItem } from './review.types.js';

/** What administrators do with apps. Each act holds the app's row, so of two decisions one wins. */
export class ReviewService {
  constructor(
    private readonly em: EntityManager,
    private readonly events: EventService,
  ) {}

  /** Oldest first. */
  async queue({ first, after }: z.output<typeof ReviewQueue>): Promise<Connection<ReviewQueueItem>> {
    const size = first ?? defaultPageSize;
    const place = placeOf(after);
    const pending = { status: AppStatus.PENDING };
    const totalCount = await this.em.count(App, pending);
    const rows = await this.em.find(
      App,
      {
        ...pending,
        ...(place && {
          $or: [{ submittedAt: { $gt: place.at } }, { submittedAt: place.at, id: { $gt: place.id } }],
        }),
      },
      { orderBy: { submittedAt: 'asc', id: 'asc' }, limit: size + 1 },
    );
    const submittedAt = (app: App) => app.submittedAt ?? app.createdAt;
    return connection(rows, {
      first: size,
      after: after ?? null,
      totalCount,
      place: (app) => ({ at: submittedAt(app), id: app.id }),
      node: (app) => ({ app, submittedAt: submittedAt(app), findings: findingsOf(app) }),
    });
  }

  async approve(caller: AccountCaller, { id, revision, note }: z.output<typeof ApproveApp>): Promise<App> {
    const app = await this.lock(id);
    const change = move(app, 'approve');
    requireRevision(app, new Set([revision]));
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
    const change = move(app, 'reject');
    requireRevision(app, new Set([revision]));
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
    if (featured && app.status !== AppStatus.APPROVED)
      throw invalidTransition(app, 'feature', [AppStatus.APPROVED]);
    if (app.featured === featured) return app;
    app.featured = featured;
    const kind = featured ? 'app.featured' : 'app.unfeatured';
    await this.events.record(asAdministrator(caller), { kind, ...about(app) });
    return app;
  }

  /** A small correction of a public listing, on the developer's behalf. */
  async edit(caller: AccountCaller, { id, reason, ...changes }: z.output<typeof EditApp>): Promise<App> {
    const app = await this.lock(id);
    if (!editableBy.administrator.includes(app.status))
      throw invalidTransition(app, 'edit', editableBy.administrator);
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

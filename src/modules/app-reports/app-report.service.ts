import { LockMode, ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { AccountCaller } from '../../auth/caller.js';
import { DeveloperStatus } from '../../auth/developer-status.js';
import { now } from '../../db/clock.js';
import { notFound, ServiceError } from '../../errors.js';
import type { Connection } from '../../operations/connection.types.js';
import { latestFirst } from '../../operations/paging.js';
import { hasChangedSince } from '../events/audit-event.queries.js';
import { aboutApp, asAccount, asAdministrator, type EventService } from '../events/event.service.js';
import { App, AppStatus } from '../listings/app.entity.js';
import type { QuotaService } from '../quotas/quota.service.js';
import { AppReport, AppReportReason } from './app-report.entity.js';
import type { ListAppReports, ReportApp } from './app-report.input.js';

/** Events that change the public listing. */
const listingEvents = ['app.approved', 'app.edited', 'version.approved'] as const;

/** Reports of apps by accounts, and what administrators do with them (D380). */
export class AppReportService {
  constructor(
    private readonly em: EntityManager,
    private readonly events: EventService,
    private readonly quotas: QuotaService,
  ) {}

  /** Reports an app, or changes the caller's report. The same report again changes nothing. */
  async report(caller: AccountCaller, input: z.output<typeof ReportApp>): Promise<AppReport> {
    const { accountUserId } = caller;
    const { reason } = input;
    const text = input.text || null;
    if (reason === AppReportReason.OTHER && text === null) throw textMissing();
    const app = await this.lock({ slug: input.slug });
    const developer = await app.developer.loadOrFail();
    if (app.status !== AppStatus.APPROVED || developer.status === DeveloperStatus.SUSPENDED)
      throw notFound('app');
    if (developer.accountUserId === accountUserId) throw ownApp();
    const known = await this.em.findOne(AppReport, { app: app.id, accountUserId });
    const isOpen = known !== null && known.closedAt === null;
    if (isOpen && known.reason === reason && known.text === text) return known;
    if (
      known?.closedAt &&
      !(await hasChangedSince(this.em, known.closedAt, listingEvents, { appId: app.id }))
    )
      throw alreadyDecided();
    await this.quotas.requireRoomForReport(accountUserId);
    const before = isOpen ? { before: { reason: known.reason, text: known.text } } : {};
    const report = this.open(app, accountUserId, known);
    Object.assign(report, { reason, text, updatedAt: now() });
    if (!isOpen) Object.assign(report, { createdAt: report.updatedAt, closedAt: null });
    await this.events.record(
      asAccount(caller),
      { kind: 'app.reported', ...aboutApp(app) },
      { ...before, after: { reason, text } },
    );
    return report;
  }

  /** Closes the open reports of an app, which stays as it is. */
  async dismiss(caller: AccountCaller, id: string): Promise<App> {
    const app = await this.lock({ id });
    const reports = await closeAppReports(this.em, id);
    if (reports === 0) return app;
    await this.events.record(
      asAdministrator(caller),
      { kind: 'app.reports_dismissed', ...aboutApp(app) },
      { before: { reports }, after: { reports: 0 } },
    );
    return app;
  }

  /** Lists the open reports of all apps, newest first. */
  async list(page: z.output<typeof ListAppReports>): Promise<Connection<AppReport>> {
    return latestFirst(this.em, AppReport, { closedAt: null }, 'createdAt', page);
  }

  private open(app: App, accountUserId: string, known: AppReport | null): AppReport {
    if (known) return known;
    const report = Object.assign(new AppReport(), { app: ref(app), accountUserId });
    this.em.persist(report);
    return report;
  }

  /** Locks the app, so that a report and a decision about the app see each other. */
  private async lock(which: { id: string } | { slug: string }): Promise<App> {
    const app = await this.em.findOne(App, which, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!app) throw notFound('app');
    return app;
  }
}

/** Closes the open reports of an app and returns their number. The caller must have locked the app's row. */
export const closeAppReports = (em: EntityManager, appId: string): Promise<number> =>
  em.nativeUpdate(AppReport, { app: appId, closedAt: null }, { closedAt: now() });

const textMissing = () =>
  new ServiceError('VALIDATION_FAILED', 'Say what is wrong with the app.', [
    { field: 'text', code: 'required', message: 'Say what is wrong: the reason OTHER needs a text.' },
  ]);

const ownApp = () => new ServiceError('FORBIDDEN', 'You cannot report your own app.');

const alreadyDecided = () =>
  new ServiceError(
    'INVALID_TRANSITION',
    'An administrator has looked into your report of this app and left the app as it is. You can report it again after it was changed.',
  );

import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { AccountCaller } from '../../auth/caller.js';
import { now } from '../../db/clock.js';
import { ServiceError } from '../../errors.js';
import type { Connection } from '../../operations/connection.types.js';
import { latestFirst } from '../../operations/paging.js';
import { aboutApp, asAccount, asAdministrator, type EventService } from '../events/event.service.js';
import type { App } from '../listings/app.entity.js';
import { findPublicApp, lockApp } from '../listings/app-lock.service.js';
import type { QuotaService } from '../quotas/quota.service.js';
import { AppReport, AppReportReason } from './app-report.entity.js';
import type { ListAppReports, ReportApp } from './app-report.input.js';
import { fileReport } from './report.service.js';

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
    const content = { reason: input.reason, text: input.text || null };
    if (content.reason === AppReportReason.OTHER && content.text === null) throw textMissing();
    const app = await findPublicApp(this.em, input.slug, LockMode.PESSIMISTIC_WRITE);
    if (app.developer.getEntity().accountUserId === accountUserId) throw ownApp();
    const { report, change } = await fileReport(this.em, this.quotas, {
      entity: AppReport,
      key: { app: app.id, accountUserId },
      content,
      subject: { what: 'app', appId: app.id },
      changes: listingEvents,
    });
    if (change)
      await this.events.record(asAccount(caller), { kind: 'app.reported', ...aboutApp(app) }, change);
    return report;
  }

  /** Closes the open reports of an app, which stays as it is. */
  async dismiss(caller: AccountCaller, id: string): Promise<App> {
    const app = await lockApp(this.em, { id });
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
}

/** Closes the open reports of an app and returns their number. The caller must have locked the app's row. */
export const closeAppReports = (em: EntityManager, appId: string): Promise<number> =>
  em.nativeUpdate(AppReport, { app: appId, closedAt: null }, { closedAt: now() });

const textMissing = () =>
  new ServiceError('VALIDATION_FAILED', 'Say what is wrong with the app.', [
    { field: 'text', code: 'required', message: 'Say what is wrong: the reason OTHER needs a text.' },
  ]);

const ownApp = () => new ServiceError('FORBIDDEN', 'You cannot report your own app.');

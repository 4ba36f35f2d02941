import { LockMode, ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountCaller, DeveloperCaller } from '../../auth/caller.js';
import { notFound, ServiceError } from '../../errors.js';
import { App } from '../apps/app.entity.js';
import { lockOwnApp } from '../apps/app.service.js';
import { aboutApp, asAdministrator, asDeveloper, type EventService } from '../audit/event.service.js';
import type { QuotaService } from '../quotas/quota.service.js';
import { AppVersion } from '../versions/app-version.entity.js';
import { openVersions } from '../versions/version.lifecycle.js';
import { addressesOfReviewers } from './message.queries.js';
import { requireRejected } from './review.guards.js';
import { MessageAuthor, ReviewMessage } from './review-message.entity.js';

/** What developer and administration say to each other about an app. */
export class MessageService {
  constructor(
    private readonly em: EntityManager,
    private readonly events: EventService,
    private readonly quotas: QuotaService,
  ) {}

  /** Those of the administration who deal with the app are told, as far as their addresses are known (D62). */
  async fromDeveloper(caller: DeveloperCaller, id: string, text: string): Promise<ReviewMessage> {
    const app = await this.em.findOne(App, { id, developer: caller.developer.id });
    if (!app) throw notFound('app');
    await this.quotas.requireRoomForMessage(id);
    const actor = asDeveloper(caller);
    const recipients = await this.reviewersOf(app);
    await this.events.record(actor, { kind: 'review.message-sent', ...aboutApp(app), text }, {}, recipients);
    return this.keep(app, { author: MessageAuthor.DEVELOPER, text, authorAccount: actor.account });
  }

  async fromAdministrator(caller: AccountCaller, id: string, text: string): Promise<ReviewMessage> {
    const app = await this.em.findOne(App, { id });
    if (!app) throw notFound('app');
    const actor = asAdministrator(caller);
    await this.events.record(actor, { kind: 'review.message-received', ...aboutApp(app), text });
    const author = { authorAccount: actor.account, authorEmail: caller.email };
    return this.keep(app, { author: MessageAuthor.REVIEWER, text, ...author });
  }

  /** The developer says of one reason of the last rejection that it is dealt with, or not yet. */
  async addressReason(caller: DeveloperCaller, id: string, index: number, addressed: boolean): Promise<App> {
    const app = await lockOwnApp(this.em, caller, id);
    const version = await this.em.findOne(
      AppVersion,
      { app: app.id, status: [...openVersions] },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    const subject = requireRejected(app, version);
    const { reasons, ...rejection } = subject.rejection!;
    const reason = reasons[index];
    if (!reason) throw noSuchReason(reasons.length);
    if ((reason.addressed ?? false) === addressed) return app;
    subject.rejection = { ...rejection, reasons: reasons.with(index, { ...reason, addressed }) };
    const field = `rejection.reasons.${index}.addressed`;
    await this.events.record(
      asDeveloper(caller),
      {
        kind: 'app.reason-addressed',
        ...aboutApp(app),
        versionId: subject === app ? null : subject.id,
        text: `${addressed ? 'Addressed' : 'Not addressed'}: ${reason.message}`,
      },
      { before: { [field]: !addressed }, after: { [field]: addressed } },
    );
    return app;
  }

  private keep(
    app: App,
    message: Pick<ReviewMessage, 'author' | 'text' | 'authorAccount'> & { authorEmail?: string | null },
  ): ReviewMessage {
    return this.em.create(ReviewMessage, { app: ref(app), ...message });
  }

  private async reviewersOf({ id }: App): Promise<string[]> {
    const { rows } = await addressesOfReviewers(id).execute(this.em.getKysely());
    return [...new Set(rows.map(({ email }) => email))];
  }
}

const noSuchReason = (count: number) =>
  new ServiceError('VALIDATION_FAILED', 'There is no such reason: see details.', [
    {
      field: 'reason',
      code: 'too_big',
      message: `reason must be below ${count}: the last rejection has that many reasons, counted from zero.`,
    },
  ]);

import { LockMode, ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { AccountCaller, DeveloperCaller } from '../../auth/caller.js';
import { notFound, ServiceError } from '../../errors.js';
import { aboutApp, asAdministrator, asDeveloper, type EventService } from '../events/event.service.js';
import { App } from '../listings/app.entity.js';
import { lockOwnApp } from '../listings/app-lock.service.js';
import { AppVersion } from '../listings/app-version.entity.js';
import { openVersions } from '../listings/version-state.rules.js';
import type { QuotaService } from '../quotas/quota.service.js';
import { requireRejected } from './review.rules.js';
import { MessageAuthor, ReviewMessage } from './review-message.entity.js';
import { Submission, SubmissionOutcome } from './submission.entity.js';

/** Messages between a developer and the administrators about an app. */
export class MessageService {
  constructor(
    private readonly em: EntityManager,
    private readonly events: EventService,
    private readonly quotas: QuotaService,
  ) {}

  /** Sends a message to the administrators. The app's reviewers are notified if their addresses are known (D62). */
  async fromDeveloper(caller: DeveloperCaller, id: string, text: string): Promise<ReviewMessage> {
    const app = await this.em.findOne(App, { id, developer: caller.developer.id });
    if (!app) throw notFound('app');
    await this.quotas.requireRoomFor('messages', id);
    const actor = asDeveloper(caller);
    const mails = (await this.reviewersOf(app)).map((recipient) => ({ recipient }));
    const message = this.create(app, { author: MessageAuthor.DEVELOPER, text, authorAccount: actor.account });
    await this.events.record(actor, { kind: 'review.message-sent', ...aboutApp(app), text }, {}, mails);
    return message;
  }

  async fromAdministrator(caller: AccountCaller, id: string, text: string): Promise<ReviewMessage> {
    const app = await this.em.findOne(App, { id });
    if (!app) throw notFound('app');
    const actor = asAdministrator(caller);
    const author = { authorAccount: actor.account, authorEmail: caller.email };
    const message = this.create(app, { author: MessageAuthor.REVIEWER, text, ...author });
    await this.events.record(actor, { kind: 'review.message-received', ...aboutApp(app), text });
    return message;
  }

  /** Marks one reason of the last rejection as addressed, or as not addressed. */
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
    await this.updateHistory(app, subject);
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

  /** Copies the marks to the rejected submission, so that its history shows them after the next decision. */
  private async updateHistory(app: App, subject: App | AppVersion): Promise<void> {
    const rejected = await this.em.findOne(
      Submission,
      { app: app.id, version: subject === app ? null : subject.id, outcome: SubmissionOutcome.REJECTED },
      { orderBy: { endedAt: 'desc', id: 'desc' } },
    );
    if (rejected) rejected.rejection = subject.rejection;
  }

  private create(
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
  new ServiceError('VALIDATION_FAILED', 'There is no reason with this number. See details.', [
    {
      field: 'reason',
      code: 'too_big',
      message: `reason must be below ${count}: the last rejection has ${count} ${count === 1 ? 'reason' : 'reasons'}, numbered from 0.`,
    },
  ]);

/**
 * Finds the e-mail addresses of an app's reviewers: the administrators who wrote about it lately, and those who claimed an
 * open submission of it, even if the claim has expired. For each of them it returns the latest address. The bound excludes
 * former administrators: roles are in tokens only, so the service does not learn that somebody has lost one.
 */
const addressesOfReviewers = (appId: string) => sql<{ email: string }>`
  select distinct on (account) email from (
    select author_account as account, author_email as email, created_at as at
    from review_messages where app_id = ${appId} and created_at > now() - interval '90 days'
    union all
    select claimed_by, claimed_by_email, claimed_until
    from submissions where app_id = ${appId} and ended_at is null) addresses
  where email is not null
  order by account, at desc`;

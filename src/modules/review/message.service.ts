import { LockMode, ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountCaller, DeveloperCaller } from '../../auth/caller.js';
import { notFound, ServiceError } from '../../errors.js';
import { App } from '../apps/app.entity.js';
import { about } from '../apps/app.service.js';
import { type Actor, asAdministrator, asDeveloper, type EventService } from '../audit/event.service.js';
import { MessageAuthor, ReviewMessage } from './review-message.entity.js';

/** What developer and administration say to each other about an app. */
export class MessageService {
  constructor(
    private readonly em: EntityManager,
    private readonly events: EventService,
  ) {}

  async fromDeveloper(caller: DeveloperCaller, id: string, text: string): Promise<ReviewMessage> {
    const app = await this.em.findOne(App, { id, developer: caller.developer.id });
    return this.send(app, MessageAuthor.DEVELOPER, asDeveloper(caller), text);
  }

  async fromAdministrator(caller: AccountCaller, id: string, text: string): Promise<ReviewMessage> {
    const app = await this.em.findOne(App, { id });
    return this.send(app, MessageAuthor.REVIEWER, asAdministrator(caller), text);
  }

  /** The developer says of one reason of the last rejection that it is dealt with, or not yet. */
  async addressReason(caller: DeveloperCaller, id: string, index: number, addressed: boolean): Promise<App> {
    const app = await this.em.findOne(
      App,
      { id, developer: caller.developer.id },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    if (!app) throw notFound('app');
    const reason = app.rejection?.reasons[index];
    if (!app.rejection || !reason) throw noSuchReason(app);
    if ((reason.addressed ?? false) === addressed) return app;
    const reasons = app.rejection.reasons.map((other) =>
      other === reason ? { ...other, addressed } : other,
    );
    app.rejection = { ...app.rejection, reasons };
    await this.events.record(asDeveloper(caller), {
      kind: 'app.reason-addressed',
      ...about(app),
      text: `${addressed ? 'Addressed' : 'Not addressed'}: ${reason.message}`,
    });
    return app;
  }

  private async send(
    app: App | null,
    author: MessageAuthor,
    actor: Actor,
    text: string,
  ): Promise<ReviewMessage> {
    if (!app) throw notFound('app');
    const message = this.em.create(ReviewMessage, {
      app: ref(app),
      author,
      text,
      authorAccount: actor.account,
    });
    const kind = author === MessageAuthor.REVIEWER ? 'review.message-received' : 'review.message-sent';
    await this.events.record(actor, { kind, ...about(app), text });
    return message;
  }
}

const noSuchReason = (app: App) =>
  new ServiceError('VALIDATION_FAILED', 'There is no such reason: see details.', [
    {
      field: 'reason',
      code: 'too_big',
      message: `reason must be below ${app.rejection?.reasons.length ?? 0}: the app's last rejection has that many reasons.`,
    },
  ]);

import type { EntityManager } from '@mikro-orm/postgresql';
import { createTransport, type Transporter } from 'nodemailer';
import type { Config } from '../../config.js';
import type { Job } from '../../jobs.js';
import { ApiKey } from '../api-keys/api-key.entity.js';
import { App } from '../apps/app.entity.js';
import type { DomainEvent } from '../audit/event.types.js';
import { Developer } from '../developers/developer.entity.js';
import { Mail } from './mail.entity.js';
import { type MailContent, toHtml, toText } from './mail.layout.js';
import { type MailSubjects, templates } from './mail.templates.js';

/** Turns recorded notifications into mails: over SMTP, or into the mailbox where there is no mail server. */
export class MailService {
  private readonly transport: Transporter | null;

  constructor(
    private readonly fork: () => EntityManager,
    private readonly settings: Config['mail'],
    private readonly publicUrl: string,
  ) {
    this.transport = settings.smtpUrl ? createTransport(settings.smtpUrl, { from: settings.from }) : null;
  }

  /** Sends one mail. The record follows the mail server's word, so a mail comes twice only if we die in between, and then with the same Message-ID. */
  async deliver({ id, data }: Job): Promise<void> {
    const em = this.fork();
    if (await em.findOne(Mail, { id })) return;
    const event = data as DomainEvent;
    const subjects = await this.subjectsOf(em, event);
    const content = compose(event, subjects);
    const mail = {
      id,
      kind: event.kind,
      recipient: event.kind === 'developer.email-changed' ? event.formerEmail : subjects.developer.email,
      subject: content.subject,
      messageId: `<${id}@${this.domain}>`,
    };
    const body = { html: toHtml(content), text: toText(content) };
    await this.transport?.sendMail({
      to: mail.recipient,
      subject: mail.subject,
      messageId: mail.messageId,
      ...body,
    });
    em.create(Mail, this.transport ? mail : { ...mail, ...body });
    await em.flush();
  }

  private async subjectsOf(em: EntityManager, event: DomainEvent): Promise<MailSubjects> {
    return {
      publicUrl: this.publicUrl,
      developer: await em.findOneOrFail(Developer, event.developerId),
      app: 'appId' in event ? await em.findOne(App, event.appId) : null,
      key: 'keyId' in event ? await em.findOne(ApiKey, event.keyId) : null,
    };
  }

  private get domain(): string {
    return /@([^\s>]+)/.exec(this.settings.from)?.[1] ?? 'localhost';
  }

  close(): void {
    this.transport?.close();
  }
}

function compose<E extends DomainEvent>(event: E, subjects: MailSubjects): MailContent {
  // Each template takes the event of its own kind; TypeScript cannot see that the kind chose it.
  const template = templates[event.kind] as ((event: E, subjects: MailSubjects) => MailContent) | undefined;
  if (!template) throw new Error(`There is no mail for ${event.kind}`);
  return template(event, subjects);
}

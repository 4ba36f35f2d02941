import type { EntityManager } from '@mikro-orm/postgresql';
import type { Config } from '../../config.js';
import { HopelessJob, type Job } from '../../jobs.js';
import { ApiKey } from '../api-keys/api-key.entity.js';
import { App } from '../apps/app.entity.js';
import { AuditEvent } from '../audit/audit-event.entity.js';
import { type DomainEvent, isMailed, type MailedEvent, type MailedKind } from '../audit/event.types.js';
import { Developer } from '../developers/developer.entity.js';
import { Mail } from './mail.entity.js';
import { headerLine, type MailContent, toHtml, toText } from './mail.layout.js';
import { type MailSubjects, type Template, templates } from './mail.templates.js';
import { isRefusedForGood, MailTransport } from './mail.transport.js';

/** A mail that its recipient's server refuses for good is tried this often: about a minute, since some do not mean it (D45). */
const triesOfRefused = 5;

/** What a job says besides the event. */
interface Notice {
  eventId: string;
  /** Somebody else than the developer, whose name we do not know. */
  recipient?: string;
}

type Links = Pick<MailSubjects, 'publicUrl' | 'playground'>;

/** Turns recorded notifications into mails: over SMTP, or into the mailbox where there is no mail server. */
export class MailService {
  private constructor(
    private readonly fork: () => EntityManager,
    private readonly transport: MailTransport | null,
    private readonly from: string,
    private readonly links: Links,
  ) {}

  static async open(
    fork: () => EntityManager,
    { smtpUrl, from }: Config['mail'],
    links: Links,
  ): Promise<MailService> {
    const transport = smtpUrl ? await MailTransport.open(smtpUrl, from) : null;
    return new MailService(fork, transport, from, links);
  }

  /**
   * Sends one mail. Its record is written before and committed after the mail server's word. So whoever else has the
   * same job waits, and then finds it done; and a mail comes twice only if we die in between, with the same Message-ID.
   */
  async deliver({ id, data, retryCount }: Job): Promise<void> {
    const event = data as DomainEvent & Notice;
    if (!isMailed(event)) throw new Error(`There is no mail for ${event.kind}`);
    await this.fork().transactional(async (em) => {
      const subjects = await this.subjectsOf(em, event);
      const content = compose(event, subjects);
      const to = recipientOf(event, subjects);
      if (!content || !(await this.record(em, id, event.kind, to.address, content))) return;
      await this.transport
        ?.send({
          to,
          subject: headerLine(content.subject),
          messageId: this.messageIdOf(id),
          date: subjects.record.createdAt,
          html: toHtml(content),
          text: toText(content),
        })
        .catch((error: unknown) => {
          if (isRefusedForGood(error) && retryCount + 1 >= triesOfRefused)
            throw new HopelessJob(`${event.kind} is refused: ${error.message}`, { cause: error });
          throw error;
        });
    });
  }

  /** False where another process has done it; waits for one that is about to. */
  private async record(
    em: EntityManager,
    id: string,
    kind: MailedKind,
    recipient: string,
    content: MailContent,
  ): Promise<boolean> {
    const { affectedRows } = await em
      .createQueryBuilder(Mail)
      .insert({
        id,
        kind,
        recipient,
        subject: headerLine(content.subject),
        messageId: this.messageIdOf(id),
        createdAt: new Date(),
        ...(this.transport ? {} : { html: toHtml(content), text: toText(content) }),
      })
      .onConflict('id')
      .ignore()
      .execute('run');
    return affectedRows > 0;
  }

  private async subjectsOf(em: EntityManager, event: MailedEvent & Notice): Promise<MailSubjects> {
    return {
      ...this.links,
      developer: await em.findOneOrFail(Developer, event.developerId),
      app: 'appId' in event ? await em.findOne(App, event.appId) : null,
      key: 'keyId' in event ? await em.findOne(ApiKey, event.keyId) : null,
      record: await em.findOneOrFail(AuditEvent, event.eventId),
    };
  }

  private messageIdOf(jobId: string): string {
    const domain = /@([^\s>]+)/.exec(this.from)?.[1] ?? 'localhost';
    return `<${jobId}@${domain}>`;
  }

  close(): void {
    this.transport?.close();
  }
}

/** The developer, unless the notice names another; who changed their address is told at the one they had. */
function recipientOf(event: MailedEvent & Notice, { developer }: MailSubjects) {
  if (event.recipient) return { name: '', address: event.recipient };
  const address = event.kind === 'developer.email-changed' ? event.formerEmail : developer.email;
  return { name: headerLine(developer.name), address };
}

function compose<E extends MailedEvent>(event: E, subjects: MailSubjects): MailContent | null {
  // Each template takes the event of its own kind; TypeScript cannot see that the kind chose it.
  const template = templates[event.kind] as (
    event: E,
    subjects: MailSubjects,
  ) => ReturnType<Template<E['kind']>>;
  return template(event, subjects);
}

import type { EntityManager } from '@mikro-orm/postgresql';
import type { Config } from '../../config.js';
import { type Job, type Jobs, NonRetryableError } from '../../jobs.js';
import { ApiKey } from '../api-keys/api-key.entity.js';
import { AuditEvent } from '../audit/audit-event.entity.js';
import { type DomainEvent, isDigested, isMailed, type MailedEvent } from '../audit/event.types.js';
import {
  clearNotices,
  composeDigest,
  type Digest,
  digestFor,
  lockSeries,
  type Series,
} from './mail.digest.js';
import { Mail } from './mail.entity.js';
import { MailFacts, mailFacts } from './mail.facts.js';
import { headerLine, type MailContent, type PreparedMail, toHtml, toText } from './mail.layout.js';
import { type MailSubjects, type Template, templates } from './mail.templates.js';
import { isRefusedForGood, MailTransport } from './mail.transport.js';

/** A mail that its recipient's server refuses for good is tried this often: about a minute, since some do not mean it (D45). */
const triesOfRefused = 5;

/** What a job says besides the event. */
interface Notice {
  eventId: string;
  /** Somebody else than the developer, whose name we do not know. */
  recipient?: string;
  /** Missing from jobs that a version before D127 recorded. */
  facts?: unknown;
}

type Links = Pick<MailSubjects, 'publicUrl' | 'playground'>;

interface MailOptions extends Links {
  jobs: Jobs;
  /** Whether notices of one kind to one address are gathered (D110). */
  gathers: boolean;
}

/** Turns recorded notifications into mails: over SMTP, or into the mailbox where there is no mail server. */
export class MailService {
  private constructor(
    private readonly fork: () => EntityManager,
    private readonly transport: MailTransport | null,
    private readonly from: string,
    private readonly options: MailOptions,
  ) {}

  static async open(
    fork: () => EntityManager,
    { smtpUrl, from }: Config['mail'],
    options: MailOptions,
  ): Promise<MailService> {
    const transport = smtpUrl ? await MailTransport.open(smtpUrl, from) : null;
    return new MailService(fork, transport, from, options);
  }

  /** Sends one mail, or lets it join a digest. */
  async deliver(job: Job): Promise<void> {
    const event = job.data as DomainEvent & Notice;
    if (!isMailed(event)) throw new Error(`There is no mail for ${event.kind}`);
    await this.fork().transactional(async (em) => {
      if (await isOvertaken(em, event)) return;
      const mail = await this.prepare(em, event);
      if (this.options.gathers && isDigested(event.kind) && (await this.joinDigest(em, job.id, mail))) return;
      await this.send(em, job, mail);
    });
  }

  /** Sends the notices that were gathered, in one mail. */
  async deliverDigest(job: Job): Promise<void> {
    // Recorded by `digestFor`.
    const series = job.data as Series;
    await this.fork().transactional(async (em) => {
      await lockSeries(em, series);
      const mail = await composeDigest(em, job.id, series);
      if (!mail) return;
      await this.send(em, job, mail);
      await clearNotices(em, job.id);
    });
  }

  /** True where the notice has a place in a digest, or was dealt with by a process that died just after. */
  private async joinDigest(em: EntityManager, id: string, mail: PreparedMail): Promise<boolean> {
    const series = { kind: mail.kind, recipient: mail.to.address };
    await lockSeries(em, series);
    if ((await em.count(Mail, { id })) > 0) return true;
    const digest = await digestFor(em, this.options.jobs, series);
    return digest !== null && this.record(em, id, mail, digest);
  }

  /**
   * Sends a mail. Its record is written before and committed after the mail server's word. So whoever else has the
   * same job waits, and then finds it done; and a mail comes twice only if we die in between, with the same Message-ID.
   */
  private async send(em: EntityManager, { id, retryCount }: Job, mail: PreparedMail): Promise<void> {
    if (!(await this.record(em, id, mail))) return;
    const { kind, to, at, content } = mail;
    await this.transport
      ?.send({
        to,
        subject: headerLine(content.subject),
        messageId: this.messageIdOf(id),
        date: new Date(at),
        html: toHtml(content),
        text: toText(content),
      })
      .catch((error: unknown) => {
        if (isRefusedForGood(error) && retryCount + 1 >= triesOfRefused)
          throw new NonRetryableError(`${kind} is refused: ${error.message}`, { cause: error });
        throw error;
      });
  }

  /** False where another process has done it; waits for one that is about to. */
  private async record(
    em: EntityManager,
    id: string,
    { kind, to, at, content }: PreparedMail,
    digest?: Digest,
  ): Promise<boolean> {
    const isKept = !this.transport && !digest;
    const { affectedRows } = await em
      .createQueryBuilder(Mail)
      .insert({
        id,
        kind,
        recipient: to.address,
        subject: headerLine(content.subject),
        messageId: this.messageIdOf(digest?.id ?? id),
        createdAt: new Date(),
        ...(isKept && { html: toHtml(content), text: toText(content) }),
        ...(digest && { digestId: digest.id, digestDueAt: digest.dueAt, notice: { to, at, content } }),
      })
      .onConflict('id')
      .ignore()
      .execute('run');
    return affectedRows > 0;
  }

  private async prepare(em: EntityManager, event: MailedEvent & Notice): Promise<PreparedMail> {
    const { publicUrl, playground } = this.options;
    const facts = MailFacts.parse(event.facts ?? (await mailFacts(em, event)));
    const record = await em.findOneOrFail(AuditEvent, event.eventId);
    return {
      kind: event.kind,
      to: recipientOf(event, facts),
      at: record.createdAt.toISOString(),
      content: compose(event, { ...facts, record, publicUrl, playground }),
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

/** Whether a warning has become pointless: the key was revoked, or has expired, before anybody could be warned. */
async function isOvertaken(em: EntityManager, event: MailedEvent): Promise<boolean> {
  if (event.kind !== 'key.expiring') return false;
  const key = await em.findOne(ApiKey, event.keyId);
  return !key || key.revokedAt !== null || key.expiresAt.getTime() <= Date.now();
}

/** The developer at the address of that moment, unless the notice names another; a change of address goes to the former one. */
function recipientOf(event: MailedEvent & Notice, { developer }: MailFacts) {
  if (event.recipient) return { name: '', address: event.recipient };
  const address = event.kind === 'developer.email-changed' ? event.formerEmail : developer.email;
  return { name: headerLine(developer.name), address };
}

function compose<E extends MailedEvent>(event: E, subjects: MailSubjects): MailContent {
  // Each template takes the event of its own kind; TypeScript cannot see that the kind chose it.
  const template = templates[event.kind] as (
    event: E,
    subjects: MailSubjects,
  ) => ReturnType<Template<E['kind']>>;
  return template(event, subjects);
}

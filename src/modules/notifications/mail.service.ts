import type { EntityManager } from '@mikro-orm/postgresql';
import type { Config } from '../../config.js';
import { type Job, type Jobs, NonRetryableError } from '../../jobs.js';
import { ApiKey } from '../api-keys/api-key.entity.js';
import { AuditEvent } from '../audit/audit-event.entity.js';
import { type DomainEvent, isDigested, isMailed, type MailedEvent } from '../audit/event.types.js';
import { Mail } from './mail.entity.js';
import { headerLine, toHtml, toText } from './mail.layout.js';
import { readMailFacts } from './mail.queries.js';
import { composeMail } from './mail.templates.js';
import { isPermanentRejection, MailTransport } from './mail.transport.js';
import { MailFacts, type PreparedMail, type TemplateData } from './mail.types.js';
import {
  clearNotices,
  composeDigest,
  type Digest,
  type DigestGroup,
  digestFor,
  lockDigestGroup,
} from './mail-digest.service.js';

/**
 * Attempts, over about a minute, before a mail that the mail server rejects permanently is given up. One is not enough:
 * some servers send a permanent error for a temporary problem (D45).
 */
const maxRejectedAttempts = 5;

/** The fields that a job has in addition to those of the event. */
interface NoticeJob {
  eventId: string;
  /** An address other than the developer's. Its owner's name is not known. */
  recipient?: string;
  /** Missing in jobs that were recorded before D127. */
  facts?: unknown;
}

interface MailOptions extends Pick<TemplateData, 'portal'> {
  jobs: Jobs;
  /** True if notices of one kind to one address are collected into digests (D110). */
  useDigests: boolean;
}

/** Sends a mail for each recorded notification over SMTP, or stores it for the mailbox page if there is no mail server. */
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

  /** Sends the mail of a job, or adds it to a digest. */
  async deliver(job: Job): Promise<void> {
    const event = job.data as DomainEvent & NoticeJob;
    if (!isMailed(event)) throw new Error(`There is no mail for ${event.kind}`);
    await this.fork().transactional(async (em) => {
      if (await isObsolete(em, event)) return;
      const mail = await this.prepare(em, event);
      if (this.options.useDigests && isDigested(event.kind) && (await this.addToDigest(em, job.id, mail)))
        return;
      await this.send(em, job, mail);
    });
  }

  /** Sends a digest. */
  async deliverDigest(job: Job): Promise<void> {
    // Recorded by `digestFor`.
    const group = job.data as DigestGroup;
    await this.fork().transactional(async (em) => {
      await lockDigestGroup(em, group);
      const mail = await composeDigest(em, job.id, group);
      if (!mail) return;
      await this.send(em, job, mail);
      await clearNotices(em, job.id);
    });
  }

  /** Returns true if the notice is in a digest, or was already handled by a worker that died before it finished the job. */
  private async addToDigest(em: EntityManager, id: string, mail: PreparedMail): Promise<boolean> {
    const group = { kind: mail.kind, recipient: mail.to.address };
    await lockDigestGroup(em, group);
    if ((await em.count(Mail, { id })) > 0) return true;
    const digest = await digestFor(em, this.options.jobs, group);
    return digest !== null && this.record(em, id, mail, digest);
  }

  /**
   * Sends a mail. The row is inserted before and committed after the mail server accepts the mail, so another worker with
   * the same job waits for the row and then skips it. A mail is sent twice only if this process dies between the two
   * steps, and then both copies have the same Message-ID.
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
        if (isPermanentRejection(error) && retryCount + 1 >= maxRejectedAttempts)
          throw new NonRetryableError(`The mail server rejects ${kind}: ${error.message}`, { cause: error });
        throw error;
      });
  }

  /** Inserts the row of a mail. Returns false if another worker has inserted it, after waiting for that transaction. */
  private async record(
    em: EntityManager,
    id: string,
    { kind, to, at, content }: PreparedMail,
    digest?: Digest,
  ): Promise<boolean> {
    const isForMailbox = !this.transport && !digest;
    const { affectedRows } = await em
      .createQueryBuilder(Mail)
      .insert({
        id,
        kind,
        recipient: to.address,
        subject: headerLine(content.subject),
        messageId: this.messageIdOf(digest?.id ?? id),
        createdAt: new Date(),
        ...(isForMailbox && { html: toHtml(content), text: toText(content) }),
        ...(digest && { digestId: digest.id, digestDueAt: digest.dueAt, notice: { to, at, content } }),
      })
      .onConflict('id')
      .ignore()
      .execute('run');
    return affectedRows > 0;
  }

  private async prepare(em: EntityManager, event: MailedEvent & NoticeJob): Promise<PreparedMail> {
    const facts = MailFacts.parse(event.facts ?? (await readMailFacts(em, event)));
    const auditEvent = await em.findOneOrFail(AuditEvent, event.eventId);
    return {
      kind: event.kind,
      to: recipientOf(event, facts),
      at: auditEvent.createdAt.toISOString(),
      content: composeMail(event, { ...facts, auditEvent, portal: this.options.portal }),
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

/** Returns true for a warning about a key that was revoked or has expired before the warning could be sent. */
async function isObsolete(em: EntityManager, event: MailedEvent): Promise<boolean> {
  if (event.kind !== 'key.expiring') return false;
  const key = await em.findOne(ApiKey, event.keyId);
  return !key || key.revokedAt !== null || key.expiresAt.getTime() <= Date.now();
}

/** Returns the job's own recipient, or the developer. The notice about a changed address goes to the former address. */
function recipientOf(event: MailedEvent & NoticeJob, { developer }: MailFacts) {
  if (event.recipient) return { name: '', address: event.recipient };
  const address = event.kind === 'developer.email-changed' ? event.formerEmail : developer.email;
  return { name: headerLine(developer.name), address };
}

import type { EntityManager } from '@mikro-orm/postgresql';
import type { Config } from '../../config.js';
import { now } from '../../db/clock.js';
import { type Job, type Jobs, NonRetryableError } from '../../jobs.js';
import { isDigested } from '../events/event-mail.types.js';
import { headerLine, toHtml, toText } from './layout.templates.js';
import { Mail } from './mail.entity.js';
import type { MailKind, PreparedMail, TemplateData } from './mail.types.js';
import {
  clearNotices,
  composeDigest,
  type Digest,
  type DigestGroup,
  digestFor,
  lockDigestGroup,
} from './mail-digest.service.js';
import { type NoticeJob, prepareMail } from './mail-preparation.service.js';
import { isPermanentRejection, MailTransport } from './mail-transport.service.js';
import { composeReviewDigest } from './review-digest.service.js';

/**
 * Attempts, over about a minute, before a mail that the mail server rejects permanently is given up. One is not enough:
 * some servers send a permanent error for a temporary problem (D45).
 */
const maxRejectedAttempts = 5;

interface MailOptions extends Pick<TemplateData, 'portal'> {
  jobs: Jobs;
  /** True if notices of one kind to one address are collected into digests (D110). */
  useDigests: boolean;
  /** Addresses that are told about work for administrators. */
  reviewers: readonly string[];
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
    { smtpUrl, from }: Pick<Config['mail'], 'smtpUrl' | 'from'>,
    options: MailOptions,
  ): Promise<MailService> {
    const transport = smtpUrl ? await MailTransport.open(smtpUrl, from) : null;
    return new MailService(fork, transport, from, options);
  }

  /** Sends the mail of a job, or adds it to a digest. */
  async deliver(job: Job): Promise<void> {
    await this.fork().transactional(async (em) => {
      // Recorded by `EventService`.
      const mail = await prepareMail(em, job.data as NoticeJob, this.options.portal);
      if (!mail || (this.isCollected(mail.kind) && (await this.addToDigest(em, job.id, mail)))) return;
      await this.send(em, job, mail);
    });
  }

  /** Sends a digest. */
  async deliverDigest(job: Job): Promise<void> {
    // Recorded by `digestFor` and `scheduleReviewDigests`.
    const group = job.data as DigestGroup;
    await this.fork().transactional(async (em) => {
      await lockDigestGroup(em, group);
      const mail =
        group.kind === 'reviewers.digest'
          ? await this.dailyDigest(em, group)
          : await composeDigest(em, job.id, group);
      if (!mail) return;
      await this.send(em, job, mail);
      await clearNotices(em, job.id);
    });
  }

  /** Returns null if nothing waits, or if the address was removed from REVIEWERS_EMAIL after the job was recorded. */
  private async dailyDigest(em: EntityManager, { recipient }: DigestGroup): Promise<PreparedMail | null> {
    const isSet = (address: string) => address.toLowerCase() === recipient.toLowerCase();
    if (!this.options.reviewers.some(isSet)) return null;
    return composeReviewDigest(em, recipient, this.options.portal);
  }

  /** Returns true for mails of which only the first is sent at once. Notices to reviewers are always collected (D167). */
  private isCollected(kind: MailKind): boolean {
    if (kind === 'reviewers.notice') return true;
    return kind !== 'reviewers.digest' && this.options.useDigests && isDigested(kind);
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
    // Longer than the time-outs of a slow mail server together: a transaction that ends too early would send the mail again.
    if (this.transport) await em.execute("set local idle_in_transaction_session_timeout = '2min'");
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
        createdAt: now(),
        ...(isForMailbox && { html: toHtml(content), text: toText(content) }),
        ...(digest && { digestId: digest.id, digestDueAt: digest.dueAt, notice: { to, at, content } }),
      })
      .onConflict('id')
      .ignore()
      .execute('run');
    return affectedRows > 0;
  }

  private messageIdOf(jobId: string): string {
    const domain = /@([^\s>]+)/.exec(this.from)?.[1] ?? 'localhost';
    return `<${jobId}@${domain}>`;
  }

  close(): void {
    this.transport?.close();
  }
}

import type { EntityManager } from '@mikro-orm/postgresql';
import type { PortalUrls } from '../../config/formats.js';
import { nowMs } from '../../db/clock.js';
import { ApiKey } from '../api-keys/api-key.entity.js';
import { isLostAddress } from '../developers/developer-email.rules.js';
import { findEvent } from '../events/audit-event.queries.js';
import type { DomainEvent } from '../events/event.types.js';
import { isMailed, MailFacts } from '../events/event-mail.types.js';
import { isForReviewers } from '../events/published-event.types.js';
import { headerLine } from './layout.templates.js';
import { mailFacts } from './mail.queries.js';
import { composeMail } from './mail.templates.js';
import type { PreparedMail, TemplateData } from './mail.types.js';
import { composeReviewerMail } from './reviewer.templates.js';

/** The data of a job: the event, and fields of the job's own. */
export type NoticeJob = DomainEvent & {
  eventId: string;
  /** An address other than the developer's. Its owner's name is not known. */
  recipient?: string;
  /** The link that undoes the change. */
  undoUrl?: string;
  /** Present in a notice to an address of REVIEWERS_EMAIL, which has templates of its own. */
  audience?: 'reviewers';
  /** Missing in jobs that were recorded before D127. */
  facts?: unknown;
};

/** Writes the mail of a job; returns null if there is nothing left to say. */
export async function prepareMail(
  em: EntityManager,
  job: NoticeJob,
  portal: PortalUrls,
): Promise<PreparedMail | null> {
  if (await isObsolete(em, job)) return null;
  const { developer, ...facts } = MailFacts.parse(job.facts ?? (await mailFacts.read(em, job)));
  const auditEvent = await findEvent(em, job.eventId);
  const at = auditEvent.createdAt.toISOString();
  if (job.audience === 'reviewers' && job.recipient && isForReviewers(job)) {
    const content = composeReviewerMail(job, { ...facts, developer, portal });
    return { kind: 'reviewers.notice', to: { name: '', address: job.recipient }, at, content };
  }
  if (!isMailed(job) || !developer) throw new Error(`There is no mail for ${job.kind}`);
  const to = recipientOf(job, developer);
  if (isLostAddress(to.address)) return null;
  const isPresentAddress = to.address.toLowerCase() === developer.email.toLowerCase();
  const undoUrl = job.undoUrl ?? null;
  const content = composeMail(job, { ...facts, developer, auditEvent, portal, undoUrl, isPresentAddress });
  return { kind: job.kind, to, at, content };
}

/** Returns true for a warning about a key that was revoked or has expired before the warning could be sent. */
async function isObsolete(em: EntityManager, event: DomainEvent): Promise<boolean> {
  if (event.kind !== 'key.expiring') return false;
  const key = await em.findOne(ApiKey, event.keyId);
  return !key || key.revokedAt !== null || key.expiresAt.getTime() <= nowMs();
}

/** Returns the job's own recipient, or the developer. The notice about a changed address goes to the former address. */
function recipientOf(job: NoticeJob, developer: TemplateData['developer']) {
  if (job.recipient) return { name: '', address: job.recipient };
  const address = job.kind === 'developer.email-changed' ? job.formerEmail : developer.email;
  return { name: headerLine(developer.name), address };
}

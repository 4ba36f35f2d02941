import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import type { Jobs } from '../../jobs.js';
import { formatTime } from './fragment.templates.js';
import { Mail } from './mail.entity.js';
import type { MailContent, MailKind, PreparedMail } from './mail.types.js';

const hourMs = 60 * 60 * 1000;
/** A digest with more notices than this lists the first ones and the number of the others. */
const maxListed = 100;

/** Notices of one kind to one address, which are collected into one digest. */
export interface DigestGroup {
  kind: MailKind;
  recipient: string;
}

/** A mail that contains several notices. Its id is also the id of its job. */
export interface Digest {
  id: string;
  dueAt: Date;
}

/** Locks a group until the end of the transaction, so that two workers never decide about it at the same time. */
export async function lockDigestGroup(em: EntityManager, { kind, recipient }: DigestGroup): Promise<void> {
  await em.execute("select pg_advisory_xact_lock(hashtextextended('mail:' || ? || ':' || lower(?), 0))", [
    kind,
    recipient,
  ]);
}

/**
 * Returns the digest for a new notice: the open one, or a new one that is due an hour after the last mail of the group.
 * Returns null if the group had no mail within the last hour: then the notice is sent at once. The group must be locked.
 */
export async function digestFor(em: EntityManager, jobs: Jobs, group: DigestGroup): Promise<Digest | null> {
  const recent = sql`lower(recipient) = lower(${group.recipient}) and kind = ${group.kind}
    and created_at > clock_timestamp() - interval '1 hour'`;
  const open = await sql<{ id: string; due_ms: number }>`
    select digest_id as id, ${milliseconds('digest_due_at')} as due_ms from mails
    where ${recent} and digest_due_at > clock_timestamp()
      and not exists (select from mails sent where sent.id = mails.digest_id)
    order by created_at desc limit 1`.execute(em.getKysely());
  if (open.rows[0]) return { id: open.rows[0].id, dueAt: new Date(open.rows[0].due_ms) };
  const sent = await sql<{ sent_ms: number }>`
    select ${milliseconds('created_at')} as sent_ms from mails where ${recent} and digest_id is null
    order by created_at desc limit 1`.execute(em.getKysely());
  if (!sent.rows[0]) return null;
  const digest = { id: newId(), dueAt: new Date(sent.rows[0].sent_ms + hourMs) };
  await jobs.enqueue(em, 'mail-digests', group, { id: digest.id, startAfter: digest.dueAt });
  return digest;
}

const milliseconds = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`;

/** Writes the mail of a digest; returns null if it was already sent. The group must be locked. */
export async function composeDigest(
  em: EntityManager,
  digestId: string,
  { kind }: DigestGroup,
): Promise<PreparedMail | null> {
  const [rows, total] = await em.findAndCount(
    Mail,
    { digestId, notice: { $ne: null } },
    { orderBy: { id: 'asc' }, limit: maxListed },
  );
  const notices = rows.flatMap(({ notice }) => notice ?? []);
  const last = notices.at(-1);
  return last ? { ...last, kind, content: digestContent(notices, total) } : null;
}

/** Clears the content of a digest's notices after the digest was sent. */
export async function clearNotices(em: EntityManager, digestId: string): Promise<void> {
  await em.nativeUpdate(Mail, { digestId }, { notice: null });
}

/** Lists several notices one after the other. A single notice is sent as an ordinary mail. */
function digestContent(notices: readonly Pick<PreparedMail, 'at' | 'content'>[], total: number): MailContent {
  const { content } = notices.at(-1)!;
  if (total === 1) return content;
  const subjects = new Set(notices.map(({ content: { subject } }) => subject));
  const unlisted = total - notices.length;
  const actions = new Set(notices.map(({ content: { action } }) => JSON.stringify(action)));
  const shared = actions.size === 1 ? content.action : null;
  return {
    ...content,
    action: shared,
    subject: `${total} notices: ${content.subject}${subjects.size > 1 ? ', and others' : ''}`,
    heading: `${total} notices from the last hour`,
    body: [
      'We send the first notice of a kind at once, and collect the notices of the next hour in one e-mail. These are the notices since our last e-mail.',
      ...notices.flatMap(({ at, content: { heading, body, action } }) => [
        { title: heading },
        formatTime(new Date(at)),
        ...body,
        ...(shared === null && action !== null ? [action] : []),
      ]),
      ...(unlisted > 0
        ? [`There are ${unlisted} more notices of this kind, which are not listed here.`]
        : []),
    ],
  };
}

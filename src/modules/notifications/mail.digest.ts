import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import type { Jobs } from '../../jobs.js';
import type { MailedKind } from '../audit/event.types.js';
import { Mail } from './mail.entity.js';
import type { MailContent, PreparedMail } from './mail.layout.js';
import { moment } from './mail.links.js';

const hourMs = 60 * 60 * 1000;
/** A longer digest only says how many more there are. */
const maxListed = 100;

/** One kind of notice to one address: what is gathered together. */
export interface Series {
  kind: MailedKind;
  recipient: string;
}

/** A mail that gathers notices; its id is its job's. */
export interface Digest {
  id: string;
  dueAt: Date;
}

/** Makes workers take turns with a series, until the transaction is over: each sees what the one before did. */
export async function lockSeries(em: EntityManager, { kind, recipient }: Series): Promise<void> {
  await em.execute("select pg_advisory_xact_lock(hashtextextended('mail:' || ? || ':' || lower(?), 0))", [
    kind,
    recipient,
  ]);
}

/**
 * Returns the digest that a notice joins: the one that is due, or a new one an hour after the last mail. Null: no mail of
 * the series was sent within the hour, so this one is sent at once. The series must be locked.
 */
export async function digestFor(em: EntityManager, jobs: Jobs, series: Series): Promise<Digest | null> {
  const recent = sql`lower(recipient) = lower(${series.recipient}) and kind = ${series.kind}
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
  await jobs.enqueue(em, 'mail-digests', series, { id: digest.id, startAfter: digest.dueAt });
  return digest;
}

const milliseconds = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`;

/** Writes the mail of a digest; null where it was sent before. The series must be locked. */
export async function composeDigest(
  em: EntityManager,
  digestId: string,
  { kind }: Series,
): Promise<PreparedMail | null> {
  const [rows, total] = await em.findAndCount(
    Mail,
    { digestId, notice: { $ne: null } },
    { orderBy: { id: 'asc' }, limit: maxListed },
  );
  const notices = rows.flatMap(({ notice }) => notice ?? []);
  const last = notices.at(-1);
  return last ? { ...last, kind, content: digestOf(notices, total) } : null;
}

/** Removes what the notices of a digest say, once it is sent. */
export async function clearNotices(em: EntityManager, digestId: string): Promise<void> {
  await em.nativeUpdate(Mail, { digestId }, { notice: null });
}

/** A single notice is the mail that it would have been; several are listed one after the other. */
function digestOf(notices: readonly Pick<PreparedMail, 'at' | 'content'>[], total: number): MailContent {
  const { content } = notices.at(-1)!;
  if (total === 1) return content;
  const subjects = new Set(notices.map(({ content: { subject } }) => subject));
  const left = total - notices.length;
  return {
    ...content,
    subject: `${total} notices: ${content.subject}${subjects.size > 1 ? ', and others' : ''}`,
    heading: `${total} notices of the last hour`,
    body: [
      'We mail the first notice of a kind at once and gather those of the hour after it. These are the ones since our last mail.',
      ...notices.flatMap(({ at, content: { heading, body } }) => [
        { title: heading },
        moment(new Date(at)),
        ...body,
      ]),
      ...(left > 0 ? [`There are ${left} more of this kind, which are not listed here.`] : []),
    ],
  };
}

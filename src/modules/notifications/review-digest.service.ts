import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { v5 as uuidOf } from 'uuid';
import type { PortalUrls } from '../../config-formats.js';
import { now } from '../../db/clock.js';
import type { Jobs } from '../../jobs.js';
import { formatTime, pageOr } from './fragment.templates.js';
import type { MailContent, PreparedMail } from './mail.types.js';
import type { DigestGroup } from './mail-digest.service.js';
import { reviewersBecause } from './reviewer.templates.js';

/** The hour of the day (UTC) at which the digest is sent. */
const digestHour = 7;
/** Submissions that the digest lists. */
const maxListed = 10;
/** Namespace of the ids of digests. */
const namespace = '6b0f4a57-6f0c-4f0e-9d5f-2a4c8f3f7c21';

const kind = 'reviewers.digest';

/**
 * Enqueues the next daily digest for each address (D167). Every worker does this: the id follows from the day and the
 * address, and the queue ignores a job whose id it has.
 */
export async function scheduleReviewDigests(
  em: EntityManager,
  jobs: Jobs,
  reviewers: readonly string[],
): Promise<void> {
  const startAfter = nextDigestAfter(now());
  for (const recipient of reviewers) {
    const id = uuidOf(`${startAfter.toISOString()} ${recipient.toLowerCase()}`, namespace);
    const group: DigestGroup = { kind, recipient };
    await jobs.enqueue(em, 'mail-digests', group, { id, startAfter });
  }
}

function nextDigestAfter(now: Date): Date {
  const at = new Date(now);
  at.setUTCHours(digestHour, 0, 0, 0);
  if (at <= now) at.setUTCDate(at.getUTCDate() + 1);
  return at;
}

interface WaitingRow {
  name: string;
  developer: string;
  isVersion: boolean;
  queuedMs: number;
  isOverdue: boolean;
  /** Counts of the whole queue, the same in every row. */
  waiting: number;
  overdue: number;
}

/** Reads the submissions that have waited longest. */
const longestWaiting = sql<WaitingRow>`
  select coalesce(v.name, a.name) as name, d.name as developer, q.version_id is not null as "isVersion",
    (extract(epoch from q.queued_at) * 1000)::float8 as "queuedMs", q.due_at < now() as "isOverdue",
    count(*) over ()::int as waiting, count(*) filter (where q.due_at < now()) over ()::int as overdue
  from queued_submissions q
  join apps a on a.id = q.app_id
  join developers d on d.id = a.developer_id
  left join app_versions v on v.id = q.version_id
  order by q.queued_at, q.id limit ${maxListed}`;

const reportedRatings = sql<{ count: number }>`
  select count(*)::int as count from ratings where reported_at is not null`;

/** Writes the daily digest; returns null if nothing waits. */
export async function composeReviewDigest(
  em: EntityManager,
  recipient: string,
  portal: PortalUrls,
): Promise<PreparedMail | null> {
  const db = em.getKysely();
  const { rows } = await longestWaiting.execute(db);
  const reported = (await reportedRatings.execute(db)).rows[0]!.count;
  const [oldest] = rows;
  if (!oldest && reported === 0) return null;
  const content = oldest ? aboutSubmissions(oldest, rows, reported) : aboutReports(reported);
  return {
    kind,
    to: { name: '', address: recipient },
    at: now().toISOString(),
    content: {
      ...content,
      action: pageOr(
        portal.queue,
        {},
        'Open the review queue',
        oldest
          ? 'To see the queue, call reviewQueue (GraphQL).'
          : 'To see them, call reportedRatings (GraphQL).',
      ),
      because: reviewersBecause,
    },
  };
}

type Digest = Pick<MailContent, 'subject' | 'heading' | 'body'>;

function aboutSubmissions(oldest: WaitingRow, rows: readonly WaitingRow[], reported: number): Digest {
  const { waiting, overdue } = oldest;
  const unlisted = waiting - rows.length;
  const count = `${waiting} ${waiting === 1 ? 'submission waits' : 'submissions wait'} for review`;
  return {
    subject: `${count}${overdue > 0 ? `, ${overdue} overdue` : ''}`,
    heading: count,
    body: [
      `${overdue === 0 ? 'None' : overdue} of them ${overdue === 1 || overdue === 0 ? 'is' : 'are'} overdue. The oldest has waited since ${formatTime(new Date(oldest.queuedMs))}.`,
      { points: rows.map(pointOf) },
      ...(unlisted > 0 ? [`And ${unlisted} more.`] : []),
      ...(reported > 0 ? [`${reportsWait(reported)}: call reportedRatings (GraphQL) to see them.`] : []),
    ],
  };
}

const aboutReports = (reported: number): Digest => ({
  subject: reportsWait(reported),
  heading: reportsWait(reported),
  body: ['No submission waits for review.'],
});

const reportsWait = (count: number) =>
  `${count} reported ${count === 1 ? 'rating waits' : 'ratings wait'} for a decision`;

const pointOf = ({ name, developer, isVersion, queuedMs, isOverdue }: WaitingRow) => ({
  label: name,
  ...(isOverdue && { tag: 'overdue' }),
  text: `${isVersion ? 'A new version by' : 'By'} ${developer}, since ${formatTime(new Date(queuedMs))}`,
});

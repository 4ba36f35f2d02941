import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { v5 as uuidOf } from 'uuid';
import type { PortalUrls } from '../../config/formats.js';
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

/** The number of ratings and of apps with open reports. */
interface Reported {
  ratings: number;
  apps: number;
}

const openReports = sql<Reported>`
  select (select count(*)::int from ratings where reported_at is not null) as ratings,
    (select count(distinct app_id)::int from app_reports where closed_at is null) as apps`;

/** Writes the daily digest; returns null if nothing waits. */
export async function composeReviewDigest(
  em: EntityManager,
  recipient: string,
  portal: PortalUrls,
): Promise<PreparedMail | null> {
  const db = em.getKysely();
  const { rows } = await longestWaiting.execute(db);
  const reported = (await openReports.execute(db)).rows[0]!;
  const [oldest] = rows;
  if (!oldest && reported.ratings + reported.apps === 0) return null;
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
          : 'To see them, call reportedRatings and appReports (GraphQL).',
      ),
      because: reviewersBecause,
    },
  };
}

type Digest = Pick<MailContent, 'subject' | 'heading' | 'body'>;

function aboutSubmissions(oldest: WaitingRow, rows: readonly WaitingRow[], reported: Reported): Digest {
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
      ...(reported.ratings + reported.apps > 0
        ? [`${reportsWait(reported)}: call reportedRatings and appReports (GraphQL) to see them.`]
        : []),
    ],
  };
}

const aboutReports = (reported: Reported): Digest => ({
  subject: reportsWait(reported),
  heading: reportsWait(reported),
  body: ['No submission waits for review.'],
});

function reportsWait({ ratings, apps }: Reported): string {
  const counts = [
    ratings > 0 ? `${ratings} reported ${ratings === 1 ? 'rating' : 'ratings'}` : '',
    apps > 0 ? `${apps} reported ${apps === 1 ? 'app' : 'apps'}` : '',
  ].filter(Boolean);
  return `${counts.join(' and ')} ${ratings + apps === 1 ? 'waits' : 'wait'} for a decision`;
}

const pointOf = ({ name, developer, isVersion, queuedMs, isOverdue }: WaitingRow) => ({
  label: name,
  ...(isOverdue && { tag: 'overdue' }),
  text: `${isVersion ? 'A new version by' : 'By'} ${developer}, since ${formatTime(new Date(queuedMs))}`,
});

import DataLoader from 'dataloader';
import { sql } from 'kysely';
import type { LoaderSource } from '../../operations/context.js';
import { pagesByOwner } from '../../operations/loaders.js';
import type { OwnedList } from '../../operations/owned-pages.js';
import {
  decisionTimes,
  placesIn,
  type QueueStatements,
  queuePlace,
  reviewQueue,
  verificationQueue,
} from './queue.queries.js';
import { ReviewMessage } from './review-message.entity.js';
import { Submission } from './submission.entity.js';

const messagesOfApp: OwnedList<ReviewMessage> = {
  entity: ReviewMessage,
  table: 'review_messages',
  ownerColumn: 'app_id',
  ownerOf: ({ app }) => app.id,
};

const submissionsOfApp: OwnedList<Submission> = {
  entity: Submission,
  table: 'submissions',
  ownerColumn: 'app_id',
  ownerOf: ({ app }) => app.id,
  // Without the listing that was decided on, which is large and not shown.
  columns: sql`id, created_at, app_id, version_id, queued_at, due_at, claimed_by, claimed_until, ended_at, outcome,
    revision, decided_by, note, rejection, findings`,
  newestFirst: true,
};

export function reviewLoaders({ fork }: LoaderSource) {
  return {
    messages: pagesByOwner(fork, messagesOfApp, (message) => message),
    submissions: pagesByOwner(fork, submissionsOfApp, (submission) => submission),
    /** By the id of the submitted app or version. */
    openSubmission: new DataLoader(async (subjects: readonly string[]) => {
      const ids = [...subjects];
      const rows = await fork().find(Submission, {
        endedAt: null,
        $or: [{ version: ids }, { app: ids, version: null }],
      });
      return subjects.map((id) => rows.find((row) => (row.version?.id ?? row.app.id) === id) ?? null);
    }),
    reviewPlace: queuePositions(fork, reviewQueue),
    verificationPlace: queuePositions(fork, verificationQueue),
  };
}

/** Loads positions in a queue, with an estimate of the waiting time from recent decisions. */
function queuePositions(fork: LoaderSource['fork'], queue: QueueStatements) {
  return new DataLoader(async (ids: readonly string[]) => {
    const db = fork().getKysely();
    const { rows } = await placesIn(queue, ids).execute(db);
    if (rows.length === 0) return ids.map(() => null);
    const recent = (await decisionTimes(queue).execute(db)).rows[0]!;
    return ids.map((id) => {
      const row = rows.find((candidate) => candidate.subject === id);
      return row ? queuePlace(row, recent) : null;
    });
  });
}

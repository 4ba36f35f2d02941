import type { Submission } from './submission.entity.js';
import type { SubmissionRecord } from './submission.types.js';

/** Converts a row to the form that the API shows. */
export const submissionRecord = (row: Submission): SubmissionRecord => ({
  id: row.id,
  submittedAt: row.createdAt,
  dueAt: row.dueAt,
  decidedAt: row.endedAt,
  outcome: row.outcome,
  revision: row.revision,
  rejection: row.rejection,
  note: row.note,
  appId: row.app.id,
  versionId: row.version?.id ?? null,
  decidedBy: row.decidedBy,
  currentClaim:
    row.holder && row.claimedUntil && !row.endedAt ? { by: row.holder, until: row.claimedUntil } : null,
  storedFindings: row.findings,
});

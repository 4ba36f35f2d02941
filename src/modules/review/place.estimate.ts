import type { PaceRow, PlaceRow } from './place.queries.js';
import { type QueuePlace, ReviewStage } from './review.types.js';

const hourMs = 60 * 60 * 1000;
/** Below this, history says less than what we promise. */
const enoughHistory = 5;

/** Where somebody stands, and when to expect a decision: from what recent ones took, or from what is promised. */
export function queuePlace(place: PlaceRow, pace: PaceRow): QueuePlace {
  const known = pace.decided >= enoughHistory;
  const p50 = known ? (pace.p50Ms ?? 0) : 24 * hourMs;
  const p90 = known ? (pace.p90Ms ?? 0) : 48 * hourMs;
  const expected = (durationMs: number) => new Date(Math.max(Date.now(), place.queuedMs + durationMs));
  return {
    stage: place.inReview ? ReviewStage.IN_REVIEW : ReviewStage.QUEUED,
    position: place.position,
    ahead: place.position - 1,
    submittedAt: new Date(place.submittedMs),
    dueAt: new Date(place.dueMs),
    etaP50: expected(p50),
    etaP90: expected(p90),
  };
}

import { inputLength, inputLengths } from './input-lengths.js';

/** A field that costs less than its greatest length. */
export interface CostException {
  /** What is counted: characters of a text, or items of a list; an object is one. */
  of: 'characters' | 'items';
  counts: number;
  /** The most that there can be. */
  most: number;
  why: string;
}

const reasons = inputLengths.lists.get('reasons') ?? 0;
/** The reasons and the guidance of a rejection, which its event contains, with the names of their fields. */
const rejectionLength = inputLength('rejectApp', 'reasons', 'guidance') + reasons * 100;
const rejectionEvent: CostException = {
  of: 'characters',
  counts: 10_000,
  most: rejectionLength + 1_000,
  why: 'Only the event of a rejection is longer, and administrators write its reasons.',
};
const partOfSubmission = (counts: number): CostException => ({
  of: 'items',
  counts,
  most: 1,
  why: 'A page of the default size has to pass with all fields of the app and of the version.',
});

/**
 * All fields that cost less than their greatest length, with the reason (D356). The largest response with one of them is up
 * to `most / counts` times as large as its cost says; a test measures each.
 */
export const costExceptions: Readonly<Record<string, CostException>> = {
  'AuditEvent.data': rejectionEvent,
  'Event.data': rejectionEvent,
  'WebhookDelivery.requestBody': rejectionEvent,
  'Rejection.reasons': {
    of: 'items',
    counts: 3,
    most: reasons,
    why: 'Only administrators write them, and a page of 100 apps has to pass with them.',
  },
  'TimelineEntry.reasons': {
    of: 'items',
    counts: 3,
    most: reasons,
    why: 'Only administrators write them, and most entries of a timeline have none.',
  },
  'WebhookDelivery.attempts': {
    of: 'items',
    counts: 36,
    most: 50,
    why: 'A page of the default size has to pass with all fields, and only deliveries that were sent again and again have more.',
  },
  'Query.myApps': {
    of: 'items',
    counts: 100,
    most: 200,
    why: 'It has no pages, like its route in REST, and has to pass with all fields of an app; QUOTA_APPS bounds it.',
  },
  'ReviewQueueItem.app': partOfSubmission(0.6),
  'ReviewQueueItem.version': partOfSubmission(0.55),
  'Submission.app': partOfSubmission(0.6),
  'Submission.version': partOfSubmission(0.8),
};

/** Returns as how much a field counts; null if it is no exception. */
export const exceptionOf = (type: string, field: string, of: CostException['of']): number | null => {
  const exception = costExceptions[`${type}.${field}`];
  return exception?.of === of ? exception.counts : null;
};

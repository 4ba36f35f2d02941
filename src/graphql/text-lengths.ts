import { loggedTextLength } from '../modules/audit/long-value.rules.js';
import { exceptionOf } from './cost-exceptions.js';
import { inputLength, inputLengths } from './input-lengths.js';

/** The longest text of all inputs. */
export const longestText = Math.max(...inputLengths.texts.values());

/** Texts whose name is that of another input, or of none, but whose length follows from an input. */
const derived: Readonly<Record<string, number>> = {
  'Rating.text': inputLength('rateApp', 'text'),
  'Rating.reply': inputLength('replyToRating', 'text'),
  // Where they are not shortened, their list counts more of them.
  'FieldChange.before': loggedTextLength,
  'FieldChange.after': loggedTextLength,
  'VersionConflict.base': longestText,
  'VersionConflict.live': longestText,
  'VersionConflict.proposed': longestText,
};

/** Texts that the service writes itself, by type and name or by name. A new one has to be entered: a test walks the schema. */
const written: Readonly<Record<string, number>> = {
  'AllowedAction.message': 300,
  'Finding.message': 400,
  // A listing with shortened values.
  'AuditEvent.before': 10_000,
  'AuditEvent.after': 10_000,
  requestHeaders: 1_000,
  // Its bytes (`webhook.transport.ts`).
  responseBody: 4_096,
  ...{ cursor: 600, startCursor: 600, endCursor: 600, secret: 100, maskedKey: 60, date: 10 },
  ...{ action: 60, type: 60, events: 60, restored: 60, fix: 300, failure: 300, error: 300 },
  ...{ disabledReason: 300, actorAccount: 128, by: 128 },
};

/** Returns the greatest length of a text of an output type, in characters; null if it is not known. */
export const greatestLength = (type: string, field: string): number | null =>
  exceptionOf(type, field, 'characters') ??
  derived[`${type}.${field}`] ??
  written[`${type}.${field}`] ??
  written[field] ??
  inputLengths.texts.get(field) ??
  null;

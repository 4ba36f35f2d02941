import { z } from 'zod';
import { contract, type OperationName, operations } from '../contract.js';
import { maxItemsOf } from '../operations/problems.js';

/** Greatest lengths by the name of a field: of texts in characters, and of lists in items. */
interface Lengths {
  texts: Map<string, number>;
  lists: Map<string, number>;
}

/** Collects the rules of all inputs. Where inputs differ, the longest counts. */
function inputLengths(): Lengths {
  const found: Lengths = { texts: new Map(), lists: new Map() };
  for (const [, { input }] of operations) collect('', input, found);
  return found;
}

function collect(name: string, schema: z.ZodType, found: Lengths): void {
  const raise = (lengths: Map<string, number>, length: number) =>
    lengths.set(name, Math.max(length, lengths.get(name) ?? 0));
  const items = maxItemsOf(schema);
  if (items !== null) raise(found.lists, items);
  const inner = plain(schema);
  if (inner instanceof z.ZodObject)
    for (const [field, value] of Object.entries<z.ZodType>(inner.shape)) collect(field, value, found);
  else if (inner instanceof z.ZodString) raise(found.texts, Number(inner.meta()?.maxLength ?? 0));
}

/** Removes what does not matter for lengths: optional, nullable, default, and the list around an item. */
function plain(schema: z.ZodType): z.ZodType {
  let inner = schema;
  for (;;) {
    if (inner instanceof z.ZodArray) inner = inner.element as z.ZodType;
    else if (
      inner instanceof z.ZodOptional ||
      inner instanceof z.ZodNullable ||
      inner instanceof z.ZodDefault
    )
      inner = inner.unwrap() as z.ZodType;
    else return inner;
  }
}

const rules = inputLengths();

/** Returns the greatest length of one field of an operation's input. */
const ruleOf = (operation: OperationName, field: string): number => {
  const shape: Record<string, z.ZodType> = contract[operation].input.shape;
  return Number(plain(shape[field]!).meta()?.maxLength);
};

const longestText = Math.max(...rules.texts.values());

/** Texts whose name is that of another input, or of none, but whose length follows from an input. */
const derived: Readonly<Record<string, number>> = {
  'Rating.text': ruleOf('rateApp', 'text'),
  'Rating.reply': ruleOf('replyToRating', 'text'),
  'VersionConflict.base': longestText,
  'VersionConflict.live': longestText,
  'VersionConflict.proposed': longestText,
};

/** Texts that the service writes itself, by type and name or by name. A new one has to be entered: a test walks the schema. */
const written: Readonly<Record<string, number>> = {
  'AllowedAction.message': 300,
  'Finding.message': 400,
  // Shortened to 600 in the audit log, and most are far shorter.
  'FieldChange.before': 100,
  'FieldChange.after': 100,
  'AuditEvent.before': 10_000,
  'AuditEvent.after': 10_000,
  data: 10_000,
  requestBody: 10_000,
  requestHeaders: 1_000,
  responseBody: 2_000,
  ...{ cursor: 600, startCursor: 600, endCursor: 600, secret: 100, maskedKey: 60, date: 10 },
  ...{ action: 60, type: 60, events: 60, restored: 60, fix: 300, failure: 300, error: 300 },
  ...{ disabledReason: 300, actorAccount: 128, by: 128 },
};

/** Returns the greatest length of a text of an output type, in characters; null if it is not known. */
export const greatestLength = (type: string, field: string): number | null =>
  derived[`${type}.${field}`] ??
  written[`${type}.${field}`] ??
  written[field] ??
  rules.texts.get(field) ??
  null;

/** Lists that no input limits, or only one of administrators, and fields that not every item of a list has. */
const otherLists: Readonly<Record<string, number>> = {
  'Rejection.reasons': 3,
  'Developer.lookalikes': 20,
  // Of the entries of a timeline few are rejections, and most change one field.
  'TimelineEntry.reasons': 0.2,
  'TimelineEntry.changes': 1,
  // Only administrators read these, few submissions are versions, and a page of 100 has to pass with all its fields.
  'ReviewQueueItem.app': 0.6,
  'ReviewQueueItem.version': 0.1,
  'Submission.app': 0.6,
  'Submission.version': 0.1,
  'Submission.rejection': 0.3,
  // Fields that both the developer and an administrator have changed: seldom more than one long text.
  'AppVersion.conflicts': 0.1,
  // One finding of a listing has it; a list of findings counts as three.
  'Finding.about': 1 / 3,
};

/** Returns the greatest length of a list inside an object; null if no rule limits it. */
export const greatestItems = (type: string, field: string): number | null =>
  otherLists[`${type}.${field}`] ?? rules.lists.get(field) ?? null;

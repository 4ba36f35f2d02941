import { momentOf } from '../client/words.ts';
import { wordsOf } from '../components/badge.tsx';
import { fieldName } from './field-names.ts';

type Values = Record<string, unknown> | null;

interface FactChange {
  field: string;
  before: string;
  after: string;
}

/** Texts that people write. The first one in an event is shown as a quotation. */
const quotedFields = ['text', 'reason', 'note', 'guidance'];

/** The sentence of an entry implies them; the details have them. */
const impliedFields: ReadonlySet<string> = new Set([
  'status',
  'revision',
  'resubmission',
  'slug',
  'featured',
  'hidden',
  'addressed',
  'dueAt',
  'stage',
]);

/** Returns whether the sentence of an entry says all about the change of a field. */
export const isImplied = (field: string): boolean =>
  impliedFields.has(field) || field.startsWith('rejection.reasons.');

export const changesBetween = (before: Values, after: Values): (FactChange & { name: string })[] =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
    .map((name) => ({
      name,
      field: fieldName(name),
      before: textOf(before?.[name]),
      after: textOf(after?.[name]),
    }))
    .filter((change) => change.before !== '' || change.after !== '');

/** Returns what somebody wrote in an event: a message, a reason or a note. */
export function quotationOf(after: Values, data: Values): { name: string; text: string } | null {
  const values = { ...after, ...data };
  const name = quotedFields.find((field) => textOf(values[field]) !== '');
  return name === undefined ? null : { name, text: textOf(values[name]) };
}

/** Returns values of enumerations in words, and times as those of the reader. */
function readable(text: string): string {
  if (/^[A-Z]{2,}(_[A-Z]+)+$|^[A-Z]{4,}$/.test(text)) return wordsOf(text);
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? momentOf(text) : text;
}

/** Long texts are stored as an excerpt; empty lists are shown as nothing. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return readable(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value) && value.length === 0) return '';
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
    return value.map(textOf).join(', ');
  if ('excerpt' in value) return `${value.excerpt}…`;
  return JSON.stringify(value, null, 2);
}

const MAX_SUMMARY_TEXT = 60;
const MAX_SUMMARY_PARTS = 4;
const MAX_LABEL = 20;
const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/**
 * Returns the changes of an event in one line. Long values, those that the sentence implies, and the names in it are in
 * the details alone; the line may be empty.
 */
export function summaryOf(
  changes: readonly (FactChange & { name: string })[],
  rest: readonly [string, unknown][],
  namesInSentence: readonly (string | undefined)[],
): string {
  const parts = [
    ...changes
      .filter(
        ({ name, before, after }) =>
          !isImplied(name) && !(name === 'name' && before === '' && namesInSentence.includes(after)),
      )
      .map(({ field, before, after }) => {
        if (before.length + after.length > MAX_SUMMARY_TEXT) return `${field} changed`;
        return `${field}: ${before ? `${before} → ` : ''}${after || 'none'}`;
      }),
    // Ids tell nobody anything in a line.
    ...rest
      .filter(([name, value]) => !isImplied(name) && !ID.test(textOf(value)))
      .filter(([name, value]) => !(name === 'name' && namesInSentence.includes(textOf(value))))
      .map(([name, value]) => `${fieldName(name)}: ${name === 'reasons' ? codesOf(value) : textOf(value)}`)
      .filter((text) => text.length <= MAX_SUMMARY_TEXT + MAX_LABEL && !text.includes('\n')),
  ];
  return parts.slice(0, MAX_SUMMARY_PARTS).join(' · ');
}

/** Returns the reasons of a rejection by their kinds; what each says is in the details. */
const codesOf = (reasons: unknown): string =>
  Array.isArray(reasons)
    ? [...new Set(reasons.map((reason: { code?: unknown }) => textOf(reason.code)))].join(', ')
    : textOf(reasons);

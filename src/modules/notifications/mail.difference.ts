import { isExcerpt } from '../audit/long-value.rules.js';
import type { FieldChange } from './mail.layout.js';
import type { MailSubjects } from './mail.templates.js';

const longest = 600;
/** What changes with every edit or decision, and is no part of the listing. */
const silent = new Set(['revision', 'updatedAt', 'status']);

/** What an event changed, field by field, in words. */
export function differences({
  before,
  after,
}: Pick<MailSubjects['record'], 'before' | 'after'>): FieldChange[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields]
    .filter((field) => !silent.has(field))
    .sort()
    .map((field) => ({ field, before: inWords(before?.[field]), after: inWords(after?.[field]) }));
}

function inWords(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(inALine).join('\n');
  if (isExcerpt(value)) return `${value.excerpt}… (shortened)`;
  return shortened(typeof value === 'object' ? inALine(value) : String(value));
}

/** A screenshot is its address, then its caption; any other list is what it holds. */
function inALine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if ('url' in value) {
    const caption = 'caption' in value && value.caption ? ` (${value.caption})` : '';
    return `${value.url}${caption}`;
  }
  return JSON.stringify(value);
}

const shortened = (text: string) => {
  const characters = [...text];
  return characters.length > longest ? `${characters.slice(0, longest).join('')}… (shortened)` : text;
};

import { createHash } from 'node:crypto';
import type { EventChange } from './event.types.js';

/** The longest text that is stored whole, in characters. */
const maxTextLength = 600;
/** The same for each text inside a list or an object. */
const maxNestedTextLength = 300;

/** Replaces a longer text in the log: its beginning, its length in characters and its digest. */
interface Excerpt {
  excerpt: string;
  length: number;
  sha256: string;
}

/** Shortens long texts, so that the size of a log entry does not depend on the size of the listing (D116). */
export const shortenLongValues = <Fields extends Record<string, unknown> | null>(fields: Fields): Fields =>
  fields &&
  (Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, shortValue(value)])) as Fields);

function shortValue(value: unknown): unknown {
  if (typeof value !== 'string') return shortNested(value);
  const excerpt = excerptOf(value, maxTextLength);
  if (excerpt === null) return value;
  const sha256 = createHash('sha256').update(value).digest('hex');
  return { excerpt, length: [...value].length, sha256 } satisfies Excerpt;
}

/** Keeps the structure of lists and objects, and shortens the texts inside. */
function shortNested(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortNestedText);
  return isPlainObject(value) && !isExcerpt(value)
    ? Object.fromEntries(Object.entries(value).map(([key, nested]) => [key, shortNestedText(nested)]))
    : value;
}

function shortNestedText(value: unknown): unknown {
  if (typeof value !== 'string') return shortNested(value);
  const excerpt = excerptOf(value, maxNestedTextLength);
  return excerpt === null ? value : `${excerpt}…`;
}

/** Returns the first characters of a text that is too long; null if it is short enough. */
function excerptOf(text: string, maxLength: number): string | null {
  if (text.length <= maxLength) return null;
  const characters = [...text];
  return characters.length > maxLength ? characters.slice(0, maxLength).join('') : null;
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

export const isExcerpt = (value: unknown): value is Excerpt =>
  isPlainObject(value) && typeof value.excerpt === 'string' && typeof value.sha256 === 'string';

/** Reduces a change to the names of the changed fields and the revision (D116). */
export function fieldNamesOnly({
  before = {},
  after = {},
}: EventChange): Required<EventChange> & { fields: string[] } {
  const { revision: oldRevision, ...rest } = before;
  const { revision } = after;
  return {
    before: oldRevision === undefined ? {} : { revision: oldRevision },
    after: revision === undefined ? {} : { revision },
    fields: Object.keys(rest),
  };
}

import { createHash } from 'node:crypto';
import type { Change } from './event.service.js';

/** How much of a text a line of the log holds, and how much of each text in a list. */
const longestText = 600;
const longestPart = 300;

/** Stands in the log for a text that is longer: how it begins, its length in characters, and its digest. */
interface Excerpt {
  excerpt: string;
  length: number;
  sha256: string;
}

/** Shortens the long values of a line, so that no line grows with the listing that it is about (D116). */
export const shortened = <Fields extends Record<string, unknown> | null>(fields: Fields): Fields =>
  fields &&
  (Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, shortValue(value)])) as Fields);

function shortValue(value: unknown): unknown {
  if (typeof value !== 'string') return shortParts(value);
  const beginning = beginningOf(value, longestText);
  if (beginning === null) return value;
  const sha256 = createHash('sha256').update(value).digest('hex');
  return { excerpt: beginning, length: [...value].length, sha256 } satisfies Excerpt;
}

/** Lists keep their form: of a long text in one, its beginning stays. */
function shortParts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortPart);
  return isPlainObject(value) && !isExcerpt(value)
    ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shortPart(part)]))
    : value;
}

function shortPart(part: unknown): unknown {
  if (typeof part !== 'string') return shortParts(part);
  const beginning = beginningOf(part, longestPart);
  return beginning === null ? part : `${beginning}…`;
}

/** Null where the text is no longer than that. */
function beginningOf(text: string, longest: number): string | null {
  if (text.length <= longest) return null;
  const characters = [...text];
  return characters.length > longest ? characters.slice(0, longest).join('') : null;
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

export const isExcerpt = (value: unknown): value is Excerpt =>
  isPlainObject(value) && typeof value.excerpt === 'string' && typeof value.sha256 === 'string';

/** What is kept of one edit too many: which fields it changed, and the revision (D116). */
export function namesOnly({ before = {}, after = {} }: Change): Required<Change> & { fields: string[] } {
  const { revision: former, ...rest } = before;
  const { revision } = after;
  return {
    before: former === undefined ? {} : { revision: former },
    after: revision === undefined ? {} : { revision },
    fields: Object.keys(rest),
  };
}

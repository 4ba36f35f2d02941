import unhomoglyph from 'unhomoglyph';
import { invisibleCharacters } from '../../characters.js';

/** More than any honest name has; some characters come apart into eighteen. */
const maxLength = 200;

/** Small capitals, which stand in the table for themselves: Cyrillic letters are mapped to them. */
const smallCapitals: Record<string, string> = {
  ...{ ᴀ: 'a', ʙ: 'b', ᴅ: 'd', ᴇ: 'e', ɢ: 'g', ʜ: 'h', ᴊ: 'j', ĸ: 'k', ʟ: 'l', ʍ: 'm' },
  ...{ ɴ: 'n', ᴘ: 'p', ʀ: 'r', ᴛ: 't' },
};
const smallCapital = new RegExp(`[${Object.keys(smallCapitals).join('')}]`, 'gu');

/**
 * The form in which names that look alike are the same (D113): the skeleton of UTS #39, with case and blanks folded. A
 * capital I looks like a small L, so these two and the small I are one. It is compared, and shown to nobody.
 */
export function nameSkeleton(name: string): string {
  const shapes = unhomoglyph(name.normalize('NFKD').replaceAll(invisibleCharacters, ''))
    .toLowerCase()
    .replaceAll(smallCapital, (letter) => smallCapitals[letter] ?? letter);
  const skeleton = unhomoglyph(shapes)
    .replaceAll('i', 'l')
    .replaceAll(/[\s\u2800]+/gu, ' ')
    .trim();
  return skeleton.normalize('NFD').slice(0, maxLength).toWellFormed();
}

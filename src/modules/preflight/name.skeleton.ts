import unhomoglyph from 'unhomoglyph';
import { invisibleCharacters } from '../../operations/characters.js';

/** More than any honest name has; some characters come apart into eighteen. */
const maxLength = 200;

/** Small capitals, which stand in the table for themselves: Cyrillic letters are mapped to them. */
const smallCapitals: Record<string, string> = {
  ...{ ᴀ: 'a', ʙ: 'b', ᴅ: 'd', ᴇ: 'e', ɢ: 'g', ʜ: 'h', ᴊ: 'j', ĸ: 'k', ʟ: 'l', ʍ: 'm' },
  ...{ ɴ: 'n', ᴘ: 'p', ʀ: 'r', ᴛ: 't' },
};
const smallCapital = new RegExp(`[${Object.keys(smallCapitals).join('')}]`, 'gu');

/** Blanks, hyphens, dots and the like, and accents on Latin, Greek and Cyrillic letters. */
const betweenLetters = /[^\p{L}\p{N}\p{M}]|[\u0300-\u036f]/gu;

/**
 * The form in which names that look alike are the same (D113): the skeleton of UTS #39, without case, accents and
 * what stands between letters. A
 * capital I looks like a small L, so these two and the small I are one. It is compared, and shown to nobody.
 */
export function nameSkeleton(name: string): string {
  const shapes = unhomoglyph(name.normalize('NFKD').replaceAll(invisibleCharacters, ''))
    .toLowerCase()
    .replaceAll(smallCapital, (letter) => smallCapitals[letter] ?? letter);
  const skeleton = unhomoglyph(shapes)
    .replaceAll('i', 'l')
    .replaceAll(/[\s\u2800]+/gu, ' ')
    .trim()
    .normalize('NFD');
  // A name of signs alone is compared by them.
  const letters = skeleton.replaceAll(betweenLetters, '') || skeleton;
  return letters.slice(0, maxLength).toWellFormed();
}

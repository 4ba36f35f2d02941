import unhomoglyph from 'unhomoglyph';
import { invisibleCharacters } from '../../operations/characters.js';

/** Longer than any real name; a single character can be decomposed into eighteen. */
const maxLength = 200;

/** Small capitals: the table of confusable characters maps some Cyrillic letters to them, but not them to Latin letters. */
const smallCapitals: Record<string, string> = {
  ...{ ᴀ: 'a', ʙ: 'b', ᴅ: 'd', ᴇ: 'e', ɢ: 'g', ʜ: 'h', ᴊ: 'j', ĸ: 'k', ʟ: 'l', ʍ: 'm' },
  ...{ ɴ: 'n', ᴘ: 'p', ʀ: 'r', ᴛ: 't' },
};
const smallCapital = new RegExp(`[${Object.keys(smallCapitals).join('')}]`, 'gu');

/** Spaces, hyphens, dots and other separators, and the accents of Latin, Greek and Cyrillic letters. */
const betweenLetters = /[^\p{L}\p{N}\p{M}]|[\u0300-\u036f]/gu;

/**
 * Returns the skeleton of a name, which is equal for names that look alike (D113): the skeleton of UTS #39 without case,
 * accents and separators. A capital I looks like a small L, so both, and the small I, become the same letter. Skeletons
 * are only compared, never shown.
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
  // A name without any letter or digit is compared as it is.
  const letters = skeleton.replaceAll(betweenLetters, '') || skeleton;
  return letters.slice(0, maxLength).toWellFormed();
}

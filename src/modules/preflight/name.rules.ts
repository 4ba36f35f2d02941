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

/** Spaces, hyphens, dots and other separators, and marks that any letter can have, such as accents and circles. */
const betweenLetters =
  /[^\p{L}\p{N}\p{M}]|[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/gu;

/**
 * Signs that make no other name: those of trade marks and copyright, also as raised letters, in a circle at the end of a
 * word or in parentheses, and raised and lowered digits.
 */
const signs = new RegExp(
  [
    '[™℠®©℗\\u{1f12b}-\\u{1f12e}\\u{1f16a}-\\u{1f16c}]',
    '[²³¹⁰⁴-⁹₀-₉]',
    '(?<!\\p{Lm})(?:ᵀᴹ|ˢᴹ|ᴹᶜ|ᴹᴰ|ᴹᴿ)(?!\\p{Lm})',
    '[ⒸⓇⓅ](?![\\p{L}\\p{N}])',
    '[(（](?:tm|sm|r|c)[)）]',
  ].join('|'),
  'giu',
);
const lettersOrDigits = /[\p{L}\p{N}]/u;

/** The number of this rule. Stored skeletons of a lower one are computed again, so a change of the rule raises it. */
export const skeletonRule = 2;

/**
 * Returns the skeleton of a name, which is equal for names that look alike (D113): the skeleton of UTS #39 without case,
 * accents, separators and signs. A capital I looks like a small L, so both, and the small I, become the same letter. Skeletons
 * are only compared, never shown.
 */
export function nameSkeleton(name: string): string {
  const shapes = unhomoglyph(withoutSigns(name).normalize('NFKD').replaceAll(invisibleCharacters, ''))
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

/** A name that consists of signs alone keeps them. */
function withoutSigns(name: string): string {
  const rest = name.replaceAll(signs, '');
  return lettersOrDigits.test(rest) ? rest : name;
}

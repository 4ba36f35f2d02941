import unhomoglyph from 'unhomoglyph';
import { invisibleCharacters } from '../../operations/characters.js';
import { spellGuests, spellLetters, spellSignsInWords, spellSymbols } from './look-alike.rules.js';

/** Longer than any real name; a single character can be decomposed into eighteen. */
const maxLength = 200;

/** Marks that any letter can have, such as accents and circles. */
const commonMarks = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/gu;

/** Marks of any script on nothing, or on a letter of a script in which marks make no other letters. */
const strayMarks =
  /(^|[^\p{L}\p{M}]|[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Armn}\p{sc=Cher}\p{sc=Lisu}\p{sc=Cans}])\p{M}+/gu;

/**
 * The characters that make a name: letters, digits, marks, and plus and number signs after a single letter, as in C++
 * and C#. Spaces, hyphens, dots and other separators are left out. An m is spelt rn here.
 */
const essential = /(?<![\p{L}\p{N}])(?:rn|[\p{L}\p{N}])[+#]{1,2}(?![\p{L}\p{N}+#])|[\p{L}\p{N}\p{M}]/gu;

/** Letters and digits, those on dark discs and squares included. */
const character = '[\\p{L}\\p{N}\\u{1f150}-\\u{1f169}\\u{1f170}-\\u{1f189}]';

/**
 * Signs that make no other name: those of trade marks and copyright, also as raised letters, in a circle at the end of a
 * word or in parentheses, raised and lowered digits, and flags.
 */
const signs = new RegExp(
  [
    '[™℠®©℗\\u{1f12b}-\\u{1f12e}\\u{1f16a}-\\u{1f16c}]',
    '[²³¹⁰⁴-⁹₀-₉]',
    '(?<!\\p{Lm})(?:ᵀᴹ|ˢᴹ|ᴹᶜ|ᴹᴰ|ᴹᴿ)(?!\\p{Lm})',
    '[ⒸⓇⓅ](?![\\p{L}\\p{N}])',
    '[(（](?:tm|sm|r|c)[)）]',
    `(?<!${character}|\\p{RI})\\p{RI}{2}(?!${character}|\\p{RI})`,
  ].join('|'),
  'giu',
);
const anyCharacter = new RegExp(character, 'u');

/** The number of this rule and of near-name.rules.ts. What was stored by a lower one is computed again, so a change of a rule raises it. */
export const skeletonRule = 4;

/**
 * Returns the skeleton of a name, which is equal for names that look alike (D113): the skeleton of UTS #39 without case,
 * accents, separators and signs. A capital I looks like a small L, so both, and the small I, become the same letter. Skeletons
 * are only compared, never shown.
 */
export function nameSkeleton(name: string): string {
  const spelt = spellSymbols(withoutSigns(name).normalize('NFKD').replaceAll(invisibleCharacters, ''));
  const words = spellSignsInWords(spellGuests(spelt.replaceAll(strayMarks, '$1')));
  const shapes = spellLetters(unhomoglyph(spellLetters(words)).toLowerCase());
  const skeleton = unhomoglyph(shapes)
    .replaceAll('i', 'l')
    .replaceAll(/[\s\u2800]+/gu, ' ')
    .trim()
    .normalize('NFD');
  // A name without any letter or digit is compared as it is.
  const letters = skeleton.replaceAll(commonMarks, '').match(essential)?.join('') ?? skeleton;
  return letters.slice(0, maxLength).toWellFormed();
}

/** A name that consists of signs alone keeps them. */
function withoutSigns(name: string): string {
  const rest = name.replaceAll(signs, '');
  return anyCharacter.test(rest) ? rest : name;
}

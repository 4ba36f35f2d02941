import { nameSkeleton } from './name.rules.js';

/** Longer keys are cut: what differs after this many letters is not what users compare. */
const maxLength = 40;
/** Shorter names are other words as soon as a letter is missing ("Chart" and "Cart"), or always ("Ads" and "Ad"). */
const minLengthToMissALetter = 6;
const minLength = 4;

/** A number of its own: "Photo Editor 2" is another name than "Photo Editor 3" (D340). A digit before a letter stands for a letter. */
const numbers = /\p{Nd}+(?!\p{L})/gu;
const words = /[\p{L}\p{M}]+/gu;

/** Separates the keys of one name where they are sent as one text. No key contains it. */
export const keySeparator = '\n';

/** Returns the singular of an English word, or what both forms have in common. */
const singular = (word: string) => {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.length >= 4 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
};

/** Returns the key of a name: its skeleton without plurals and doubled letters, and its numbers. Null if it is too short. */
function keyOf(name: string): { letters: string; number: string } | null {
  const folded = name
    .replaceAll(numbers, ' ')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(words, singular)
    .replaceAll('vv', 'w')
    .replaceAll(/(\p{L})\1+/gu, '$1');
  const letters = nameSkeleton(folded).replaceAll('rn', 'm').slice(0, maxLength).toWellFormed();
  const hasLetters = letters.length >= minLength && /^[\p{L}\p{N}\p{M}]+$/u.test(letters);
  return hasLetters ? { letters, number: name.match(numbers)?.join('.').slice(0, maxLength) ?? '' } : null;
}

/** Returns a text without one of its letters, in every way. The first letter stays: without it, it is another word. */
const withoutOne = (letters: string) =>
  letters.length < minLengthToMissALetter
    ? []
    : Array.from(letters.slice(1), (_, i) => letters.slice(0, i + 1) + letters.slice(i + 2));

/** Returns a text with two neighbouring letters exchanged, in every way. */
const withTwoExchanged = (letters: string) =>
  letters.length < minLengthToMissALetter
    ? []
    : Array.from(
        letters.slice(2),
        (next, i) => letters.slice(0, i + 1) + next + letters[i + 1] + letters.slice(i + 3),
      );

const asKeys = (kind: '=' | '-', number: string, texts: readonly string[]) =>
  texts.map((letters) => `${kind}${letters}#${number}`.toWellFormed());

/** Returns the keys that are stored for a public name: `=` and the name, and `-` and the name without one letter. */
export function storedNearKeys(name: string): string[] {
  const key = keyOf(name);
  if (!key) return [];
  return [...asKeys('=', key.number, [key.letters]), ...asKeys('-', key.number, withoutOne(key.letters))];
}

/**
 * Returns the stored keys that a name is compared with (D421). One of them is stored for every name that is the same but for
 * plurals and doubled letters, or that has one letter more or less, or two neighbouring letters exchanged.
 */
export function soughtNearKeys(name: string): string[] {
  const key = keyOf(name);
  if (!key) return [];
  const { letters, number } = key;
  const same = [letters, ...withoutOne(letters), ...withTwoExchanged(letters)];
  return [...new Set([...asKeys('=', number, same), ...asKeys('-', number, [letters])])];
}

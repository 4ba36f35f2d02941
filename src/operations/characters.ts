/** Rules about characters that make different texts look the same (D106). */

const bidirectional = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const reordering = /[\u202a-\u202e\u2066-\u2069]/u;

/** Scripts in which a joiner changes how a word looks. */
const joining = [
  ...['Arabic', 'Syriac', 'Nko', 'Mandaic', 'Mongolian', 'Phags_Pa', 'Adlam', 'Hanifi_Rohingya'],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam'],
  ...['Sinhala', 'Khmer', 'Myanmar', 'Tibetan', 'Balinese', 'Javanese'],
]
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');
const joiningLetter = `(?=[\\p{L}\\p{M}])[${joining}]`;

/** Invisible characters in positions where they change how a text looks. Each pattern looks at direct neighbours only, so matching takes linear time. */
const needed = [
  `(?<=${joiningLetter})[\\u200c\\u200d](?=${joiningLetter})`,
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  '(?<=\\p{Unified_Ideograph})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  '(?<=\\p{Script=Mongolian})[\\u180b-\\u180f]',
  // Flags of regions: a black flag, followed by the region's code in tag characters.
  '(?<=\\u{1f3f4})[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{3,6}\\u{e007f}',
];
/** Format characters that are visible, such as signs before Arabic numbers. */
const visibleFormat = '\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}';
/** Blank characters outside Unicode's own class: braille and music blanks, fillers, line separators, the object placeholder. */
const furtherInvisible = '\\u2800\\u2028\\u2029\\ufffc\\u{16fe4}\\u{1d159}';
const invisible = `(?![${visibleFormat}])[\\p{Default_Ignorable_Code_Point}\\p{Cf}${furtherInvisible}]`;
const neededOrHidden = new RegExp(`${needed.join('|')}|(${invisible})`, 'gu');
const anyInvisible = new RegExp(invisible, 'u');
const visible = new RegExp(`(?!${invisible})\\P{White_Space}`, 'u');

/** Returns false for a text of white space and invisible characters alone, which is as good as empty. */
export const hasVisibleCharacter = (text: string) => visible.test(text);

/** Matches every invisible character, needed or not. */
export const invisibleCharacters = new RegExp(`(?!\\u2800|\\u2028|\\u2029)${invisible}`, 'gu');

const nameOf = (character: string) =>
  `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;

/** Returns the first character that a one-line text must not contain: it reorders the text or is invisible. */
function hiddenIn(text: string): string | undefined {
  if (!anyInvisible.test(text)) return undefined;
  for (const { 1: hidden } of text.matchAll(neededOrHidden)) if (hidden !== undefined) return hidden;
  return undefined;
}

/** Returns why the characters of a one-line text are rejected, or null if they are allowed. */
export function problemOfLine(text: string): string | null {
  const hidden = hiddenIn(text);
  if (hidden === undefined) return null;
  const kind = bidirectional.test(hidden) ? 'bidirectional control characters' : 'invisible characters';
  return `must not contain ${kind} (found ${nameOf(hidden)}): remove them`;
}

/** Does the same for a text of several paragraphs, in which direction marks and joiners are allowed. */
export function problemOfParagraphs(text: string): string | null {
  const found = reordering.exec(text)?.[0];
  return found === undefined
    ? null
    : `must not contain characters that reorder text (found ${nameOf(found)}): remove them, or use the marks U+200E and U+200F`;
}

/** The limit of combining marks in a row in UAX #15 (stream-safe text). Normalising more takes quadratic time. */
export const maxMarks = 30;
const stacked = new RegExp(`\\p{M}{${maxMarks + 1}}`, 'u');
export const hasStackedMarks = (text: string) => stacked.test(text);

/** Counts code points without copying the text. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Texts that grow: `unit` repeated between `before` and `after`. */
interface GrowingText {
  before?: string;
  unit: string;
  after?: string;
}

/** Texts that cost normalisation, expressions, URL parsers or searches more than their length. */
const growingTexts: Readonly<Record<string, GrowingText>> = {
  'combining marks of one class': { before: 'a', unit: '\u0301' },
  'combining marks out of order': { before: 'a', unit: '\u0301\u0323\u0334' },
  'combining marks after each letter': { unit: 'a\u0323\u0301' },
  'hangul jamo': { unit: '\u1100\u1161\u11a8' },
  'characters that normalisation splits': { unit: '\u0344\u1d160\ufb2c' },
  spaces: { unit: ' ' },
  'spaces between letters': { before: 'a', unit: ' ', after: 'b' },
  'no-break spaces': { before: 'a', unit: '\u00a0', after: 'b' },
  'line breaks': { before: 'a', unit: '\r\n', after: 'b' },
  'zero-width spaces': { unit: '\u200b' },
  'bidirectional isolates': { unit: '\u2066' },
  'emoji joined by ZWJ': { unit: '👩\u200d' },
  'lone surrogates': { unit: '\ud800' },
  'NUL characters': { unit: '\u0000' },
  'one long word': { unit: 'a' },
  'capital letters that grow': { unit: 'İ' },
  'one word again and again': { unit: 'task ' },
  digits: { unit: '9' },
  hyphens: { before: 'a', unit: '-', after: 'b' },
  'words with hyphens': { unit: 'a-' },
  dots: { unit: 'a.' },
  'at signs': { unit: 'a@' },
  'an e-mail address': { before: 'a@', unit: 'a.', after: 'a' },
  'an e-mail address with a long local part': { unit: 'a.', after: 'a@example.com' },
  'an address with many labels': { before: 'https://', unit: 'a.', after: 'example/' },
  'an address with many international labels': { before: 'https://', unit: 'é.', after: 'example/' },
  'an address with one international label': { before: 'https://', unit: 'éü', after: '.example/' },
  'an address with a long path': { before: 'https://a.example/', unit: 'a/../' },
  'an address with escapes': { before: 'https://a.example/', unit: '%C3%A9' },
  'an address with many at signs': { before: 'https://', unit: 'a:@', after: 'example' },
  slashes: { unit: '/' },
  'percent signs': { unit: '%' },
  'percent escapes': { unit: '%25' },
  backslashes: { unit: '\\' },
  quotes: { unit: '"' },
  apostrophes: { unit: "'" },
  brackets: { unit: '(' },
  'operators of a search': { unit: '!a&(b|c)<->' },
  wildcards: { unit: '_%*' },
  commas: { unit: ',' },
  'list of quoted words': { unit: '"a", ' },
  markup: { unit: '<a>' },
  'broken markup': { unit: '<a href="' },
  'Markdown links': { unit: '[a](' },
  'a token with many parts': { unit: 'eyJhIjoxfQ.' },
};

/** JSON that grows; as text, because parsed values could repeat no key and hold no 1e400. */
const growingJson: Readonly<Record<string, (count: number) => string>> = {
  'a list of nulls': (count) => list(count, () => 'null'),
  'a list of empty objects': (count) => list(count, () => '{}'),
  'a list of empty lists': (count) => list(count, () => '[]'),
  'a list of numbers': (count) => list(count, (i) => `${i}`),
  'a list of texts': (count) => list(count, (i) => `"text ${i}"`),
  'a list of objects with an unknown field': (count) => list(count, () => '{"nobodyKnows":1}'),
  'a list of objects with a wrong field': (count) => list(count, () => '{"url":1,"code":"X","message":[]}'),
  'a list of addresses': (count) => list(count, (i) => `{"url":"https://a.example/${i}.png"}`),
  'a list of one enum value': (count) => list(count, () => '"APP_READ"'),
  'an object of unknown fields': (count) => object(count, (i) => `"unknown${i}":1`),
  'an object of near-miss fields': (count) => object(count, (i) => `"descripton${i}":"x"`),
  'an object of long unknown fields': (count) => object(count / 64, (i) => `"${'n'.repeat(500)}${i}":1`),
  'one key again and again': (count) => object(count, (i) => `"name":"${i}"`),
  '__proto__ again and again': (count) => object(count, () => '"__proto__":{"a":1}'),
  'numbers as keys': (count) => object(count, (i) => `"${count * 1000 - i}":1`),
  'nested lists': (count) => '['.repeat(count) + ']'.repeat(count),
  'nested objects': (count) => `${'{"a":'.repeat(count)}1${'}'.repeat(count)}`,
  'nested known objects': (count) => `${'{"input":{"screenshots":['.repeat(count)}1${']}}'.repeat(count)}`,
  'a number with many digits': (count) => `1${'0'.repeat(count)}`,
  'a fraction with many digits': (count) => `0.${'1'.repeat(count)}`,
  'escapes in a text': (count) => `"${'\\u0301'.repeat(count)}"`,
  'a number that is none': (count) => nearNumbers[count % nearNumbers.length]!,
  'a list of numbers that are none': (count) => list(count, (i) => nearNumbers[i % nearNumbers.length]!),
};

const nearNumbers = ['1e400', '-1e400', '-0', '9007199254740993', '"1 "', '1.0', '"1"', '1e-400', '"0x1"'];

const times = (count: number, item: (index: number) => string) =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, i) => item(i)).join();
const list = (count: number, item: (index: number) => string) => `[${times(count, item)}]`;
const object = (count: number, field: (index: number) => string) => `{${times(count, field)}}`;

export const textKinds = Object.keys(growingTexts);
export const valueKinds = [...textKinds, ...Object.keys(growingJson)];

/** Returns a text of a kind with about this many UTF-16 units. */
export function growText(kind: string, units: number): string {
  const { before = '', unit, after = '' } = growingTexts[kind]!;
  return before + unit.repeat(Math.max(1, Math.ceil(units / unit.length))) + after;
}

/** Returns a value of a kind as JSON: texts grow by their length, all others by how many items they have. */
export const growJson = (kind: string, size: number): string =>
  kind in growingTexts ? JSON.stringify(growText(kind, size)) : growingJson[kind]!(size);

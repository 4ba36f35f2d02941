import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { markdownHtml } from '../../src/pages/storefront/markdown.html.js';
import { markdownTokens } from '../../src/pages/storefront/markdown-tokens.js';
import { leastCpuMs, maxMs } from '../support/cpu.js';

const MAX_LENGTH = 20_000;
/** Half of what a request may take. */
const maxReadMs = maxMs / 2;
const parts = [
  '*',
  '_',
  '**',
  '__',
  'a',
  '[',
  ']',
  '](',
  '!',
  '`',
  '~~',
  '<',
  '|',
  '\n',
  '\n\n',
  '- ',
  '> ',
].concat([
  '@',
  'a.',
  '>',
  '1. ',
  '    ',
  '&',
  '\\',
  'http://a',
  '|\n',
  '|-',
  '\n-\n',
  '```\n',
  '[a]: b\n',
  '=\n',
  '\t',
  ' ',
]);
const longest = (part: string) => part.repeat(Math.ceil(MAX_LENGTH / part.length)).slice(0, MAX_LENGTH);
/** Paragraphs that stay below the bound for one paragraph. */
const paragraphs = (part: string) => longest(`${longest(part).slice(0, 190)}\n\n`);

/** Emphasis within emphasis around a text. */
const nested = (depth: number, text: string) =>
  [...Array(depth).keys()].map((at) => (at % 2 ? '_a ' : '*a ')).join('') +
  text +
  [...Array(depth).keys()].map((at) => ((depth - 1 - at) % 2 ? ' a_' : ' a*')).join('');

/** Every pair of parts, and what took seconds. */
const texts = [
  ...parts.flatMap((first) => parts.map((second) => longest(first + second))),
  ...['*a_', 'a]*', '**a_', '*_a', '*a __', 'a_b_c'].flatMap((part) => [longest(part), paragraphs(part)]),
  `${'|a'.repeat(3000)}|\n${'|-'.repeat(3000)}|\n${'|\n'.repeat(1900)}`,
  `${'|a'.repeat(100)}|\n${'|-'.repeat(100)}|\n${'|\n'.repeat(480)}`,
  ...['>', '> - ', '- > ', '1) > '].flatMap((part) =>
    [20, 30, 900, 10_000].flatMap((depth) => {
      const deep = `${part.repeat(depth)}\nx`;
      return [deep.slice(0, MAX_LENGTH), longest(`${deep}\n\n`)];
    }),
  ),
  nested(48, `${'a'.repeat(499)} `.repeat(36)),
  nested(400, 'a '),
  `a\n${`a\n${'> - '.repeat(10)}a\n`.repeat(240)}`,
  `${`a b\n${'+ > - '.repeat(7)}> *a*\n`.repeat(240)}`,
  `[a]: http://x.y/${'"'.repeat(9000)}\n\n${`${'[a] '.repeat(11)}\n\n`.repeat(235)}`,
  `[a]: http://x.y/${'b'.repeat(470)}\n\n${`${'[a] '.repeat(20)}\n\n`.repeat(230)}`,
  ...['+', 'a.', '1.'].flatMap((part) => [`${longest(part).slice(1)}@`, longest(`${part.repeat(200)}@ `)]),
  ...['aaaaaaa\n-', '    aaaa\n', '-->.\n', 'a\n'].map((part) => `- ${part.repeat(490)}`),
];

/** Marks and their ends, which stand inside each other around a text. */
const marks = [
  ...(['*', '_', '**', '~~', '`', '***'] as const).map((mark) => [`${mark}a `, ` a${mark}`]),
  ...[
    ['[a ', ' a](http://x)'],
    ['![a ', ' a](b)'],
    ['<a ', '>'],
    ['> ', ''],
    ['- ', ''],
    ['1. ', ''],
    ['  - ', ''],
  ],
] as [string, string][];
const fillings = [
  'a ',
  'a\n',
  'a\n\n',
  '[a] ',
  'x@y.z ',
  'http://a.b ',
  `${'a'.repeat(400)} `,
  '\n> a\n',
  '***',
  '| a ',
];
const times = fc.constantFrom(1, 3, 10, 48, 300, 2000);
const fill = (part: string, count: number) =>
  part.repeat(Math.min(count, Math.ceil(MAX_LENGTH / part.length)));
/** A definition, and blocks of marks inside each other around a text. */
const anyText = fc
  .record({
    address: fc.tuple(fc.constantFrom('"', 'b', '<'), times),
    around: fc.tuple(fc.array(fc.constantFrom(...marks), { minLength: 1, maxLength: 3 }), times),
    filling: fc.tuple(fc.array(fc.constantFrom(...fillings), { minLength: 1, maxLength: 3 }), times),
    end: fc.constantFrom('\n', '\n\n', '\nx\n'),
    blocks: times,
  })
  .map(({ address, around: [kinds, depth], filling: [parts, count], end, blocks }) => {
    const nesting = Array.from({ length: depth }, (_, at) => kinds[at % kinds.length]!);
    const begins = nesting.map(([begin]) => begin).join('');
    const ends = nesting.map(([, mark]) => mark).toReversed();
    const block = `${begins}${fill(parts.join(''), count)}${ends.join('')}${end}`;
    return `[a]: http://x.y/${fill(...address)}\n\n${fill(block, blocks)}`.slice(0, MAX_LENGTH);
  });

interface Part {
  tokens?: Part[];
  items?: Part[];
  header?: Part[];
  rows?: Part[][];
}
const childrenOf = ({ tokens = [], items = [], header = [], rows = [] }: Part) => [
  ...tokens,
  ...items,
  ...header,
  ...rows.flat(),
];
const count = (tokens: Part[]): number =>
  tokens.reduce((sum, token) => sum + 1 + count(childrenOf(token)), 0);
const depth = (tokens: Part[]): number => Math.max(0, ...tokens.map((token) => 1 + depth(childrenOf(token))));

describe('Markdown of a developer', () => {
  it('is read in a bounded time, whatever it contains (D280)', async () => {
    for (const text of texts) {
      const ms = await leastCpuMs(async () => markdownTokens(text));
      expect({ text: text.slice(0, 30), isBounded: ms <= maxReadMs }).toEqual({
        text: text.slice(0, 30),
        isBounded: true,
      });
    }
  });

  it('is read in a bounded time, and becomes a bounded page, however its parts are nested (D280)', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        expect(await leastCpuMs(async () => markdownTokens(text))).toBeLessThan(maxReadMs);
        expect(markdownHtml(text).length).toBeLessThan(600_000);
      }),
      { numRuns: 200, endOnFailure: true },
    );
  });

  it('becomes a bounded number of elements, nested to a bounded depth (D280)', () => {
    for (const text of texts) {
      const tokens = markdownTokens(text) as Part[];
      expect(count(tokens)).toBeLessThan(25_000);
      expect(depth(tokens)).toBeLessThan(150);
      expect(markdownHtml(text).length).toBeLessThan(600_000);
    }
  });

  it('has headings below those of the page, without leaving out a level', () => {
    expect(markdownHtml('## One\n\n### Two\n\n## Three')).toMatch(/<h3.*<h4.*<h3/);
    expect(markdownHtml('# One\n\n## Two')).toMatch(/<h3.*<h4/);
  });

  it('keeps the text that is beyond a bound (D280)', () => {
    const tokens = markdownTokens(`Before\n\n${'*a_'.repeat(300)}\n\n**after**`);
    expect(tokens.map(({ raw }) => raw).join('')).toContain('*a_'.repeat(300));
    expect(tokens.at(-1)).toMatchObject({ type: 'paragraph', tokens: [{ type: 'strong', text: 'after' }] });
  });
});

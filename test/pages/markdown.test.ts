import { describe, expect, it } from '@jest/globals';
import { markdownTokens } from '../../src/pages/storefront/markdown-tokens.js';
import { leastCpuMs, maxMs } from '../support/cpu.js';

const MAX_LENGTH = 20_000;
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
  ...['+', 'a.', '1.'].flatMap((part) => [`${longest(part).slice(1)}@`, longest(`${part.repeat(200)}@ `)]),
  ...['aaaaaaa\n-', '    aaaa\n', '-->.\n', 'a\n'].map((part) => `- ${part.repeat(490)}`),
];

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
      expect({ text: text.slice(0, 30), isBounded: ms <= maxMs }).toEqual({
        text: text.slice(0, 30),
        isBounded: true,
      });
    }
  });

  it('becomes a bounded number of elements, nested to a bounded depth (D280)', () => {
    for (const text of texts) {
      const tokens = markdownTokens(text) as Part[];
      expect(count(tokens)).toBeLessThan(25_000);
      expect(depth(tokens)).toBeLessThan(150);
    }
  });

  it('keeps the text that is beyond a bound (D280)', () => {
    const tokens = markdownTokens(`Before\n\n${'*a_'.repeat(300)}\n\n**after**`);
    expect(tokens.map(({ raw }) => raw).join('')).toContain('*a_'.repeat(300));
    expect(tokens.at(-1)).toMatchObject({ type: 'paragraph', tokens: [{ type: 'strong', text: 'after' }] });
  });
});

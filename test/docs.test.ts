import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const text = readFileSync('docs/decisions.md', 'utf8');
const testFiles = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `/${file}`);

/** The entries: `### D42 Title`, some sentences, and a line `Tests: …`. */
const entries = [...text.matchAll(/^### (D\d+) (.+)\n([\s\S]*?)(?=^##)/gm)].map(
  ([, number = '', title = '', body = '']) => ({
    number,
    title,
    tests: namesIn(/^Tests: .*$/m.exec(body)?.[0]),
  }),
);
const numbers = entries.map(({ number }) => number);

/** The decisions that names of tests cite at their end: `… (D1, D2)`. */
const cited = testFiles
  .map((file) => readFileSync(join('test', file), 'utf8'))
  .flatMap((source) => [...source.matchAll(/\((D\d+(?:, D\d+)*)\)['"`]/g)])
  .flatMap(([, list = '']) => list.split(', '));

function namesIn(line = ''): string[] {
  return [...line.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

/** The line of the index that leads to a heading, with the anchor that GitHub gives it. */
const linkTo = (heading: string) =>
  `- [${heading}](#${heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')})`;

describe('docs/decisions.md', () => {
  it('gives each decision a number of its own and a line in the index', () => {
    expect(numbers.length).toBeGreaterThan(0);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(text.match(/^- \[D\d+ .*$/gm)).toEqual(
      entries.map(({ number, title }) => linkTo(`${number} ${title}`)),
    );
  });

  it.each(numbers)('%s is cited by the name of a test', (number) => {
    expect(cited.includes(number)).toBe(true);
  });

  it('has every decision that a test cites', () => {
    expect([...new Set(cited)].filter((number) => !numbers.includes(number))).toEqual([]);
  });

  it.each(entries)('$number names tests that exist', ({ tests }) => {
    const exists = (test: string) =>
      test.endsWith('/*')
        ? testFiles.some((file) => file.includes(`/${test.slice(0, -1)}`))
        : testFiles.some((file) => file.endsWith(`/${test}.test.ts`));
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.filter((test) => !exists(test))).toEqual([]);
  });

  it('has a reason for every dependency, and lists no other package', () => {
    const rows = [...text.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
      readFileSync('package.json', 'utf8'),
    );
    const packages = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
    const covers = (row: string, name: string) =>
      row.endsWith('*') ? name.startsWith(row.slice(0, -1)) : row === name;
    expect(packages.filter((name) => !rows.some((row) => covers(row, name)))).toEqual([]);
    expect(rows.filter((row) => !packages.some((name) => covers(row, name)))).toEqual([]);
    expect(new Set(rows).size).toBe(rows.length);
  });
});

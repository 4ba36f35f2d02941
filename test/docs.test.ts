import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../src/config.js';
import { headers } from '../src/rest/openapi/components.js';

const text = readFileSync('docs/decisions.md', 'utf8');
const testFiles = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
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

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

describe('docs/decisions.md', () => {
  it('gives each decision a number of its own and a line in the index', () => {
    expect(numbers.length).toBeGreaterThan(0);
    expect(new Set(numbers).size).toBe(numbers.length);
    const headings = entries.map(({ number, title }) => `${number} ${title}`);
    expect(text.match(/^- \[D\d+ .*$/gm)).toEqual(
      headings.map((heading) => `- [${heading}](#${anchorOf(heading)})`),
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
      test.endsWith('*')
        ? testFiles.some((file) => file.includes(`/${test.slice(0, -1)}`))
        : testFiles.some((file) => file.endsWith(`/${test}.test.ts`));
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.filter((test) => !exists(test))).toEqual([]);
  });

  it('has a reason for every dependency, and lists no other package', () => {
    const rows = [...text.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
    const packages = ['package.json', 'test/clients/package.json']
      .map((file) => JSON.parse(readFileSync(file, 'utf8')))
      .flatMap(({ dependencies, devDependencies, optionalDependencies, peerDependencies }) =>
        Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies }),
      );
    const covers = (row: string, name: string) =>
      row.endsWith('*') ? name.startsWith(row.slice(0, -1)) : row === name;
    expect(packages.filter((name) => !rows.some((row) => covers(row, name)))).toEqual([]);
    expect(rows.filter((row) => !packages.some((name) => covers(row, name)))).toEqual([]);
    expect(new Set(rows).size).toBe(rows.length);
  });
});

describe('the documents', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', 'bench/README.md'].concat(
    readdirSync('docs')
      .filter((file) => file.endsWith('.md'))
      .map((file) => join('docs', file)),
  );
  const anchorsIn = (page: string) =>
    [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

  it.each(pages)('%s links only to files and headings that exist', (page) => {
    const links = [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)];
    const broken = links.filter(([, path = '', anchor = '']) => {
      const target = path === '' ? page : join(dirname(page), path);
      return !existsSync(target) || (anchor !== '' && !anchorsIn(target).includes(anchor));
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it('docs/operations.md lists the default rate limits (D34)', () => {
    const section = /^## Limits$([\s\S]*?)^## /m.exec(readFileSync('docs/operations.md', 'utf8'))?.[1] ?? '';
    const rows = [...section.matchAll(/^\| `([\w-]+)` \| ([\d,]+)(?: an hour)? \|/gm)];
    const documented = rows.map(([, name = '', limit = '']) => [name, Number(limit.replaceAll(',', ''))]);
    expect(Object.fromEntries(documented)).toEqual(loadConfig({}).rateLimits);
  });

  it('the OpenAPI document shows the default rate limit (D34)', () => {
    const limit = loadConfig({}).rateLimits?.public ?? 0;
    expect(headers['RateLimit-Policy'].example).toBe(`"public";q=${limit};w=60`);
    expect(headers.RateLimit.example).toBe(`"public";r=${limit - 1};t=60`);
  });

  it('docs/architecture.md shows an operation as the contract declares it', () => {
    const [, example = ''] =
      /^```ts\n(export const[\s\S]*?)^```$/m.exec(readFileSync('docs/architecture.md', 'utf8')) ?? [];
    expect(example).toContain('export const submitApp');
    expect(readFileSync('src/modules/apps/app.contract.ts', 'utf8')).toContain(example);
  });

  it.each(pages)('%s names files that exist', (page) => {
    const named = [...readFileSync(page, 'utf8').matchAll(/`([\w./-]+\.tsx?)`/g)].map(
      ([, path = '']) => path,
    );
    const files = ['src', 'web', 'test', 'bench', 'mikro-orm.config.ts'].flatMap((root) =>
      root.endsWith('.ts')
        ? [`/${root}`]
        : readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) => `/${root}/${file}`),
    );
    expect(named.filter((path) => !files.some((file) => file.endsWith(`/${path}`)))).toEqual([]);
  });
});

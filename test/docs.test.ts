import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../src/config.js';
import { headers } from '../src/rest/openapi/components.js';

const [rulesText = '', formerText = ''] = readFileSync('docs/rules.md', 'utf8').split(
  '\n## Former numbers\n',
);

/** The rules: a paragraph that begins with `**D42 Title.**`, and ends with `*Untested* …` if no test holds it. */
const rules = [...rulesText.matchAll(/^\*\*(D\d+) [^*]+\.\*\* (.+)$/gm)].map(
  ([, number = '', text = '']) => ({
    number,
    isTested: !text.includes('*Untested*'),
  }),
);
const numbers = rules.map(({ number }) => number);
const former = numbersIn(formerText);

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => !file.includes('node_modules'))
    .map((file) => join(folder, file));

const testFiles = filesBelow('test').filter((file) => file.endsWith('.test.ts'));

/** The rules that names of tests cite at their end: `… (D1, D2)`. */
const citedByTests = testFiles
  .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\((D\d+(?:, D\d+)*)\)['"`]/g)])
  .flatMap(([, list = '']) => list.split(', '));

function numbersIn(text: string): string[] {
  return text.match(/\bD\d{1,3}\b/g) ?? [];
}

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

describe('docs/rules.md', () => {
  it('gives each rule a number of its own, which no former rule had', () => {
    expect(numbers.length).toBeGreaterThan(200);
    expect(numbersIn(rulesText).filter((number) => !numbers.includes(number))).toEqual([]);
    const all = [...numbers, ...former];
    expect(all.filter((number, at) => all.indexOf(number) !== at)).toEqual([]);
    expect(rulesText.match(/^\*\*D\d+/gm)).toHaveLength(numbers.length);
  });

  it.each(rules)('$number is cited by the name of a test, or said to be untested', ({ number, isTested }) => {
    expect(citedByTests.includes(number)).toBe(isTested);
  });

  const sources = ['src', 'web', 'cli', 'bench', 'scripts', 'test', 'docs', 'ops', 'schema'].flatMap(
    filesBelow,
  );
  const cites = /\.(tsx?|mjs|css|sql|md|graphql|yml)$/;
  const citing = [...sources, 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docker-compose.yml']
    .filter((file) => cites.test(file) && file !== 'docs/rules.md')
    .map((file) => ({ file, cited: numbersIn(readFileSync(file, 'utf8')) }));

  it('has every number that is cited anywhere', () => {
    // Released migrations are never edited, so they, and the schema that they create, may cite former numbers.
    const isFrozen = (file: string) => /^(src\/db\/migrations\/|schema\/database\.sql)/.test(file);
    const known = (file: string) => (isFrozen(file) ? [...numbers, ...former] : numbers);
    const broken = citing.flatMap(({ file, cited }) =>
      cited.filter((number) => !known(file).includes(number)).map((number) => `${file}: ${number}`),
    );
    expect(broken).toEqual([]);
    expect(citing.flatMap(({ cited }) => cited).length).toBeGreaterThan(1_000);
  });
});

describe('docs/architecture.md', () => {
  const text = readFileSync('docs/architecture.md', 'utf8');

  it('has a reason for every dependency, and lists no other package', () => {
    const [, table = ''] = /^## Dependencies\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(text) ?? [];
    const cells = [...table.matchAll(/^\| (`.+?`) \|/gm)].map(([, cell = '']) => cell);
    const rows = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
    const packages = ['.', 'web', 'bench', 'test/clients']
      .map((folder) => `${folder}/package.json`)
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

  it('shows an operation as the contract declares it', () => {
    const [, example = ''] = /^```ts\n(export const[\s\S]*?)^```$/m.exec(text) ?? [];
    expect(example).toContain('export const submitApp');
    expect(readFileSync('src/modules/apps/app.contract.ts', 'utf8')).toContain(example);
  });
});

describe('the documents', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'bench/README.md'].concat(
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

  it.each(pages)('%s names files that exist', (page) => {
    const named = [...readFileSync(page, 'utf8').matchAll(/`([\w./-]+\.tsx?)`/g)].map(
      ([, path = '']) => path,
    );
    const files = ['src', 'web', 'cli', 'test', 'bench', 'mikro-orm.config.ts'].flatMap((root) =>
      root.endsWith('.ts') ? [`/${root}`] : filesBelow(root).map((file) => `/${file}`),
    );
    expect(named.filter((path) => !files.some((file) => file.endsWith(`/${path}`)))).toEqual([]);
  });
});

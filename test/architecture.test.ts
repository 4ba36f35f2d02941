import { readdirSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { importsOf, type SourceFile, tree, webTree, withoutComments } from './support/source-tree.js';
import { testFilesOf } from './support/suite.js';

/** A rule of the house. */
interface Rule {
  rule: string;
  /** Returns the breaches of the rule in a file. */
  broken: (file: SourceFile) => string[];
}

/** Imports of files at these places that are not allowed there. */
const imports =
  (where: RegExp, forbidden: (target: string, file: SourceFile) => boolean) =>
  (file: SourceFile): string[] =>
    where.test(file.path) ? importsOf(file).filter((target) => forbidden(target, file)) : [];

/** Lines of files that say what only some files may say. */
const lines =
  (pattern: RegExp, except: RegExp) =>
  ({ path, text }: SourceFile): string[] =>
    except.test(path)
      ? []
      : withoutComments(text)
          .split('\n')
          .filter((line) => pattern.test(line));

const doors = /^src\/(rest|graphql)\//;
const resolver = /\.resolver\.ts$/;
/** Files that declare GraphQL types; everything else in a module knows no transport at all. */
const declaresTypes = /\.(resolver|entity|types)\.ts$/;
const transport = /^(express|graphql|type-graphql|graphql-scalars|@apollo\/.*|@as-integrations\/.*)($|\/)/;
const mechanism = /^src\/operations\//;
/** The roles that a module's file may have; the last ones belong to one feature each. */
const roles = /\.(entity|types|input|contract|resolver|loaders|service|queries|rules|actions|templates)\.ts$/;
const maxLines = 280;

const folderOf = ({ path }: SourceFile) => posix.dirname(path);

const rules: Rule[] = [
  {
    rule: 'modules, operations and credentials take the time from the clock of the database (D265)',
    broken: (file) =>
      /^src\/(modules|operations|auth)\//.test(file.path)
        ? // The keys of the provider are cached by this process alone.
          lines(/\bnew Date\(\)|\bDate\.now\(\)/, /^src\/auth\/provider-/)(file)
        : [],
  },
  {
    rule: 'rest/ and graphql/ never import a service',
    broken: imports(doors, (target) => /\.service\.ts$/.test(target)),
  },
  {
    rule: 'a resolver imports its contract, types, inputs, entities and the mechanism of GraphQL, and nothing else',
    broken: imports(
      resolver,
      (target, file) =>
        !['type-graphql', 'zod'].includes(target) &&
        !mechanism.test(target) &&
        !/^src\/auth\/(scope|developer-status)\.ts$/.test(target) &&
        !/\.(types|input|entity)\.ts$/.test(target) &&
        !(/\.(contract|actions|rules)\.ts$/.test(target) && posix.dirname(target) === folderOf(file)),
    ),
  },
  {
    rule: 'what a module does knows no transport: no Express, GraphQL, type-graphql or Apollo',
    broken: imports(
      /^src\/modules\//,
      (target, { path }) =>
        transport.test(target) &&
        !(/^(type-graphql|graphql-scalars)$/.test(target) && declaresTypes.test(path)),
    ),
  },
  {
    rule: 'a module imports nothing of the doors, but for its resolver',
    broken: imports(
      /^src\/modules\//,
      (target, { path }) =>
        /^src\/(rest|server|pages)\//.test(target) || (doors.test(target) && !resolver.test(path)),
    ),
  },
  {
    rule: 'a service imports no contract, no context and no operation: those call it',
    broken: imports(/\.(service|queries|input|entity|types)\.ts$/, (target) =>
      /(\.contract|^src\/contract|^src\/operations\/(call|context|operation))\.ts$/.test(target),
    ),
  },
  {
    rule: 'only call() runs an operation',
    broken: lines(/\boperation\b.*\.run\(|\bcontract\.\w+\.run\(/, /^src\/operations\/call\.ts$/),
  },
  {
    rule: 'only REST, the resolvers, the previews of links and the page of undo links call an operation',
    broken: imports(
      /^(?!src\/rest\/route-handler\.ts$|src\/operations\/expose\.ts$|src\/pages\/(storefront\/(storefront|sitemap)|undo)\.ts$|.*\.resolver\.ts$)/,
      (target, { text }) =>
        target === 'src/operations/call.ts' && /import \{[^}]*\bcall(Once)?\b[^}]*\}/.test(text),
    ),
  },
  {
    rule: 'a resolver reads through call() or a loader, never through a service or an EntityManager',
    broken: lines(/\b(services|sharedServices|fork)\b/, /^(?!.*\.resolver\.ts$)/),
  },
  {
    rule: 'a resolver method takes its arguments from the contract: only fields of a type declare their own',
    broken: lines(/@Args?\(|@(Query|Mutation)\(/, /^(?!.*\.resolver\.ts$)/),
  },
  {
    rule: 'only config.ts reads the environment',
    broken: lines(/\bprocess\s*(\.|\[['"])env\b|\benv\b.*from 'node:process'/, /^src\/config\.ts$/),
  },
  {
    rule: 'only db/pool.ts opens connections to the database, so that each has its time-outs and its place in the budget',
    broken: lines(/\bnew (pg\.)?(Pool|Client)\(/, /^src\/db\/pool\.ts$/),
  },
  {
    rule: 'only errors.ts knows the HTTP statuses of our errors',
    // Pictures and webhooks are other people's servers, and theirs are the statuses.
    broken: lines(/status.{0,40}\b[45]\d\d\b/i, /^src\/(errors\.ts$|modules\/(preflight|webhooks)\/)/),
  },
  {
    rule: 'nothing is exported by default',
    broken: lines(/^\s*export\s+default\b|\bas\s+default\b/, /^$/),
  },
  {
    rule: 'no file passes on what another exports',
    broken: lines(/^\s*export\s+(type\s+)?(\*|\{[^}]*\})\s*(as\s+\w+\s*)?from\b/, /^$/),
  },
  {
    rule: 'no file or folder is called index, utils, helpers or common',
    broken: ({ path }) =>
      path.match(/(^|\/)index(?=[/.])|(^|[/.-])(utils?|helpers?|common|shared|misc)(?=[/.-])/g) ?? [],
  },
  {
    rule: 'the files of a module are called <noun>.<role>.ts, in kebab-case',
    broken: ({ path }) => {
      const [, file] = /^src\/modules\/[a-z]+(?:-[a-z]+)*\/(.*)$/.exec(path) ?? [];
      if (file === undefined) return path.startsWith('src/modules/') ? [path] : [];
      return /^[a-z]+(-[a-z]+)*(\.[a-z]+)+$/.test(file) && roles.test(file) ? [] : [file];
    },
  },
  {
    rule: `a file has at most ${maxLines} lines`,
    broken: ({ text }) => (text.trimEnd().split('\n').length > maxLines ? ['too long'] : []),
  },
];

const maxWebLines = 250;

/** The rules of the browser application. */
const webRules: Rule[] = [
  ...rules.filter(({ rule }) => /by default|is called index/.test(rule)),
  {
    rule: `a file of web has at most ${maxWebLines} lines`,
    broken: ({ text }) => (text.trimEnd().split('\n').length > maxWebLines ? ['too long'] : []),
  },
  {
    rule: 'only Markdown writes HTML, through the sanitizer',
    broken: lines(/dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML/, /^web\/components\/markdown\.tsx$/),
  },
  {
    rule: 'only the client of web requests anything, and only from this service',
    broken: lines(/\bfetch\(|new (XMLHttpRequest|EventSource|WebSocket)\b/, /^web\/client\//),
  },
  {
    rule: 'a file of web is called in kebab-case',
    broken: ({ path }) => (/^web\/[a-z]+\/[a-z]+(-[a-z]+)*\.tsx?$/.test(path) ? [] : [path]),
  },
];

describe('the rules of the house', () => {
  it('are held against the whole tree', () => {
    expect(tree.length).toBeGreaterThan(80);
    expect(tree.map(({ path }) => path)).toContain('src/modules/apps/app.service.ts');
  });

  it.each(rules)('$rule', ({ broken }) => {
    const breaches = tree.flatMap((file) => broken(file).map((breach) => `${file.path}: ${breach.trim()}`));
    expect(breaches).toEqual([]);
  });

  it.each(webRules)('in web: $rule', ({ broken }) => {
    const breaches = webTree.flatMap((file) =>
      broken(file).map((breach) => `${file.path}: ${breach.trim()}`),
    );
    expect(breaches).toEqual([]);
  });
});

describe('the tests', () => {
  it('are each run by exactly one suite, except those of the clients and of clusters, which have their own configurations', () => {
    const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
      .filter((file) => !file.includes('node_modules'))
      .map((file) => join('test', file));
    const suites = files.filter((file) => basename(file) === 'suite.ts' && dirname(file) !== 'test/support');
    const run = suites.flatMap((suite) => testFilesOf(dirname(suite)));
    const elsewhere = ['test/clients', 'test/cluster', 'test/scale'];
    const tests = files.filter((file) => file.endsWith('.test.ts') && !elsewhere.includes(dirname(file)));
    expect(suites.length).toBeGreaterThan(10);
    expect(run.sort()).toEqual(tests.sort());
  });
});

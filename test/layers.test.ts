import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { cliTree, importsOf, tree, webTree, withoutComments } from './support/source-tree.js';
import { words } from './support/words.js';

/** The layers from the bottom up: a file imports from its own layer and from those below. */
const layers = [
  ['config.ts', 'config', 'errors.ts', 'errors', 'log.ts', 'log', 'tracing'],
  ['db', 'net', 'embedded-postgres', 'jobs.ts'],
  ['auth'],
  ['limits'],
  ['server'],
  ['cache'],
  ['operations'],
  ['modules'],
  ['services.ts', 'contract.ts', 'worker.ts', 'demo-data'],
  ['rest', 'graphql', 'pages'],
  ['app.ts', 'app'],
  ['main.ts', 'process'],
];
/** Types only: a call runs with all services and loaders, whose types the modules make. */
const upwardImports = [
  'src/operations/context.ts → src/services.ts',
  'src/operations/operation.ts → src/services.ts',
];

/** The modules from the bottom up: a module imports from those before it. */
const modules = [
  ...['quotas', 'names', 'events', 'developers', 'api-keys'],
  ...words(`
    listings catalog preflight app-reports review apps versions trusted-publishers audit`),
  ...['installs', 'analytics', 'ratings', 'webhooks', 'key-changes', 'notifications', 'nodes', 'actions'],
];
/** Types only: an event contains the reasons of a rejection. */
const upwardImportsOfModules = [
  'src/modules/events/event.types.ts → src/modules/listings/rejection.types.ts',
];

describe('the layers', () => {
  const placeOf = (path: string) => path.split('/')[1] ?? '';
  const layerOf = (path: string) => layers.findIndex((places) => places.includes(placeOf(path)));
  const imported = tree.flatMap((file) =>
    importsOf(file)
      .filter((target) => target.startsWith('src/'))
      .map((target) => ({ path: file.path, target })),
  );
  const listed = (found: typeof imported) => found.map(({ path, target }) => `${path} → ${target}`).sort();

  it('hold every file of src', () => {
    expect(tree.filter(({ path }) => layerOf(path) < 0).map(({ path }) => path)).toEqual([]);
  });

  it('import downwards, but for those in a list', () => {
    const upward = imported.filter(({ path, target }) => layerOf(target) > layerOf(path));
    expect(listed(upward)).toEqual(upwardImports);
  });

  it('keep REST, GraphQL and the pages apart', () => {
    const isApi = (path: string) => ['rest', 'graphql', 'pages'].includes(placeOf(path));
    const across = imported.filter(
      ({ path, target }) => isApi(path) && isApi(target) && placeOf(path) !== placeOf(target),
    );
    expect(listed(across)).toEqual([]);
  });
});

describe('the modules', () => {
  const placeOf = (path: string) => modules.indexOf(path.split('/')[2] ?? '');
  const isModule = (path: string) => path.startsWith('src/modules/');
  const files = tree.filter(({ path }) => isModule(path));

  it('all have a place in the order', () => {
    expect(readdirSync('src/modules').sort()).toEqual([...modules].sort());
  });

  it('import only modules before them, but for those in a list', () => {
    const upward = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => isModule(target) && placeOf(target) > placeOf(file.path))
        .map((target) => `${file.path} → ${target}`),
    );
    expect(upward).toEqual(upwardImportsOfModules);
  });

  it('do so for types only', () => {
    const [path = '', target = ''] = upwardImportsOfModules[0]?.split(' → ') ?? [];
    const name = target.split('/').at(-1)?.replace(/\.ts$/, '.js') ?? '';
    const text = files.find((file) => file.path === path)?.text ?? '';
    expect(text.split('\n').filter((line) => line.includes(name))).toEqual([
      expect.stringMatching(/^import type /),
    ]);
  });
});

describe('the command-line tool', () => {
  it('imports nothing of the service, and no packages (D401)', () => {
    const imported = [...new Set(cliTree.flatMap(importsOf))];
    expect(imported.length).toBeGreaterThan(20);
    expect(
      imported.filter((target) => !/^(cli\/|node:|schema\/listing\.schema\.json$)/.test(target)),
    ).toEqual([]);
  });
});

describe('the layers of the browser application', () => {
  /** From the bottom up. An area imports nothing of another area. */
  const webLayers = [['client'], ['components'], ['webhooks'], ['market', 'console', 'desk', 'parts']];
  const placeOf = (path: string) => path.split('/')[1] ?? '';
  const layerOf = (path: string) => webLayers.findIndex((places) => places.includes(placeOf(path)));
  const imported = webTree.flatMap((file) =>
    importsOf(file)
      .filter((target) => /^(web|src|test|schema|docs|bench|dist)\//.test(target))
      .map((target) => ({ path: file.path, target })),
  );
  const listed = (found: typeof imported) => found.map(({ path, target }) => `${path} → ${target}`);

  it('hold every file of web (D210)', () => {
    expect(webTree.length).toBeGreaterThan(40);
    expect(imported.length).toBeGreaterThan(100);
    expect(webTree.filter(({ path }) => layerOf(path) < 0).map(({ path }) => path)).toEqual([]);
  });

  it('import nothing of the service but how it reads Markdown, which it shows without scripts too (D210, D382)', () => {
    expect(listed(imported.filter(({ target }) => !target.startsWith('web/')))).toEqual([
      'web/components/markdown.tsx → src/pages/storefront/markdown-tokens.ts',
    ]);
  });

  it('import downwards, and no area another area (D210)', () => {
    const wrong = imported.filter(
      ({ path, target }) =>
        layerOf(target) > layerOf(path) ||
        (layerOf(target) === webLayers.length - 1 && placeOf(target) !== placeOf(path)),
    );
    expect(listed(wrong)).toEqual([]);
  });
});

describe('the names of types', () => {
  // Migrations are released, and their classes named after their files.
  const sources = tree.filter(({ path }) => !path.startsWith('src/db/migrations/'));
  const declared = sources.flatMap(({ path, text }) =>
    [...withoutComments(text).matchAll(/^export (?:abstract )?(?:interface|type|class|enum) (\w+)/gm)].map(
      ([, name = '']) => ({ path, name }),
    ),
  );

  it('are found', () => {
    expect(declared.length).toBeGreaterThan(200);
  });

  it('are used once', () => {
    const places = Map.groupBy(declared, ({ name }) => name);
    const several = [...places].filter(([, found]) => new Set(found.map(({ path }) => path)).size > 1);
    expect(several.map(([name]) => name)).toEqual([]);
  });

  it('shadow no global', () => {
    expect(declared.filter(({ name }) => name in globalThis).map(({ name }) => name)).toEqual([]);
  });
});

describe('the shape of the tree', () => {
  it.each(modules)('modules/%s has at most one contract, and then one resolver', (module) => {
    const files = readdirSync(`src/modules/${module}`);
    const having = (role: string) => files.filter((file) => file.endsWith(`.${role}.ts`)).length;
    expect(having('contract')).toBeLessThanOrEqual(1);
    expect(having('resolver')).toBeGreaterThanOrEqual(having('contract'));
    expect(having('resolver')).toBeLessThanOrEqual(1);
  });

  it('has few files at the top of src', () => {
    const names = 'app config contract errors jobs log main services worker';
    expect(readdirSync('src').filter((name) => name.endsWith('.ts'))).toEqual(
      names.split(' ').map((name) => `${name}.ts`),
    );
  });

  it('has no circle of files that need each other to start', () => {
    const needs = new Map(
      tree.map((file) => {
        const text = file.text.replace(/import\s+type\s[^;]*;/g, '');
        return [file.path, importsOf({ ...file, text }).filter((target) => target.startsWith('src/'))];
      }),
    );
    const circles: string[] = [];
    const done = new Set<string>();
    const visit = (path: string, above: string[]) => {
      if (above.includes(path)) circles.push([...above.slice(above.indexOf(path)), path].join(' → '));
      if (done.has(path) || above.includes(path)) return;
      for (const target of needs.get(path) ?? []) visit(target, [...above, path]);
      done.add(path);
    };
    for (const { path } of tree) visit(path, []);
    expect(circles).toEqual([]);
  });
});

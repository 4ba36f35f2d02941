import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Cluster } from './cluster.js';
import { UsageError } from './options.js';
import type { Progress } from './progress.js';

const run = promisify(execFile);
const ownRoot = fileURLToPath(new URL('../..', import.meta.url));

/** Another commit of this repository, built in a temporary worktree; `remove` deletes it. */
export class BaseBuild {
  private constructor(
    readonly root: string,
    readonly commit: string,
  ) {}

  static async create(name: string, progress: Progress): Promise<BaseBuild> {
    const git = async (...args: string[]) => (await run('git', args, { cwd: ownRoot })).stdout.trim();
    const commit = await git('rev-parse', '--short', '--verify', `${name}^{commit}`).catch(() => {
      throw new UsageError(`--compare takes a commit of this repository, and ${name} is none.`);
    });
    const root = await mkdtemp(join(tmpdir(), 'marketplace-gateway-base-'));
    const base = new BaseBuild(root, commit);
    try {
      progress.log(`Building ${commit}`);
      await git('worktree', 'add', '--detach', '--force', root, commit);
      const lockfile = (folder: string) => readFile(join(folder, 'package-lock.json'), 'utf8');
      const hasSamePackages = (await lockfile(root)) === (await lockfile(ownRoot));
      if (hasSamePackages) await symlink(join(ownRoot, 'node_modules'), join(root, 'node_modules'));
      // Installs the packages unless they are the same, and builds.
      await run(process.execPath, ['scripts/prepare.mjs', '--build'], { cwd: root });
      return base;
    } catch (error) {
      await base.remove();
      throw error;
    }
  }

  /** Returns the database of its own catalog, with its own migrations; loads it if it does not exist. */
  async catalog(cluster: Cluster, apps: number, progress: Progress): Promise<string> {
    const path = pathToFileURL(join(this.root, 'dist', 'bench', 'catalog', 'catalog.js')).href;
    const { ensureCatalog } = (await import(path)) as typeof import('./catalog/catalog.js');
    return ensureCatalog(cluster, apps, progress);
  }

  async remove(): Promise<void> {
    await run('git', ['worktree', 'remove', '--force', this.root], { cwd: ownRoot }).catch(() => undefined);
    await rm(this.root, { recursive: true, force: true });
  }
}

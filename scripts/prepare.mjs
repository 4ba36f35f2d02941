// Installs the dependencies if they are missing or differ from package-lock.json. With --build it also builds dist if
// the sources have changed. Prints nothing if there is nothing to do.
// It uses no dependencies and no new syntax, because it must run before anything is installed, also under Node 20.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const dist = join(root, 'dist');
const stamp = join(dist, '.built-from');
const isWindows = process.platform === 'win32';

if (!isInstalled()) install();
requireNode();
if (process.argv.includes('--build') && !isBuilt()) build();

/** Compares with npm's own record of installed packages, which npm writes only when an installation is complete. */
function isInstalled() {
  try {
    const wanted = readPackages(join(root, 'package-lock.json'));
    const installed = readPackages(join(modules, '.package-lock.json'));
    return Object.entries(wanted).every(([path, entry]) => {
      if (path === '') return true;
      const found = installed[path];
      // Optional packages are for other platforms, or could not be built here.
      if (!found) return entry.optional === true;
      return (
        found.version === entry.version && found.integrity === entry.integrity && existsSync(join(root, path))
      );
    });
  } catch {
    return false;
  }
}

function readPackages(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages;
}

function install() {
  // The build needs the devDependencies even with NODE_ENV=production. They contain Node 24, so npm's own version does not matter.
  const options = ['--include=dev', '--include=optional', '--engine-strict=false', '--loglevel=error'];
  const args = ['ci', ...options, '--no-audit', '--no-fund', '--no-update-notifier'];
  const npm = process.env.npm_execpath;
  const command = npm && basename(npm) === 'npm-cli.js' ? [process.execPath, npm, ...args] : ['npm', ...args];
  step(
    'Installing the dependencies',
    command,
    'The dependencies could not be installed. Fix the problem that npm reports above (often the network), then try again.',
  );
}

/** Checks the Node of the machine, which is used if install scripts are disabled and the `node` package is empty. */
function requireNode() {
  if (existsSync(ownNode())) return;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return;
  fail(
    `Node 22.19 or later is needed, but this is ${process.versions.node}. Run \`npm rebuild node\` to install the project's own Node, or install Node 24.`,
  );
}

function ownNode() {
  return join(modules, 'node', 'bin', isWindows ? 'node.exe' : 'node');
}

function build() {
  const sources = fingerprint();
  // Removes output of deleted sources, such as a renamed migration.
  rmSync(dist, { recursive: true, force: true });
  const node = existsSync(ownNode()) ? ownNode() : process.execPath;
  const tsc = join(modules, 'typescript', 'bin', 'tsc');
  step(
    'Building',
    [node, tsc, '-p', join(root, 'tsconfig.build.json')],
    'The build failed. Fix the errors above, then try again.',
  );
  writeFileSync(stamp, sources);
}

/** Returns false also if something else, such as `npm run dev`, has written to dist since. */
function isBuilt() {
  try {
    if (readFileSync(stamp, 'utf8') !== fingerprint()) return false;
    const builtAt = statSync(stamp).mtimeMs;
    return filesIn(dist).every((path) => statSync(path).mtimeMs <= builtAt);
  } catch {
    return false;
  }
}

/** Hashes the content of the sources. Their dates would change with every checkout. */
function fingerprint() {
  const hash = createHash('sha256');
  const settings = readdirSync(root).filter((name) =>
    /^(package|tsconfig.*)\.json$|^mikro-orm\.config\.ts$/.test(name),
  );
  const folders = ['src', 'bench'].map((name) => join(root, name)).filter((folder) => existsSync(folder));
  const sources = folders.flatMap(filesIn).filter((path) => path.endsWith('.ts'));
  for (const path of [...settings.map((name) => join(root, name)), ...sources].sort()) {
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

/** Runs a long step with one line of output; the output of the program is shown only if it fails. */
function step(title, [command, ...args], advice) {
  const startedAt = Date.now();
  process.stdout.write(`${title}… `);
  const shell = isWindows && command === 'npm';
  const result = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    shell,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.status === 0) {
    process.stdout.write(`${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`);
    return;
  }
  process.stdout.write('\n');
  if (result.signal) process.exit(130);
  fail(
    `${result.stdout ?? ''}${result.stderr ?? ''}${result.error ? `${result.error.message}\n` : ''}\n${advice}`,
  );
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

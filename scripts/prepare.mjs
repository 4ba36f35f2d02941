// Installs the dependencies when they are missing or not those of package-lock.json, and with --build builds dist
// when it is not the build of these sources. Silent when there is nothing to do.
// Plain Node without dependencies, and old syntax: it must run before anything is installed, also under Node 20.
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

/** npm records what it has installed when it has finished; an interrupted installation has no such record. */
function isInstalled() {
  try {
    const wanted = readPackages(join(root, 'package-lock.json'));
    const installed = readPackages(join(modules, '.package-lock.json'));
    return Object.entries(wanted).every(([path, entry]) => {
      if (path === '') return true;
      const found = installed[path];
      // Optional ones are for other platforms, or could not be built here.
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
  // Building needs the devDependencies even under NODE_ENV=production, and brings its own Node, whatever runs npm.
  const options = ['--include=dev', '--include=optional', '--engine-strict=false', '--loglevel=error'];
  const args = ['ci', ...options, '--no-audit', '--no-fund', '--no-update-notifier'];
  const npm = process.env.npm_execpath;
  const command = npm && basename(npm) === 'npm-cli.js' ? [process.execPath, npm, ...args] : ['npm', ...args];
  step(
    'Installing the dependencies',
    command,
    'The dependencies could not be installed. Mend what npm says above (often it is the network), then try again.',
  );
}

/** With install scripts switched off, npm's own `node` package is empty and the machine's Node has to serve. */
function requireNode() {
  if (existsSync(ownNode())) return;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return;
  fail(
    `Node 22.19 or later is needed, this is ${process.versions.node}: run \`npm rebuild node\` to get the project's own, or install Node 24.`,
  );
}

function ownNode() {
  return join(modules, 'node', 'bin', isWindows ? 'node.exe' : 'node');
}

function build() {
  const sources = fingerprint();
  // Of a source that is gone, such as a renamed migration, nothing may stay behind.
  rmSync(dist, { recursive: true, force: true });
  const node = existsSync(ownNode()) ? ownNode() : process.execPath;
  const tsc = join(modules, 'typescript', 'bin', 'tsc');
  step(
    'Building',
    [node, tsc, '-p', join(root, 'tsconfig.build.json')],
    'The build failed: mend the errors above, then try again.',
  );
  writeFileSync(stamp, sources);
}

/** Also false when something else, such as `npm run dev`, has written to dist since. */
function isBuilt() {
  try {
    if (readFileSync(stamp, 'utf8') !== fingerprint()) return false;
    const builtAt = statSync(stamp).mtimeMs;
    return filesIn(dist).every((path) => statSync(path).mtimeMs <= builtAt);
  } catch {
    return false;
  }
}

/** Of the content, not of the dates: a checkout or a copy changes dates at will. */
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

/** One line on the screen for a long step; what the program says is shown only if it fails. */
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

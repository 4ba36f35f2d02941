// Installs the packages that are missing or differ from package-lock.json: all of them, or with --start only those that
// starting needs. With --build it also builds dist if the sources have changed, with --start only the programs and pages.
// Prints nothing if there is nothing to do.
// It uses no dependencies and no new syntax, because it must run before anything is installed, also under Node 20.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const record = join(modules, '.package-lock.json');
/** Exists while npm changes node_modules: if npm is killed, packages may be incomplete. */
const changing = join(modules, '.changing');
const dist = join(root, 'dist');
const stamp = join(dist, '.built-from');
/** Written by the programs. */
const compileCache = join(dist, '.compile-cache');
const [forStart, forAll] = ['start', 'all'];
const isWindows = process.platform === 'win32';
const isForStart = process.argv.includes('--start');
const isForBuild = process.argv.includes('--build');
/** The major version of the package `node`; a machine that has it needs no other to start. */
const NODE_MAJOR = 24;
const PROGRESS_INTERVAL_MS = 2_000;
/** Errors of a folder that another npm is changing, or was changing when it was killed: a program may still be written. */
const IN_USE = /\b(ETXTBSY|ENOTEMPTY|EEXIST|EBUSY|ENOENT)\b/;
const IN_USE_FOR_MS = 3_000;

// Checked without the lock first: a project in a read-only folder can start.
if (!isReady()) {
  await withLock(join(root, '.prepare.lock'), report, fail, async () => {
    if (!isInstalled()) await install();
    requireNode();
    if (isForBuild && !isBuilt()) await build();
  });
}
requireNode();

function isReady() {
  return isInstalled() && (!isForBuild || isBuilt());
}

/** Compares with npm's own record of installed packages, which npm writes only when an installation is complete. */
function isInstalled() {
  try {
    if (existsSync(changing)) return false;
    const installed = readPackages(record);
    return wantedPackages().every(([path, entry]) => {
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

/** Returns the path and the entry of each package in package-lock.json that must be installed. */
function wantedPackages() {
  const omits = (entry) =>
    (entry.dev && omittedTypes().includes('dev')) || (entry.peer && omittedTypes().includes('peer'));
  return Object.entries(readPackages(join(root, 'package-lock.json'))).filter(
    // A workspace is a folder of the project: nothing is downloaded for it, and nothing uses npm's link to it.
    ([path, entry]) => path.startsWith('node_modules/') && !entry.link && !omits(entry),
  );
}

/** Returns npm's types of the packages that are not needed: none once the development tools are installed. */
function omittedTypes() {
  if (!isForStart || hasDevelopmentTools()) return [];
  const isSameNode = Number(process.versions.node.split('.')[0]) === NODE_MAJOR;
  // The only peer dependency is `node`. If it is installed, this process may run on it.
  return isSameNode && !existsSync(ownNode()) ? ['dev', 'peer'] : ['dev'];
}

function hasDevelopmentTools() {
  try {
    return Object.values(readPackages(record)).some((entry) => entry.dev);
  } catch {
    return false;
  }
}

async function install() {
  const omitted = omittedTypes();
  // NODE_ENV=production and the user's own settings must not change the choice.
  const types = ['dev', 'optional', 'peer'].map((type) =>
    omitted.includes(type) ? `--omit=${type}` : `--include=${type}`,
  );
  // The project has its own Node, so the versions of npm and Node on the machine do not matter.
  const options = [...types, '--engine-strict=false', '--loglevel=error', '--no-audit', '--no-fund'];
  if (existsSync(record) && !existsSync(changing)) {
    // Adds and updates packages. It does not check that package.json and package-lock.json agree; `npm ci` does.
    writeFileSync(changing, '');
    await runNpm(['install', '--no-save', ...options]);
    rmSync(changing, { force: true });
  }
  if (!isInstalled()) {
    rmSync(record, { force: true });
    await runNpm(['ci', ...options]);
  }
}

async function runNpm(args) {
  const npm = process.env.npm_execpath;
  // Not the Node in node_modules, which is replaced meanwhile.
  const node = process.env.npm_node_execpath ?? process.execPath;
  const command = npm && basename(npm) === 'npm-cli.js' ? [node, npm] : ['npm'];
  const wanted = wantedPackages().filter(([, entry]) => isForThisMachine(entry));
  const countInstalled = () => wanted.filter(([path]) => existsSync(join(root, path, 'package.json'))).length;
  const size = () => `${(sizeOf(modules) / 1e6).toFixed(0)} MB`;
  await step(
    'Installing the packages',
    [...command, ...args, '--no-update-notifier'],
    'The packages could not be installed. Fix the problem that npm reports above (often the network), then try again.',
    () => `${countInstalled()} of ${wanted.length} packages, ${size()}`,
  );
  // The package `node` leaves its download there, and its program is a link to the same file.
  if (existsSync(ownNode())) rmSync(join(modules, 'node', 'node_modules'), { recursive: true, force: true });
  report(`  ${countInstalled()} packages, ${size()}`);
}

function isForThisMachine({ os, cpu }) {
  return (!os || os.includes(process.platform)) && (!cpu || cpu.includes(process.arch));
}

/** Checks the Node of the machine, which is used if install scripts are disabled and the package `node` is empty. */
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

async function build() {
  const sources = fingerprint();
  // Removes output of deleted sources, such as a renamed migration.
  rmSync(dist, { recursive: true, force: true });
  const node = existsSync(ownNode()) ? ownNode() : process.execPath;
  const advice = 'The build failed. Fix the errors above, then try again.';
  // The tools and tests import single modules. The programs replace those of the same name.
  const tsc = join(modules, 'typescript', 'bin', 'tsc');
  if (!isForStart) await step('Compiling', [node, tsc, '-p', join(root, 'tsconfig.build.json')], advice);
  await step('Building', [node, join(root, 'scripts', 'build.mjs')], advice);
  writeFileSync(stamp, `${sources} ${isForStart ? forStart : forAll}`);
}

/** Returns false also if something else, such as `npm run dev`, has written to dist since. */
function isBuilt() {
  try {
    const [sources, purpose] = readFileSync(stamp, 'utf8').split(' ');
    if (sources !== fingerprint() || !(purpose === forAll || (isForStart && purpose === forStart)))
      return false;
    const builtAt = statSync(stamp).mtimeMs;
    const built = filesIn(dist).filter((path) => !path.startsWith(compileCache));
    return built.every((path) => statSync(path).mtimeMs <= builtAt);
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
  const folders = ['src', 'bench', 'web', 'cli', 'scripts']
    .map((name) => join(root, name))
    .filter((folder) => existsSync(folder));
  const sources = folders
    .flatMap(filesIn)
    .filter((path) => /\.(tsx?|css|mjs)$|[/\\]package\.json$/.test(path));
  // Part of the command-line tool.
  const schema = [join(root, 'schema', 'listing.schema.json')].filter((path) => existsSync(path));
  for (const path of [...settings.map((name) => join(root, name)), ...schema, ...sources].sort()) {
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

/** Returns the size of a folder that npm is changing. A file with several links counts once. */
function sizeOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return sum + sizeOf(path);
      const { size, nlink } = lstatSync(path);
      return sum + size / nlink;
    }, 0);
  } catch {
    return 0;
  }
}

/** Runs a long step and reports its progress; the output of the program is shown only if it fails. */
async function step(title, [command, ...args], advice, progress) {
  const startedAt = Date.now();
  const took = () => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
  report(`${title}…`);
  const timer = progress && setInterval(() => report(`  ${progress()}, ${took()}`), PROGRESS_INTERVAL_MS);
  let { code, wasStopped, output } = await outputOf(command, args);
  for (let attempt = 1; attempt < 4 && code !== 0 && !wasStopped && IN_USE.test(output); attempt += 1) {
    report('  Another program uses the folder. Trying again…');
    await delay(IN_USE_FOR_MS);
    ({ code, wasStopped, output } = await outputOf(command, args));
  }
  clearInterval(timer);
  if (wasStopped) process.exit(130);
  if (code !== 0) fail(`${output}\n${advice}`);
  report(`  done in ${took()}`);
}

function outputOf(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, shell: isWindows && command === 'npm' });
    let wasStopped = false;
    const stop = (signal) => {
      wasStopped = true;
      child.kill(signal);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, stop);
    let output = '';
    const collect = (piece) => {
      output += piece;
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    child.on('error', (error) => collect(`${error.message}\n`));
    child.on('close', (code, signal) => {
      for (const name of signals) process.off(name, stop);
      resolve({ code, wasStopped: wasStopped || signal !== null, output });
    });
  });
}

/** Writes a line of progress. Not to stdout, which may be read by a program. */
function report(message) {
  process.stderr.write(`${message}\n`);
}

function fail(message) {
  report(message);
  process.exit(1);
}

// npm run dev: builds on every change of a source file and restarts the service if the build succeeds.
// It does not use `tsc --watch`: that of TypeScript 7.0 misses changes on some file systems (seen in containers).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const SETTLE_MS = 100;

let server = null;
let changed = false;
let working = false;
let stopping = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal));
// npm does not forward the signal when it is terminated.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && stop('SIGTERM'), 250).unref();

for (const folder of ['src', 'web', 'cli']) watch(join(root, folder), { recursive: true }, () => rebuild());
watch(root, (_event, name) => {
  if (name === 'mikro-orm.config.ts' || name?.startsWith('tsconfig')) rebuild();
});
startServer();

/** Runs only once: the terminal sends Ctrl-C to the service as well. */
async function stop(signal) {
  if (stopping) return;
  stopping = true;
  await stopServer(signal);
  process.exit(0);
}

/** Builds and restarts; a change during a build starts another build afterwards. */
async function rebuild() {
  changed = true;
  if (working) return;
  working = true;
  while (changed && !stopping) {
    await delay(SETTLE_MS);
    changed = false;
    if (!(await build()) || changed || stopping) continue;
    await stopServer('SIGTERM');
    startServer();
  }
  working = false;
}

async function build() {
  process.stdout.write('\nA file has changed. Building…\n');
  // Unlike the build of a start, this one checks the types.
  const options = ['-p', 'tsconfig.build.json', '--noCheck', 'false', '--types', 'node'];
  const isBuilt =
    (await succeeds(['node_modules/typescript/bin/tsc', ...options])) &&
    (await succeeds(['scripts/build.mjs', '--source-maps']));
  if (!isBuilt) process.stdout.write('The build failed. The service continues with the previous build.\n');
  return isBuilt;
}

async function succeeds(command) {
  const [code] = await once(run(command), 'close');
  return code === 0;
}

function startServer() {
  if (stopping) return;
  const started = run(['--enable-source-maps', 'dist/src/main.js', '--stop-with-parent']);
  server = started;
  started.once('close', (code) => {
    server = null;
    if (!started.killed)
      process.stdout.write(`The service has exited (code ${code}). It restarts at the next change.\n`);
  });
}

async function stopServer(signal) {
  if (server === null) return;
  const closed = once(server, 'close');
  server.kill(signal);
  await closed;
}

function run(args) {
  return spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
}

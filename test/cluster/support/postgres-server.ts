import { execFile } from 'node:child_process';
import { appendFile, chown, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePorts, makeFolder, say, serverAccount } from './processes.js';
import { pathOf } from './programs.js';

const run = promisify(execFile);
const DISK_MEGABYTES = 400;

/** A PostgreSQL that can be stopped in every way, on a small disk of its own where the machine permits it. */
export interface PostgresServer {
  readonly url: string;
  /** False if this machine does not permit a small disk. */
  readonly hasSmallDisk: boolean;
  start(): Promise<void>;
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  /** Leaves no byte on its disk. */
  fillDisk(): Promise<void>;
  freeDisk(): Promise<void>;
  isRunning(): Promise<boolean>;
  close(): Promise<void>;
}

/** Creates a server with a database, and starts it. */
export async function startPostgresServer(name: string): Promise<PostgresServer> {
  const account = await serverAccount();
  const disk = await makeFolder(name, account);
  const hasSmallDisk = await run('mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=${DISK_MEGABYTES}m,mode=0711`,
    'tmpfs',
    disk,
  ]).then(
    () => true,
    () => false,
  );
  if (account) await chown(disk, account.uid, account.gid);
  if (!hasSmallDisk)
    say('this machine permits no small disk (mount -t tmpfs): the disk will not become full');
  const [port = 0] = await freePorts(1);
  const directory = join(disk, 'data');
  const as = { ...account, cwd: '/', env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' } };
  await run(
    pathOf('initdb'),
    ['-D', directory, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-sync'],
    as,
  );
  await appendFile(
    join(directory, 'postgresql.conf'),
    `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\nmax_connections = 100\nmax_wal_size = '128MB'\n`,
  );
  const control = (...args: string[]) =>
    run(pathOf('pg_ctl'), ['-D', directory, '-w', '-t', '60', ...args], as);
  // With -l, because pg_ctl would otherwise wait for the end of the server's output.
  const start = async () => void (await control('start', '-l', join(disk, 'log')));
  await start();
  const ballast = join(disk, 'ballast');
  const url = `postgres://postgres@127.0.0.1:${port}/marketplace`;
  const client = new pg.Client({ connectionString: url.replace(/marketplace$/, 'postgres') });
  await client.connect();
  await client.query('CREATE DATABASE marketplace');
  await client.end();
  return {
    url,
    hasSmallDisk,
    start,
    stop: async (mode) => void (await control('stop', '-m', mode)),
    fillDisk: async () => {
      if (!hasSmallDisk) throw new Error('there is no small disk');
      // Ends with an error when the disk is full.
      await run('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=8k']).catch(() => undefined);
    },
    freeDisk: () => rm(ballast, { force: true }),
    isRunning: () =>
      control('status').then(
        () => true,
        () => false,
      ),
    close: async () => {
      await control('stop', '-m', 'immediate').catch(() => undefined);
      if (hasSmallDisk) await run('umount', ['-l', disk]);
    },
  };
}

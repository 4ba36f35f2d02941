import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The programs of the cluster tests, and the Debian package of each. */
const packages = {
  etcd: 'etcd-server',
  patroni: 'patroni',
  patronictl: 'patroni',
  pgbouncer: 'pgbouncer',
  haproxy: 'haproxy',
  promtool: 'prometheus',
  postgres: 'postgresql',
  pg_ctl: 'postgresql',
  initdb: 'postgresql',
  'libfaketime.so.1': 'libfaketime',
} as const;
export type Program = keyof typeof packages;

const DEBIAN_POSTGRES = '/usr/lib/postgresql';
const LIBRARIES = '/usr/lib';

/** Returns the path of a program; throws with the command that installs what is missing. */
export function pathOf(program: Program, folders = searchedFolders()): string {
  const found = find(program, folders);
  if (found) return found;
  throw new Error(instruction([program]));
}

/** Throws with one command that installs everything that is missing. */
export function requirePrograms(folders = searchedFolders()): void {
  const names = Object.keys(packages) as Program[];
  const missing = names.filter((program) => find(program, folders) === null);
  if (missing.length > 0) throw new Error(instruction(missing));
}

/** The folder of Debian's newest PostgreSQL, which has pg_basebackup and pg_rewind. */
export const postgresFolder = (): string => join(pathOf('postgres'), '..');

function instruction(missing: readonly Program[]): string {
  const wanted = [...new Set(missing.map((program) => packages[program]))].sort();
  return `The cluster tests run real programs, and these are missing: ${missing.join(', ')}. Install them with\n\n  apt-get install -y --no-install-recommends ${wanted.join(' ')}\n`;
}

function find(program: Program, folders: readonly string[]): string | null {
  const path = folders.map((folder) => join(folder, program)).find(isUsable);
  return path ?? null;
}

/** PATH, the folders of system programs, of Debian's PostgreSQL versions (newest first) and of libfaketime. */
function searchedFolders(): string[] {
  const versions = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES) : [];
  return [
    ...versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(DEBIAN_POSTGRES, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/bin',
    '/usr/sbin',
    ...readdirSync(LIBRARIES)
      .filter((name) => name.endsWith('-linux-gnu'))
      .map((name) => join(LIBRARIES, name, 'faketime')),
  ];
}

function isUsable(path: string): boolean {
  try {
    accessSync(path, path.includes('.so') ? constants.R_OK : constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

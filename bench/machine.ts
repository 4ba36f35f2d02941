import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import { promisify } from 'node:util';
import type { Cluster } from './cluster.js';

const packages = ['pg', 'express', '@apollo/server', 'graphql', 'type-graphql', '@mikro-orm/postgresql'];

/** Returns the machine, the versions and the commit of a run as lines of Markdown. */
export async function machineLines(cluster: Cluster): Promise<string[]> {
  const version = (name: string) => {
    const path = findPackageJSON(name, import.meta.url);
    return path ? (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version : 'unknown';
  };
  const { rows } = await cluster.withClient('postgres', (client) =>
    client.query<{ version: string }>("select current_setting('server_version') as version"),
  );
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GB`;
  return [
    `- ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${memory} of memory, ${platform()} ${release()}`,
    `- Node ${process.versions.node}, PostgreSQL ${rows[0]?.version}, ${packages.map((name) => `${name} ${version(name)}`).join(', ')}`,
    `- ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, commit ${await commit()}`,
  ];
}

async function commit(): Promise<string> {
  const git = async (...args: string[]) => (await promisify(execFile)('git', args)).stdout.trim();
  try {
    const changed = await git('status', '--porcelain', '--untracked-files=no');
    return `${await git('rev-parse', '--short', 'HEAD')}${changed ? ' with changes' : ''}`;
  } catch {
    return 'unknown';
  }
}

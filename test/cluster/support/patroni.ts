import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Account } from '../../../src/embedded-postgres/account.js';
import { until } from '../../support/mail-server.js';
import { makeNode, PASSWORD, type PatroniNode } from './patroni-node.js';
import { freePorts, makeFolder, type RunningProgram, say, serverAccount, startProgram } from './processes.js';
import { pathOf } from './programs.js';
import { runFolder } from './run-folder.js';

const ops = resolve(import.meta.dirname, '../../../ops');

/** Three nodes with etcd and synchronous replication. */
export interface PatroniCluster {
  readonly nodes: readonly PatroniNode[];
  /** The database of the gateway by the lines of all nodes, for clients that find the primary themselves. */
  readonly multiHostUrl: string;
  /** The database on one node, through its line. */
  urlOf(node: PatroniNode): string;
  /** The node that holds the leader key and accepts writes. */
  primary(): Promise<PatroniNode>;
  /** Waits until there is a primary, and both other nodes stream from it. */
  isWhole(withinMs?: number): Promise<PatroniNode>;
  /** Makes another node the primary as an administrator does. */
  switchover(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the cluster with the configuration of ops/, but with shorter waits. */
export async function startPatroniCluster(): Promise<PatroniCluster> {
  const account = await serverAccount();
  const [clientPort = 0, peerPort = 0] = await freePorts(2);
  const etcd = await startEtcd(account, clientPort, peerPort);
  await copyConfiguration(account);
  const nodes: PatroniNode[] = [];
  for (const name of ['node1', 'node2', 'node3']) nodes.push(await makeNode(name, account, clientPort));
  for (const node of nodes) node.start();
  const cluster = clusterOf(nodes, clientPort, etcd);
  await cluster.isWhole(120_000);
  return cluster;
}

async function startEtcd(
  account: Account | null,
  clientPort: number,
  peerPort: number,
): Promise<RunningProgram> {
  const dataDir = await makeFolder('etcd', account);
  const [client, peer] = [`http://127.0.0.1:${clientPort}`, `http://127.0.0.1:${peerPort}`];
  const args = {
    name: 'etcd',
    'data-dir': dataDir,
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `etcd=${peer}`,
    // The data lives as long as the run.
    'unsafe-no-fsync': 'true',
  };
  const etcd = startProgram(
    'etcd',
    pathOf('etcd'),
    Object.entries(args).map(([key, value]) => `--${key}=${value}`),
    { account },
  );
  await until(
    () =>
      fetch(`${client}/health`).then(
        (response) => response.ok,
        () => false,
      ),
    () => `etcd does not answer:\n${etcd.output()}`,
  );
  return etcd;
}

/** Copies the files of ops/ to where the user of the servers can read them. */
async function copyConfiguration(account: Account | null): Promise<void> {
  const folder = await makeFolder('ops', account, 0o755);
  const patroni = (await readFile(join(ops, 'patroni.yml'), 'utf8'))
    .replace(/ttl: \d+/, 'ttl: 8')
    .replace(/loop_wait: \d+/, 'loop_wait: 1')
    .replace(/retry_timeout: \d+/, 'retry_timeout: 3');
  await writeFile(join(folder, 'patroni.yml'), patroni, { mode: 0o644 });
  const sql = await readFile(join(ops, 'create-database.sql'), 'utf8');
  await writeFile(join(folder, 'create-database.sql'), sql, { mode: 0o644 });
}

interface Member {
  name: string;
  role: string;
  state: string;
  lag?: number | 'unknown';
}

function clusterOf(nodes: readonly PatroniNode[], etcdPort: number, etcd: RunningProgram): PatroniCluster {
  const login = `marketplace:${PASSWORD}`;
  const members = async (): Promise<Member[]> => {
    for (const { apiPort } of nodes) {
      const response = await fetch(`http://127.0.0.1:${apiPort}/cluster`, {
        signal: AbortSignal.timeout(1_000),
      }).catch(() => null);
      const body = response?.ok ? ((await response.json().catch(() => null)) as { members: Member[] }) : null;
      if (body) return body.members;
    }
    return [];
  };
  const nodeOf = (name: string) => nodes.find((node) => node.name === name)!;
  const primary = async () => {
    let found: Member | undefined;
    await until(async () => {
      found = (await members()).find(({ role, state }) => role === 'leader' && state === 'running');
      return found !== undefined;
    }, 'there is no primary');
    return nodeOf(found!.name);
  };
  const isWhole = async (withinMs = 60_000) => {
    let seen: Member[] = [];
    let streamingCount = 0;
    await until(
      async () => {
        seen = await members();
        const streaming = seen.filter(
          ({ role, state }) => role !== 'leader' && /running|streaming/.test(state),
        );
        const hasSync = seen.some(({ role }) => role === 'sync_standby');
        if (streaming.length < 2 || !hasSync) return false;
        const [row] = await (await primary())
          .sql<{ count: number }>(
            "select count(distinct application_name)::int from pg_stat_replication where state = 'streaming'",
          )
          .catch(() => []);
        streamingCount = row?.count ?? 0;
        return streamingCount === 2;
      },
      () => `the cluster is not whole, ${streamingCount} stream: ${JSON.stringify(seen)}`,
      withinMs,
    );
    return primary();
  };
  return {
    nodes,
    multiHostUrl: `postgres://${login}@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}/marketplace?target_session_attrs=read-write`,
    urlOf: ({ port }) => `postgres://${login}@127.0.0.1:${port}/marketplace`,
    primary,
    isWhole,
    switchover: async () => {
      const configuration = join(runFolder(), 'ops', 'patronictl.yml');
      await writeFile(
        configuration,
        `scope: marketplace\nnamespace: /service/\netcd3:\n  hosts: 127.0.0.1:${etcdPort}\n`,
      );
      const { name } = await primary();
      const args = ['-c', configuration, 'switchover', 'marketplace', '--master', name, '--force'];
      await promisify(execFile)(pathOf('patronictl'), args, { env: { PATH: process.env.PATH ?? '' } });
      say(`switched over from ${name}`);
    },
    close: async () => {
      for (const node of nodes) await node.close();
      await etcd.end('SIGKILL');
    },
  };
}

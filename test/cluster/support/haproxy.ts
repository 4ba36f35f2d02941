import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { until } from '../../support/mail-server.js';
import type { PatroniCluster } from './patroni.js';
import { freePorts, makeFolder, type RunningProgram, serverAccount, startProgram } from './processes.js';
import { pathOf } from './programs.js';

/** HAProxy in front of a Patroni cluster, with the configuration of ops/. */
export interface DatabaseProxy {
  readonly program: RunningProgram;
  /** The database of the gateway on the primary. */
  readonly primaryUrl: string;
}

/** Starts HAProxy, and waits until it leads to the primary. */
export async function startDatabaseProxy({ nodes, urlOf }: PatroniCluster): Promise<DatabaseProxy> {
  const account = await serverAccount();
  const [primaryPort = 0] = await freePorts(1);
  const file = join(await makeFolder('haproxy', account, 0o755), 'haproxy.cfg');
  const source = resolve(import.meta.dirname, '../../../ops/haproxy-postgresql.cfg');
  await writeFile(file, await readFile(source, 'utf8'), { mode: 0o644 });
  const env: Record<string, string> = { PRIMARY_BIND: `127.0.0.1:${primaryPort}` };
  for (const [i, { port, apiPort }] of nodes.entries()) {
    env[`NODE${i + 1}`] = `127.0.0.1:${port}`;
    env[`NODE${i + 1}_API_HOST`] = '127.0.0.1';
    env[`NODE${i + 1}_API_PORT`] = String(apiPort);
  }
  const program = startProgram('haproxy', pathOf('haproxy'), ['-db', '-f', file], { env, account });
  const [anyNode] = nodes;
  const primaryUrl = new URL(urlOf(anyNode!));
  primaryUrl.port = String(primaryPort);
  await until(
    () => answers(primaryPort),
    () => `HAProxy does not answer:\n${program.output()}`,
  );
  return { program, primaryUrl: primaryUrl.href };
}

/** True if a connection stays open: HAProxy closes it at once while it knows no server. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    // The message that asks PostgreSQL for TLS, to which it replies with one byte.
    socket.once('connect', () => socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])));
    socket.once('data', () => {
      resolve(true);
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}

import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Client } from 'pg';
import { findBinaries } from '../../src/embedded-postgres/binaries.js';
import { startEmbeddedDatabase } from '../../src/embedded-postgres/embedded.js';
import { lockFolder } from '../../src/embedded-postgres/lock.js';
import { endOrphan } from '../../src/embedded-postgres/postmaster.js';

const PREFIX = 'marketplace-gateway-test-';
const MINUTE_MS = 60_000;
/** A file system in memory: the tests create and drop hundreds of databases of 600 files each. */
const IN_MEMORY = '/dev/shm';
/** Many times what the cluster of a run takes. */
const MIN_FREE_BYTES = 4 * 1024 ** 3;

/**
 * Starts the PostgreSQL that all test files of a run share, or takes the one of TEST_DATABASE_URL.
 * The workers get its address through the environment; see database.ts.
 */
export async function startTestCluster(): Promise<() => Promise<void>> {
  process.env.TEST_RUN = `test_${randomBytes(4).toString('hex')}`;
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    process.env.TEST_CLUSTER_URL = given;
    return () => dropDatabasesOfRun(given, process.env.TEST_RUN ?? '');
  }
  await removeAbandoned();
  const dataDir = await mkdtemp(join(await folderOfClusters(), PREFIX));
  // Under root the database's own user has to pass through.
  await chmod(dataDir, 0o711);
  // Nothing is replicated or recovered: of a copied database no log is needed.
  // And no statistics, plan or size depends on when a background process comes by; who needs one analyzes or vacuums.
  const settings = { max_connections: '600', wal_level: 'minimal', max_wal_senders: '0', autovacuum: 'off' };
  const database = await startEmbeddedDatabase({ dataDir, durable: false, settings });
  process.env.TEST_CLUSTER_URL = database.url;
  await simplifyLogin(database.url);
  // Whatever the tests, their processes and browsers leave in the temporary folder goes with the run.
  const leftovers = await mkdtemp(join(tmpdir(), 'tests-'));
  await chmod(leftovers, 0o711);
  process.env.TMPDIR = leftovers;
  return async () => {
    await database.stop();
    for (const folder of [dataDir, leftovers]) await rm(folder, { recursive: true, force: true });
  };
}

/** Returns the file system in memory if it has room (in a container it may be small), or the usual temporary folder. */
async function folderOfClusters(): Promise<string> {
  const found = await statfs(IN_MEMORY).catch(() => null);
  return found && found.bavail * found.bsize >= MIN_FREE_BYTES ? IN_MEMORY : tmpdir();
}

/** Hashes the password once instead of 4,096 times at each login: the tests open thousands of connections. */
async function simplifyLogin(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const password = client.escapeLiteral(decodeURIComponent(new URL(url).password));
  await client.query(`SET scram_iterations = 1; ALTER ROLE CURRENT_USER PASSWORD ${password}`);
  await client.end();
}

async function dropDatabasesOfRun(url: string, run: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)',
    [`${run}_`],
  );
  for (const { name } of rows) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await client.end();
}

/** Ends and removes the clusters of runs that were killed. */
async function removeAbandoned(): Promise<void> {
  const folders = [IN_MEMORY, tmpdir()].map(async (parent) =>
    (await readdir(parent).catch(() => [])).map((name) => join(parent, name)),
  );
  for (const folder of (await Promise.all(folders)).flat()) {
    if (!basename(folder).startsWith(PREFIX)) continue;
    const found = await stat(folder).catch(() => null);
    // Only our own, and none that another run has only just made and not locked yet.
    if (found?.uid !== process.geteuid?.() || Date.now() - (found?.mtimeMs ?? 0) < MINUTE_MS) continue;
    const unlock = await lockFolder(folder, folder).catch(() => null);
    if (!unlock) continue;
    const binaries = await findBinaries(null, () => undefined);
    await endOrphan(join(folder, 'postgres'), binaries, () => undefined);
    await unlock();
    await rm(folder, { recursive: true, force: true });
  }
}

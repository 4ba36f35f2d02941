import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client, DatabaseError } from 'pg';
import { migrateDatabase } from '../../src/process/migrate.js';

/** A migrated, empty database for one test file. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  drop(): Promise<void>;
}

const OBJECT_IN_USE = '55006';
/** Arbitrary numbers, the same in all workers. */
const TEMPLATE_LOCK = 7_315_001;
const BUILD_LOCK = 7_315_002;

/** Makes a database of its own for a test file, as a copy of one that the run migrates once. */
export const createTestDatabase = (): Promise<TestDatabase> =>
  createDatabase(async (client, name) => {
    // One at a time: PostgreSQL refuses to copy a template that has connections.
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    await copyDatabase(client, await template(client), name);
  });

/** A database without a single table, for tests of the migrations themselves. */
export const createEmptyDatabase = (): Promise<TestDatabase> =>
  createDatabase((client, name) => client.query(`CREATE DATABASE ${name}`));

async function createDatabase(
  create: (client: Client, name: string) => Promise<unknown>,
): Promise<TestDatabase> {
  const name = `${runName()}_${randomBytes(6).toString('hex')}`;
  await onCluster((client) => create(client, name));
  const drop = () => onCluster((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  return { url: urlOf(name), drop, [Symbol.asyncDispose]: drop };
}

/** Builds dist if it is not current: one test file does, and the others that want it wait. */
export async function buildOnce(): Promise<void> {
  const script = resolve(import.meta.dirname, '../../scripts/prepare.mjs');
  await onCluster(async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [BUILD_LOCK]);
    await promisify(execFile)(process.execPath, [script, '--build']);
  });
}

/** The template has its name only once it is migrated, so a failed attempt is never copied. */
async function template(client: Client): Promise<string> {
  const name = `${runName()}_template`;
  const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (found.rowCount) return name;
  const unfinished = `${runName()}_unfinished`;
  await client.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${unfinished}`);
  await migrateDatabase(urlOf(unfinished));
  await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`);
  return name;
}

async function copyDatabase(client: Client, source: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      // By its files, so that the pages are not written to the log as well.
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY FILE_COPY`);
      return;
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code !== OBJECT_IN_USE || attempt === 10) throw error;
      await delay(200);
    }
  }
}

/** Opens a connection of its own to a database. */
export async function connectTo(databaseUrl: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

async function onCluster(work: (client: Client) => Promise<unknown>): Promise<void> {
  await using client = await connectTo(clusterUrl());
  await work(client);
}

function urlOf(database: string): string {
  const url = new URL(clusterUrl());
  url.pathname = `/${database}`;
  return url.href;
}

const clusterUrl = (): string => required('TEST_CLUSTER_URL');
const runName = (): string => required('TEST_RUN');

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests with npm run jest`);
  return value;
}

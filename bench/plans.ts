import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { type Statement, sessionSettings } from '../src/db/reader.js';
import { startEmbeddedDatabase } from '../src/embedded-postgres/embedded.js';
import { migrateDatabase } from '../src/process/migrate.js';
import { fillCatalog } from './plans.catalog.js';
import { hotQueries, parameterText } from './plans.queries.js';

/** Writes the query plan of every frequent query to bench/plans: `node dist/bench/plans.js --apps 1000000`. */
const { values: options } = parseArgs({
  options: {
    apps: { type: 'string', default: '1000000' },
    out: { type: 'string', default: 'bench/plans' },
    times: { type: 'string', default: '100' },
  },
});
const PATIENCE_MS = 10_000;
const apps = Number(options.apps);
const folder = await mkdtemp(join(tmpdir(), 'marketplace-gateway-plans-'));
// Under root PostgreSQL runs as another user, who must be able to enter the folder.
await chmod(folder, 0o711);
const database = await startEmbeddedDatabase({
  dataDir: folder,
  durable: false,
  settings: { shared_buffers: '1GB', maintenance_work_mem: '512MB', max_wal_size: '8GB' },
});
try {
  await migrateDatabase(database.url);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await fillCatalog(client, apps, (step) => process.stderr.write(`${step}\n`));
  await client.query(sessionSettings);
  await mkdir(options.out, { recursive: true });
  for (const { name, statements } of hotQueries(apps)) {
    await explain(client, name, statements(0));
    await measure(client, name, statements);
  }
  await client.end();
} finally {
  await database.stop();
  await rm(folder, { recursive: true, force: true });
}

/** Writes the generic plan of a query, with the timings for these values. */
async function explain(client: pg.Client, name: string, { text, values }: Statement): Promise<void> {
  await client.query(`prepare explained as ${text}`);
  const literals = values.map((value) =>
    value === null ? 'null' : client.escapeLiteral(parameterText(value)),
  );
  const execute = `execute explained${literals.length > 0 ? `(${literals.join(', ')})` : ''}`;
  // The first run fills the caches; the second is the usual case.
  await client.query(execute);
  const { rows } = await client.query<Record<string, string>>(`explain (analyze, buffers) ${execute}`);
  await client.query('deallocate explained');
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  const asked = values.length > 0 ? `-- with ${literals.join(', ')}\n` : '';
  const head = `-- ${name} at ${apps.toLocaleString('en')} apps\n${asked}`;
  if (/Seq Scan on (apps|app_figures|app_search)\b/.test(plan))
    process.stderr.write(`${name}: a sequential scan!\n`);
  await writeFile(join(options.out, `${name}.txt`), `${head}${text.trim()}\n\n${plan}\n`);
}

/** Prints how long a query takes, with other values each time; stops early if it is slow. */
async function measure(client: pg.Client, name: string, statements: (turn: number) => Statement) {
  const times: number[] = [];
  const until = performance.now() + PATIENCE_MS;
  for (let turn = 0; turn < Number(options.times) && performance.now() < until; turn += 1) {
    const { values, ...statement } = statements(turn);
    const started = performance.now();
    await client.query({ ...statement, values: [...values] });
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * (times.length - 1))]?.toFixed(2);
  process.stdout.write(`${name.padEnd(28)} p50 ${at(0.5)} ms  p99 ${at(0.99)} ms\n`);
}

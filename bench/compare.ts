import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { newKeys } from './catalog/catalog.js';
import { checkRow, send } from './check.js';
import { machineLines } from './machine.js';
import { Measuring, type Sample } from './measure.js';
import { type Options, UsageError } from './options.js';
import { asMarkdown, asText, cellOf, type Line, processLines, tableOf } from './report.js';
import { allRows, type Row } from './rows.js';
import type { Server, Variant } from './servers/servers.js';
import type { Setting } from './setting.js';

const resultsFile = fileURLToPath(new URL('../../bench/RESULTS.md', import.meta.url));

/** The comparison: every row against every server in turn, round by round. */
export async function compare(setting: Setting, options: Options): Promise<void> {
  const keys = newKeys();
  const catalog = await setting.catalog(options.apps);
  const rows = choose(allRows(await setting.material(catalog, keys)), options.rows);
  const servers = await startServers(setting, options, catalog, keys);
  for (const row of rows) {
    setting.progress.say(`Checking ${row.name}`);
    await checkRow(
      row,
      servers.filter(({ variant }) => variant !== 'static'),
    );
  }
  const lines = await measure(setting, options, rows, servers);
  const ours = servers.find(({ variant }) => variant === 'ours');
  const facts = ours ? processLines(ours.readyMs / 1000, (await ours.residentMb()) ?? null) : [];
  const table = tableOf(lines);
  process.stdout.write(`\n${asText(table)}\n\n${facts.join('\n')}\n`);
  if (options.out === null && !options.write) return;
  const text = await markdown(setting, options, table, facts);
  if (options.out !== null) await writeFile(options.out, text);
  if (options.write) await writeFile(resultsFile, text);
}

/** Refuses names of rows that there are not, before anything is started. */
export function requireRows(names: readonly string[]): void {
  const known = allRows({ approved: 1000, slugs: ['any'], keys: [] }).map(({ name }) => name);
  const unknown = names.find((name) => !known.some((row) => row.startsWith(name)));
  if (unknown !== undefined)
    throw new UsageError(`There is no row ${unknown}: use some of ${known.join(', ')}.`);
}

const choose = (rows: readonly Row[], names: readonly string[]) =>
  names.length === 0 ? rows : rows.filter((row) => names.some((name) => row.name.startsWith(name)));

/** Each server has a copy of its own, since they write differently. Ours is started twice: the second start is timed. */
async function startServers(
  setting: Setting,
  { variants }: Options,
  catalog: string,
  keys: readonly string[],
): Promise<Server[]> {
  const servers: Server[] = [];
  for (const variant of variants) {
    const isBaseline = variant === 'bare' || variant === 'plain';
    if (isBaseline) await setting.copy(await setting.baseline(catalog), variant, keys);
    if (variant === 'ours') await setting.copy(catalog, variant, keys);
    setting.progress.say(`Starting ${variant}`);
    if (variant === 'ours') await (await setting.start('ours', 'ours')).stop();
    servers.push(await setting.start(variant, variant));
  }
  return servers;
}

async function measure(
  setting: Setting,
  { rounds, windowMs }: Options,
  rows: readonly Row[],
  servers: readonly Server[],
): Promise<Line[]> {
  const measuring = new Measuring(setting, windowMs, ({ variant }) => variant);
  const samples = new Map<Row, Map<Variant, Sample[]>>();
  for (let round = 1; round <= rounds; round += 1) {
    for (const row of rows) {
      const ofRow = samples.get(row) ?? new Map<Variant, Sample[]>();
      samples.set(row, ofRow);
      await sizeStatic(row, servers);
      for (const server of servers) {
        const sample = await measuring.run(row, server);
        ofRow.set(server.variant, [...(ofRow.get(server.variant) ?? []), sample]);
        tell(setting, measuring, `Round ${round}`, row, server, sample);
      }
    }
  }
  return rows.map((row) => ({
    row,
    cells: Object.fromEntries([...samples.get(row)!].map(([variant, all]) => [variant, cellOf(all)])),
  }));
}

function tell(
  setting: Setting,
  measuring: Measuring,
  round: string,
  row: Row,
  server: Server,
  sample: Sample,
): void {
  const { perSecond, p50Ms, p99Ms, errors, wrong } = sample;
  const figures = `${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;
  const repeats = measuring.repeats(row, server) ? ' (the list of cold requests began again)' : '';
  setting.progress.say(`${round} ${row.name} ${server.variant}: ${figures}${repeats}`);
  if (errors > 0) setting.progress.say(`  ${errors} errors: ${wrong.join('; ')}`);
}

/** The ceiling writes as many bytes as ours does in this row. */
async function sizeStatic(row: Row, servers: readonly Server[]): Promise<void> {
  const ceiling = servers.find(({ variant }) => variant === 'static');
  const model = servers.findLast(({ variant }) => variant !== 'static');
  if (!ceiling || !model) return;
  const requests = row.requests
    .filter(({ path }) => row.kind === 'install' || !path.endsWith('/install'))
    .slice(0, 10);
  const answers = await Promise.all(requests.map((request) => send(model, request)));
  await ceiling.serve(Math.round(answers.reduce((sum, { length }) => sum + length, 0) / answers.length));
}

async function markdown(setting: Setting, options: Options, table: string[][], facts: readonly string[]) {
  const { apps, rounds, windowMs } = options;
  return [
    '# Results',
    '',
    `Written by \`npm run bench -- --write\`; what the rows and servers are stands in [README.md](README.md).`,
    '',
    `- ${apps.toLocaleString('en')} apps, ${rounds} rounds of ${windowMs / 1000} s for each row and server, medians`,
    ...(await machineLines(setting.cluster)),
    ...facts.map((fact) => `- ${fact}`),
    '',
    asMarkdown(table),
    '',
  ].join('\n');
}

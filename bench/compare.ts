import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BaseBuild } from './base-build.js';
import type { BenchRun } from './bench-run.js';
import { newKeys } from './catalog/catalog.js';
import { checkRow, send } from './check.js';
import { machineLines } from './machine.js';
import { Measurements, type Sample } from './measure.js';
import { type Options, outputFiles, UsageError } from './options.js';
import { type Chart, plotLatencies, pointsOf } from './plot.js';
import { asMarkdown, asText, cellOf, type Line, loadLines, processLines, tableOf } from './report.js';
import { allRows, type Row } from './rows.js';
import type { Server, Variant } from './servers/servers.js';

const resultsFile = fileURLToPath(new URL('../../bench/RESULTS.md', import.meta.url));

/** All samples of a run, by row and server, in the order of the rounds. */
type Samples = Map<Row, Map<Variant, Sample[]>>;

/** Measures every row on every server in turn, round by round, and prints the table. */
export async function compare(run: BenchRun, options: Options): Promise<void> {
  const keys = newKeys();
  const catalog = await run.catalog(options.apps);
  const rows = choose(allRows(await run.requestData(catalog, keys)), options.rows);
  const base = options.compare === null ? null : await run.buildBase(options.compare);
  const servers = await startServers(run, options, { catalog, base, keys });
  for (const row of rows) {
    run.progress.log(`Checking ${row.name}`);
    await checkRow(
      row,
      servers.filter(({ variant }) => variant !== 'static' && !row.without.includes(variant)),
    );
  }
  const samples = await measure(run, options, rows, servers);
  const lines = rows.map((row) => ({ row, cells: cellsOf(samples.get(row)!) }));
  const ours = servers.find(({ variant }) => variant === 'ours');
  const facts = [
    ...(base ? [`base is commit ${base.commit}`] : []),
    ...(ours ? processLines(ours.readyMs / 1000, (await ours.residentMb()) ?? null) : []),
    ...loadLines(run.wrk?.version ?? null, openSamples(samples)),
  ];
  const table = tableOf(lines);
  process.stdout.write(`\n${asText(table)}\n\n${facts.join('\n')}\n`);
  const charts = chartsOf(samples);
  for (const file of outputFiles(options, resultsFile)) {
    const plot = charts.length > 0 ? file.replace(/(\.\w+)?$/, '-latency.svg') : null;
    if (plot) await writeFile(plot, await plotLatencies('Latency over time, round after round', charts));
    await writeFile(file, await markdown(run, options, table, plot ? [...facts, plotLink(plot)] : facts));
  }
}

const plotLink = (plot: string) => `![Latency over time](${basename(plot)})`;

/** Returns a chart of each mixed row for each gateway. */
const chartsOf = (samples: Samples): Chart[] =>
  [...samples].flatMap(([row, ofRow]) =>
    [...ofRow].flatMap(([variant, all]) =>
      row.kind === 'mixed' && (variant === 'ours' || variant === 'base')
        ? [{ title: `${row.title}: ${variant}`, points: pointsOf(all) }]
        : [],
    ),
  );

/** Rejects unknown row names before anything is started. */
export function requireRows(names: readonly string[]): void {
  const known = allRows({ approved: 1000, slugs: ['any'], keys: [] }).map(({ name }) => name);
  const unknown = names.find((name) => !known.some((row) => row.startsWith(name)));
  if (unknown !== undefined)
    throw new UsageError(
      unknown === 'help'
        ? `The rows are ${known.join(', ')}.`
        : `There is no row ${unknown}: use some of ${known.join(', ')}.`,
    );
}

const choose = (rows: readonly Row[], names: readonly string[]) =>
  names.length === 0 ? rows : rows.filter((row) => names.some((name) => row.name.startsWith(name)));

/** Starts the servers, each with its own copy of the catalog because they write differently. Ours is started twice, and the second start is timed. */
async function startServers(
  run: BenchRun,
  { variants, apps }: Options,
  { catalog, base, keys }: { catalog: string; base: BaseBuild | null; keys: readonly string[] },
): Promise<Server[]> {
  const servers: Server[] = [];
  for (const variant of variants) {
    const isBaseline = variant === 'bare' || variant === 'plain';
    if (isBaseline) await run.copy(await run.baseline(catalog), variant, keys);
    if (variant === 'ours') await run.copy(catalog, variant, keys);
    if (variant === 'base')
      await run.copy(await base!.catalog(run.cluster, apps, run.progress), variant, keys);
    run.progress.log(`Starting ${variant}`);
    if (variant === 'ours') await (await run.start('ours', 'ours')).stop();
    servers.push(await run.start(variant, databaseOf(variant)));
  }
  return servers;
}

/** Every server has a database of its own, except that `unlimited` only reads. */
const databaseOf = (variant: Variant) => (variant === 'unlimited' ? 'ours' : variant);

async function measure(
  run: BenchRun,
  { rounds, windowMs }: Options,
  rows: readonly Row[],
  servers: readonly Server[],
): Promise<Samples> {
  const measurements = new Measurements(run, windowMs, ({ variant }) => databaseOf(variant));
  const samples: Samples = new Map();
  for (let round = 1; round <= rounds; round += 1) {
    for (const row of rows) {
      const ofRow = samples.get(row) ?? new Map<Variant, Sample[]>();
      samples.set(row, ofRow);
      await sizeStatic(row, servers);
      // In every other round in reverse, so that no server always follows the same one.
      const inTurn = round % 2 === 1 ? servers : servers.toReversed();
      for (const server of inTurn.filter(({ variant }) => !row.without.includes(variant))) {
        const sample = await measurements.measure(row, server);
        ofRow.set(server.variant, [...(ofRow.get(server.variant) ?? []), sample]);
        logSample(run, measurements, `Round ${round}`, row, server, sample);
      }
    }
  }
  return samples;
}

const cellsOf = (samples: ReadonlyMap<Variant, readonly Sample[]>): Line['cells'] =>
  Object.fromEntries([...samples].map(([variant, all]) => [variant, cellOf(all)]));

const openSamples = (samples: Samples): (readonly [string, Sample])[] =>
  [...samples].flatMap(([row, ofRow]) =>
    row.perSecond === undefined
      ? []
      : [...ofRow].flatMap(([variant, all]) =>
          all.map((sample, index) => [`${row.title}, ${variant}, round ${index + 1}`, sample] as const),
        ),
  );

function logSample(
  run: BenchRun,
  measurements: Measurements,
  round: string,
  row: Row,
  server: Server,
  sample: Sample,
): void {
  const { perSecond, p50Ms, p99Ms, errors, wrong } = sample;
  const figures = `${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;
  const repeats = measurements.repeats(row, server) ? ' (the list of cold requests started again)' : '';
  run.progress.log(`${round} ${row.name} ${server.variant}: ${figures}${repeats}`);
  if (errors > 0) run.progress.log(`  ${errors} errors: ${wrong.join('; ')}`);
}

/** Sets the size of the static response to the mean size of our responses in this row. */
async function sizeStatic(row: Row, servers: readonly Server[]): Promise<void> {
  const ceiling = servers.find(({ variant }) => variant === 'static');
  const model = servers.findLast(({ variant }) => variant !== 'static');
  if (!ceiling || !model || row.without.includes('static')) return;
  const responses = await Promise.all(row.requests.slice(0, 10).map((request) => send(model, request)));
  await ceiling.serve(Math.round(responses.reduce((sum, { length }) => sum + length, 0) / responses.length));
}

async function markdown(run: BenchRun, options: Options, table: string[][], facts: readonly string[]) {
  const { apps, rounds, windowMs } = options;
  return [
    '# Results',
    '',
    `Written by \`npm run bench -- --write\`; [README.md](README.md) describes the rows and servers.`,
    '',
    `- ${apps.toLocaleString('en')} apps, ${rounds} rounds of ${windowMs / 1000} s for each row and server, medians`,
    ...(await machineLines(run.cluster)),
    ...facts.map((fact) => `- ${fact}`),
    '',
    asMarkdown(table),
    '',
  ].join('\n');
}

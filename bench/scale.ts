import type { BenchRun } from './bench-run.js';
import { newKeys } from './catalog/catalog.js';
import { median } from './figures.js';
import { Measurements } from './measure.js';
import type { Options } from './options.js';
import { commonSearches, deepPages, topicSearches } from './requests.js';
import type { Row } from './rows.js';
import type { Server } from './servers/servers.js';
import { COMMON_SEARCH, SCALE_UP_TO } from './targets.js';

const SMALL = 10_000;
const REQUESTS = 1500;

/** Compares the p99 of the same load on a small catalog and on one with a hundred times as many apps. */
export async function scale(run: BenchRun, { rounds, scaleApps: large }: Options): Promise<void> {
  const sizes: { server: Server; rows: Row[] }[] = [];
  for (const apps of [SMALL, large]) {
    const catalog = await run.catalog(apps);
    const database = `ours_${apps}`;
    await run.copy(catalog, database, newKeys());
    const data = await run.requestData(catalog);
    sizes.push({ server: await run.start('ours', database), rows: rowsOf(data) });
  }
  const measurements = new Measurements(run, 1000, () => '');
  for (const [index, { title }] of sizes[0]!.rows.entries()) {
    const p99s: number[][] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      for (const [size, { server, rows }] of sizes.entries()) {
        const part = slice(rows[index]!, round, rounds);
        const { p99Ms, p50Ms, errors, wrong } = await measurements.measure(part, server, { once: true });
        p99s[size]!.push(p99Ms);
        run.progress.log(
          `${title}, ${size === 0 ? SMALL : large} apps: p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, ${errors} errors ${wrong.join('; ')}`,
        );
      }
    }
    const [p99Small, p99Large] = p99s.map(median) as [number, number];
    const verdict = p99Large / p99Small <= SCALE_UP_TO ? 'met' : 'MISSED';
    process.stdout.write(
      `${title}: p99 ${p99Small.toFixed(1)} ms at ${SMALL.toLocaleString('en')} apps, ${p99Large.toFixed(1)} ms at ${large.toLocaleString('en')}: ${(p99Large / p99Small).toFixed(2)} times, ${verdict} (≤ ${SCALE_UP_TO})\n`,
    );
  }
  const { server } = sizes[1]!;
  for (const [title, pages] of commonRows)
    await measureCommon(measurements, server, row(title, title, commonSearches(pages)));
}

/** The first pages are searched for; a server may store the order of a search for further ones. */
const commonRows = [
  ['Search for a topic of 1 % of the apps, by popularity', [1]],
  ['Further pages of these searches', [2, 3, 4, 5]],
] as const;

async function measureCommon(measurements: Measurements, server: Server, common: Row): Promise<void> {
  const { perSecond, p50Ms, p99Ms, errors } = await measurements.measure(common, server, { once: true });
  const isMet = perSecond >= COMMON_SEARCH.perSecond && p99Ms <= COMMON_SEARCH.p99Ms && errors === 0;
  process.stdout.write(
    `${common.title}, 32 callers: ${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, ${errors} errors: ${isMet ? 'met' : 'MISSED'} (≥ ${COMMON_SEARCH.perSecond}/s, p99 ≤ ${COMMON_SEARCH.p99Ms} ms)\n`,
  );
}

const rowsOf = (data: { approved: number }): Row[] => [
  row('search', 'Search for topics of up to 1,000 apps', topicSearches()),
  row('deep', 'Deep pages', deepPages(data)),
];

const row = (name: string, title: string, requests: Row['requests']): Row => ({
  name,
  title,
  kind: 'page',
  warm: false,
  connections: 32,
  requests,
  without: [],
});

/** Returns the requests of one round; no two rounds share a request. */
function slice(whole: Row, round: number, rounds: number): Row {
  const size = Math.min(REQUESTS, Math.floor(whole.requests.length / rounds));
  return { ...whole, requests: whole.requests.slice(round * size, (round + 1) * size) };
}

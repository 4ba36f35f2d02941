import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BenchRun } from './bench-run.js';
import { newKeys } from './catalog/catalog.js';
import { slope } from './figures.js';
import { Measurements, type Sample } from './measure.js';
import { type Options, outputFiles } from './options.js';
import { plotLatencies, pointsOf } from './plot.js';
import { allRows } from './rows.js';

const plotFile = fileURLToPath(new URL('../../bench/soak-latency.svg', import.meta.url));
const SAMPLE_MS = 10_000;
const SETTLING_MS = 60_000;
/** Growth that is still explained by the noise of garbage collection. */
const FLAT_MB_PER_MINUTE = 1;

/** Runs the mixed load for some minutes; there must be no error, and after the first minute memory must not grow. */
export async function soak(run: BenchRun, options: Options, minutes: number): Promise<void> {
  const keys = newKeys();
  const catalog = await run.catalog(options.apps);
  await run.copy(catalog, 'ours', keys);
  const row = allRows(await run.requestData(catalog, keys)).find(({ name }) => name === 'mixed')!;
  const server = await run.start('ours', 'ours');
  const measurements = new Measurements(run, SAMPLE_MS, () => 'ours');
  const points: [minutes: number, megabytes: number][] = [];
  const startedAt = performance.now();
  const samples: Sample[] = [];
  let errors = 0;
  while (performance.now() - startedAt < minutes * 60_000) {
    const sample = await measurements.measure(row, server);
    errors += sample.errors;
    samples.push(sample);
    const elapsedMs = performance.now() - startedAt;
    run.progress.log(
      `${(elapsedMs / 60_000).toFixed(1)} min: ${sample.perSecond.toFixed(0)}/s, p99 ${sample.p99Ms.toFixed(1)} ms, ${sample.errors} errors, ${sample.residentMb?.toFixed(0)} MB`,
    );
    for (const wrong of sample.wrong) run.progress.log(`  ${wrong}`);
    if (elapsedMs >= SETTLING_MS && sample.residentMb !== null)
      points.push([elapsedMs / 60_000, sample.residentMb]);
  }
  const growth = slope(points);
  const isFlat = growth <= FLAT_MB_PER_MINUTE;
  process.stdout.write(
    `${minutes} minutes of mixed load: ${errors} errors, memory ${growth >= 0 ? '+' : ''}${growth.toFixed(2)} MB a minute after the first: ${errors === 0 && isFlat ? 'met' : 'MISSED'}\n`,
  );
  const charts = [{ title: row.title, points: pointsOf(samples) }];
  for (const file of outputFiles(options, plotFile))
    await writeFile(file, await plotLatencies(`Latency over ${minutes} minutes`, charts));
}

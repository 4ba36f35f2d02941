import { newKeys } from './catalog/catalog.js';
import { slope } from './figures.js';
import { Measuring } from './measure.js';
import type { Options } from './options.js';
import { allRows } from './rows.js';
import type { Setting } from './setting.js';

const SAMPLE_MS = 10_000;
const SETTLING_MS = 60_000;
/** What the noise of a garbage collector may look like. */
const FLAT_MB_PER_MINUTE = 1;

/** The mixed load for minutes on end: no error, and memory that does not grow once it has settled. */
export async function soak(setting: Setting, { apps }: Options, minutes: number): Promise<void> {
  const keys = newKeys();
  const catalog = await setting.catalog(apps);
  await setting.copy(catalog, 'ours', keys);
  const row = allRows(await setting.material(catalog, keys)).find(({ name }) => name === 'mixed')!;
  const server = await setting.start('ours', 'ours');
  const measuring = new Measuring(setting, SAMPLE_MS, () => 'ours');
  const points: [minutes: number, megabytes: number][] = [];
  const startedAt = performance.now();
  let errors = 0;
  while (performance.now() - startedAt < minutes * 60_000) {
    const sample = await measuring.run(row, server);
    errors += sample.errors;
    const elapsedMs = performance.now() - startedAt;
    setting.progress.say(
      `${(elapsedMs / 60_000).toFixed(1)} min: ${sample.perSecond.toFixed(0)}/s, p99 ${sample.p99Ms.toFixed(1)} ms, ${sample.errors} errors, ${sample.residentMb?.toFixed(0)} MB`,
    );
    for (const wrong of sample.wrong) setting.progress.say(`  ${wrong}`);
    if (elapsedMs >= SETTLING_MS && sample.residentMb !== null)
      points.push([elapsedMs / 60_000, sample.residentMb]);
  }
  const growth = slope(points);
  const isFlat = growth <= FLAT_MB_PER_MINUTE;
  process.stdout.write(
    `${minutes} minutes of mixed load: ${errors} errors, memory ${growth >= 0 ? '+' : ''}${growth.toFixed(2)} MB a minute after the first: ${errors === 0 && isFlat ? 'met' : 'MISSED'}\n`,
  );
}

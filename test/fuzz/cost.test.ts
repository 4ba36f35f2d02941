import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { aFolder } from '../support/folder.js';
import { Cast } from './cast.js';
import type { Candidate } from './cost/candidate.js';
import { fewShapes, knownShapes } from './cost/catalogue.js';
import { type MeasuredGateway, startMeasuredGateway } from './cost/gateway.js';
import { Meter } from './cost/measure.js';
import { Random } from './cost/random.js';
import { lineOf, save } from './cost/report.js';
import { type Finding, Search } from './cost/search.js';
import { fillCatalog } from './cost/stock.js';

/** Settings of `npm run fuzz -- --cost`; without FUZZ_MINUTES this is the short form that belongs to `npm test`. */
const {
  FUZZ_MINUTES,
  FUZZ_SEED = '1',
  FUZZ_BUDGET_MS = FUZZ_MINUTES ? '100' : '200',
  FUZZ_TOP = '10',
  FUZZ_OUT,
  FUZZ_REPLAY,
} = process.env;
const budgetMs = Number(FUZZ_BUDGET_MS);
const random = new Random(Number(FUZZ_SEED));
/** Candidates of the short form, beside the known shapes. */
const shortSearch = 50;
/** Small documents are compiled when they come again, so those are sent four times. */
const maxCompiled = 1_000;
/** The short form stops after these. */
const enoughFindings = 10;
const progressEveryMs = 2_000;

describe('the processor time of one request', () => {
  let gateway: MeasuredGateway;
  let meter: Meter;
  let search: Search;
  beforeAll(async () => {
    gateway = await startMeasuredGateway(process.env.FUZZ_PROFILE);
    await fillCatalog(gateway);
    const schema = buildSchema(await readFile('schema/schema.graphql', 'utf8'));
    meter = new Meter(gateway, { cast: await Cast.assemble(gateway), client: gateway.client, schema });
    search = new Search(meter, random, budgetMs, tellFinding);
  }, 120_000);
  afterAll(async () => {
    await meter?.close();
    await gateway?.close();
  });

  it(
    `is at most ${budgetMs} ms whatever it holds, the first time and the tenth`,
    async () => {
      if (FUZZ_REPLAY) await search.measure(JSON.parse(await readFile(FUZZ_REPLAY, 'utf8')) as Candidate, 10);
      else await lookEverywhere();
      const findings = search.findings();
      if (FUZZ_MINUTES || findings.length > 0) await tell(await search.dearest(Number(FUZZ_TOP)));
      expect(findings.map((finding) => lineOf(finding, meter))).toEqual([]);
      expect((await gateway.client.request('GET', '/readyz')).status).toBe(200);
    },
    1_800_000 + Number(FUZZ_MINUTES ?? 0) * 60_000,
  );

  async function lookEverywhere(): Promise<void> {
    const until = Date.now() + Number(FUZZ_MINUTES) * 60_000;
    const progress = FUZZ_MINUTES ? setInterval(tellProgress, progressEveryMs) : undefined;
    const isOver = () =>
      gateway.ended() !== null ||
      (FUZZ_MINUTES ? Date.now() >= until : search.findings().length >= enoughFindings);
    for (const candidate of random.shuffled(FUZZ_MINUTES ? knownShapes : fewShapes))
      if (!isOver()) await search.measure(candidate, candidate.size < maxCompiled ? 4 : 1);
    const wanted = meter.sent + shortSearch;
    await search.run(() => isOver() || (!FUZZ_MINUTES && meter.sent >= wanted));
    clearInterval(progress);
  }

  function tellFinding(finding: Finding): void {
    if (FUZZ_MINUTES) process.stderr.write(`\r${lineOf(finding, meter)}\n`);
  }

  function tellProgress(): void {
    const dear = `the dearest so far ${search.highestMs.toFixed(0)} ms with PostgreSQL`;
    process.stderr.write(`\r${meter.sent} requests, ${search.findings().length} too dear, ${dear}…  `);
  }

  async function tell(dearest: readonly Finding[]): Promise<void> {
    const folder = FUZZ_OUT ?? (await aFolder());
    await save(dearest, meter, folder);
    const lines = dearest.map((finding) => lineOf(finding, meter)).join('\n');
    process.stderr.write(`\n${meter.sent} requests. The dearest, saved in ${folder}:\n${lines}\n`);
  }
});

import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'undici';
import { ensureCatalog } from '../../bench/catalog/catalog.js';
import { Cluster } from '../../bench/cluster.js';
import { Progress } from '../../bench/progress.js';
import { type MeasuredGateway, startMeasuredGateway } from '../fuzz/cost/gateway.js';
import { slownessNow } from '../support/cpu.js';
import { type AnonymousRequest, anonymousRequests, type CatalogFacts } from './anonymous-requests.js';

/** The number of apps; `SCALE_APPS=1000000` for a catalog of a million, where a request may cost more. */
const apps = Number(process.env.SCALE_APPS ?? 100_000);
/** More than the 100 ms that are aimed at: two searches with their counts, for eight words that most apps have, cost about 100. */
const maxCostMs = apps > 100_000 ? 500 : 150;
const maxReadyMs = 100;
const maxSlugMs = 200;
/** A request that costs too much is measured this often, since garbage of earlier requests may be in it. */
const tries = 3;
const attackSize = 50;

interface Cost {
  readonly request: AnonymousRequest;
  readonly status: number;
  readonly gatewayMs: number;
  readonly postgresMs: number;
}
const sumOf = ({ gatewayMs, postgresMs }: Cost) => gatewayMs + postgresMs;
const lineOf = (cost: Cost) =>
  `${sumOf(cost).toFixed(1)} ms (gateway ${cost.gatewayMs.toFixed(1)} + PostgreSQL ${cost.postgresMs.toFixed(1)}), ${cost.status}: ${cost.request.about}`;

/** Longest response times in milliseconds; infinite for one that is not 200. */
interface Slowest {
  readonly ready: number;
  readonly slug: number;
}
const isInTime = ({ ready, slug }: Slowest) => ready <= maxReadyMs && slug <= maxSlugMs;

class QuietProgress extends Progress {
  override log(): void {}
  override count(): void {}
}

describe(`with ${apps.toLocaleString('en')} apps`, () => {
  const stop = new AbortController();
  let cluster: Cluster;
  let gateway: MeasuredGateway;
  let pool: Pool;
  let facts: CatalogFacts;
  let salt = 0;
  let dearest: Cost[] = [];

  beforeAll(async () => {
    cluster = await Cluster.start(null, stop.signal);
    const name = await ensureCatalog(cluster, apps, new QuietProgress());
    facts = await factsOf(cluster, name);
    gateway = await startMeasuredGateway(null, { url: cluster.url(name) });
    pool = new Pool(gateway.client.url, { connections: attackSize });
  }, 1_800_000);
  afterAll(async () => {
    await pool?.destroy();
    await gateway?.close();
    await cluster?.stop();
  });

  async function send({ method, path, body }: AnonymousRequest): Promise<number> {
    salt += 1;
    const text = body?.(String(salt)) ?? null;
    const response = await pool.request({
      method,
      path: path(String(salt)),
      headers: text === null ? {} : { 'content-type': 'application/json' },
      body: text,
    });
    await response.body.dump();
    return response.statusCode;
  }

  /** Measures a request that nothing is cached for. */
  async function costOf(request: AnonymousRequest): Promise<Cost> {
    await gateway.invalidate();
    await delay(5);
    const before = await gateway.usedMs();
    const status = await send(request);
    const after = await gateway.usedMs();
    const gatewayMs = after.gateway - before.gateway;
    return { request, status, gatewayMs, postgresMs: after.postgres - before.postgres };
  }

  async function leastCostOf(request: AnonymousRequest): Promise<Cost> {
    let least = await costOf(request);
    for (let time = 1; time < tries && sumOf(least) > maxCostMs; time += 1) {
      const again = await costOf(request);
      if (sumOf(again) < sumOf(least)) least = again;
    }
    return least;
  }

  it(`no anonymous request costs more than ${maxCostMs} ms of gateway and PostgreSQL together (D321)`, async () => {
    const costs: Cost[] = [];
    const slowness = [slownessNow()];
    for (const request of anonymousRequests(facts)) costs.push(await leastCostOf(request));
    slowness.push(slownessNow());
    // Other work on the same cores takes their caches away, and processor time grows.
    const boundMs = maxCostMs * Math.max(...slowness);
    dearest = costs.toSorted((a, b) => sumOf(b) - sumOf(a));
    process.stderr.write(
      `${costs.length} requests, this machine is slower by ${slowness.map((by) => by.toFixed(2)).join(' to ')}. The dearest:\n${dearest.slice(0, 10).map(lineOf).join('\n')}\n`,
    );
    expect(costs.filter(({ status }) => status >= 500).map(lineOf)).toEqual([]);
    // Without /proc, PostgreSQL would count as nothing.
    expect(Math.max(...costs.map(({ postgresMs }) => postgresMs))).toBeGreaterThan(1);
    expect(dearest.filter((cost) => sumOf(cost) > boundMs).map(lineOf)).toEqual([]);
  }, 1_800_000);

  it.each<[which: string, sendersAtOnce: number, costOf: (cost: Cost) => number]>([
    ['of the dearest requests are sent in a row', 1, sumOf],
    ['of those that are dearest for PostgreSQL are sent at once', attackSize, ({ postgresMs }) => postgresMs],
  ])(
    `while ${attackSize} %s, /readyz and slugs are answered in time (D360)`,
    async (_, senders, figure) => {
      const [dear] = dearest
        .filter(({ status }) => status === 200)
        .toSorted((left, right) => figure(right) - figure(left));
      const rounds: Slowest[] = [];
      for (let round = 0; round < tries; round += 1) {
        rounds.push(await slowestDuring(dear!.request, senders));
        if (isInTime(rounds.at(-1)!)) break;
      }
      process.stderr.write(`${dear!.request.about}, ${senders} at once: ${JSON.stringify(rounds)}\n`);
      expect(rounds.filter(isInTime)).toHaveLength(1);
    },
    600_000,
  );

  /** Returns the longest response times while the attack runs. */
  async function slowestDuring(request: AnonymousRequest, senders: number): Promise<Slowest> {
    const calm = new Pool(gateway.client.url, { connections: 2 });
    const timed = async (path: string) => {
      const startedAt = performance.now();
      const { statusCode, body } = await calm.request({ method: 'GET', path });
      await body.dump();
      return statusCode === 200 ? performance.now() - startedAt : Number.POSITIVE_INFINITY;
    };
    const probe = (index: number) => {
      const slug = facts.slugs[index % facts.slugs.length]!;
      return Promise.all([timed('/readyz'), timed(`/api/apps/${slug}?salt=${salt}-${index}`)]);
    };
    await probe(0);
    const statuses: number[] = [];
    let left = attackSize;
    const attack = async () => {
      for (; left > 0; ) {
        left -= 1;
        statuses.push(await send(request));
      }
    };
    const attacks = Promise.all(Array.from({ length: senders }, attack));
    const slowest = { ready: 0, slug: 0 };
    for (let index = 1; statuses.length < attackSize; index += 1) {
      const [ready, slug] = await probe(index);
      slowest.ready = Math.max(slowest.ready, ready);
      slowest.slug = Math.max(slowest.slug, slug);
    }
    await attacks;
    await calm.destroy();
    // What does not fit is rejected; nothing fails otherwise.
    for (const status of statuses) expect([200, 503]).toContain(status);
    return slowest;
  }
});

const factsOf = (cluster: Cluster, name: string): Promise<CatalogFacts> =>
  cluster.withClient(name, async (client) => {
    const { rows } = await client.query<{ id: string; slug: string; name: string }>(
      `select id, slug, name from apps where status = 'APPROVED' order by id limit 1000`,
    );
    // The generator gives some developers more than the quota allows.
    const most = await client.query<{ id: string }>(
      'select developer_id as id from apps group by 1 having count(*) <= 200 order by count(*) desc limit 1',
    );
    const frequent = await client.query<{ word: string }>(
      `select word from pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs) as w (word, share)
       where tablename = 'app_search' and attname = 'document' and word ~ '^[a-z]+$' order by share desc limit 20`,
    );
    return {
      apps,
      frequentWords: frequent.rows.map(({ word }) => word),
      developer: most.rows[0]!.id,
      slugs: rows.map(({ slug }) => slug),
      ids: rows.map(({ id }) => id),
      name: rows[0]!.name,
    };
  });

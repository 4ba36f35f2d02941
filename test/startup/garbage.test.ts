import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppSort } from '../../src/modules/catalog/catalog.types.js';
import { Category } from '../../src/modules/listings/listing.entity.js';
import { atOnce } from '../support/actors.js';
import { buildOnce, createTestDatabase, type TestDatabase } from '../support/database.js';
import { aFolder } from '../support/folder.js';
import { type Gateway, startGatewayWith } from './gateway.js';

const CALLERS = 32;

let database: TestDatabase;
let dataDir: string;
let gateway: Gateway;
let url: string;
let agent: Agent;
beforeAll(async () => {
  await buildOnce();
  database = await createTestDatabase();
  dataDir = await aFolder();
  const flags = ['--min-semi-space-size=8', '--max-semi-space-size=8', '--trace-gc', '--trace-gc-nvp'];
  gateway = startGatewayWith(flags, {
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    SEED: 'demo',
    WORKER: 'off',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
  });
  url = await gateway.url();
  agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
});
afterAll(async () => {
  agent?.destroy();
  gateway?.process.kill();
  await gateway?.ended;
  await database?.drop();
});

const send = (path: string, body?: string) =>
  new Promise<number>((done, failed) => {
    const headers = body ? { 'content-type': 'application/json' } : {};
    request(`${url}${path}`, { agent, method: body ? 'POST' : 'GET', headers }, (response) => {
      response.resume().on('end', () => done(response.statusCode ?? 0));
    })
      .on('error', failed)
      .end(body);
  });

/** Sends the requests, and returns the part of the new bytes that was moved to the old generation. */
async function promotedPart(requests: readonly (readonly [path: string, body?: string])[]): Promise<number> {
  const before = gateway.output().length;
  const left = requests.values();
  await atOnce(CALLERS, async () => {
    for (const [path, body] of left) expect(await send(path, body)).toBeLessThan(300);
  });
  const collections =
    gateway
      .output()
      .slice(before)
      .match(/gc=s .*/g) ?? [];
  const sum = (field: string) =>
    collections.reduce((total, line) => total + Number(line.match(` ${field}=(\\d+)`)?.[1] ?? 0), 0);
  expect(collections.length).toBeGreaterThan(3);
  return sum('promoted') / sum('allocated');
}

/** Lists with different parameters: each is computed, and none is cached. */
const lists = (from: number) =>
  Object.values(AppSort).flatMap((sort) =>
    ['', ...Object.values(Category).map((category) => `&category=${category}`)].flatMap((category) =>
      Array.from(
        { length: 40 },
        (_, index) => [`/api/apps?sort=${sort}${category}&limit=${from + index}`] as const,
      ),
    ),
  );

describe('the objects of a request are collected soon after its response', () => {
  it('for lists', async () => {
    await promotedPart(lists(20));
    expect(await promotedPart(lists(60))).toBeLessThan(0.04);
  });

  it('for installs', async () => {
    const { apps } = (await (await fetch(`${url}/api/apps`)).json()) as { apps: { slug: string }[] };
    const installs = (from: number) =>
      Array.from(
        { length: 6000 },
        (_, index) =>
          [
            `/api/apps/${apps[index % apps.length]?.slug}/install`,
            JSON.stringify({ installationId: `installation-${from + index}` }),
          ] as const,
      );
    await promotedPart(installs(0));
    expect(await promotedPart(installs(6000))).toBeLessThan(0.04);
  });
});

import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { until } from '../support/mail-server.js';
import { type Service, startService } from '../support/service.js';
import { closeAtEnd } from '../support/shared.js';
import { catalogTables, whileHeld } from './held-tables.js';
import { codeOf, newAddress, sendFrom } from './limited.js';

/** Statements of a request that is not held take a small part of this, also on a busy machine. */
const limitMs = 1_000;
const halfMs = limitMs * 0.6;
const allMs = limitMs * 1.2;

const settings = { TRUST_PROXY: '1', RATE_LIMITS: `database=${limitMs}` };
let slug: string;
let requests = 0;
const service = duringTests(() => startService(settings));
const ada = beforeTests(() => service.aDeveloper());
beforeAll(async () => {
  ({ slug } = await service.anApp(ada, 'APPROVED'));
});

/** A list that nobody has asked for before, so that no cache has it. */
const list = (address: string, gateway = service) => {
  requests += 1;
  return sendFrom(gateway, address, 'GET', `/api/apps?page=1&limit=20&search=${requests}`);
};
const held = <T>(ms: number, during: () => Promise<T>, tables = catalogTables) =>
  whileHeld(service, { tables, ms }, during);
const spend = async (address: string) => {
  const { status } = await held(allMs, () => list(address));
  expect(status).toBe(200);
};
const send = (query: string, address: string, bearer: string | null = null) =>
  sendFrom(service, address, 'POST', '/graphql', { bearer, body: { query } });

describe('database time of an address (D321)', () => {
  it('is charged after the statement: the next requests get 429 with Retry-After', async () => {
    const address = newAddress();
    await spend(address);
    const rejected = await list(address);
    expect(rejected.status).toBe(429);
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(rejected.headers.get('ratelimit')).toMatch(/"database";r=0;t=\d+$/);
    expect(rejected.headers.get('ratelimit-policy')).toMatch(`"database";q=${limitMs};w=60`);
    expect(((await rejected.json()) as { error: object }).error).toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringMatching(
        `The limit "database" of ${limitMs} ms per minute for this address is used up. Try again in \\d+ seconds?.`,
      ),
    });
    expect((await list(newAddress())).status).toBe(200);
  });

  it('is the same for GraphQL, and the whole document is rejected', async () => {
    const address = newAddress();
    await held(allMs, () => send('{ apps(first: 3) { totalCount } }', address));
    const rejected = await send('{ apps(first: 4) { totalCount } }', address);
    const { errors } = (await rejected.json()) as { errors: { extensions: object }[] };
    expect(rejected.status).toBe(429);
    expect(errors.map(({ extensions }) => extensions)).toEqual([
      expect.objectContaining({ code: 'RATE_LIMITED' }),
    ]);
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('counts the fields of a document that run at the same time, each with its own statement', async () => {
    const address = newAddress();
    await whileHeld(service, { tables: catalogTables, ms: halfMs, statements: 2 }, () =>
      send('{ a: apps(first: 5) { totalCount } b: apps(sort: newest) { totalCount } }', address),
    );
    expect((await list(address)).status).toBe(429);
  });

  it('is not needed for cached responses, pages without statements and health checks', async () => {
    const address = newAddress();
    const cached = () => sendFrom(service, address, 'GET', `/api/apps/${slug}`);
    for (let time = 0; time < 3; time += 1) await cached();
    await spend(address);
    expect((await list(address)).status).toBe(429);
    expect((await cached()).status).toBe(200);
    expect((await sendFrom(service, address, 'GET', '/readyz')).status).toBe(200);
    expect((await sendFrom(service, address, 'GET', '/docs')).status).toBe(200);
  });

  it('is charged although the client disconnects', async () => {
    const address = newAddress();
    await held(allMs, async () => {
      const gone = new AbortController();
      const response = fetch(`${service.url}/api/apps?search=gone`, {
        headers: { 'x-forwarded-for': address },
        signal: gone.signal,
      });
      await delay(200);
      gone.abort();
      await expect(response).rejects.toThrow();
    });
    await until(async () => (await list(address)).status === 429, 'the statement was not charged', 5_000);
  });

  it('is charged to the request that started what others wait for too', async () => {
    const [first, second] = [newAddress(), newAddress()];
    const same = (address: string) => sendFrom(service, address, 'GET', '/api/apps?search=shared');
    await held(allMs, async () => {
      const started = same(first);
      await delay(200);
      await Promise.all([started, same(second)]);
    });
    expect((await list(first)).status).toBe(429);
    expect((await list(second)).status).toBe(200);
  });

  it('is charged where a statement is cancelled', async () => {
    const hurried = await startService(settings, undefined, { databaseTimeouts: { statementMs: allMs } });
    closeAtEnd(hurried);
    const address = newAddress();
    const cancelled = await whileHeld(hurried, { tables: catalogTables, ms: 2 * allMs }, () =>
      list(address, hurried),
    );
    expect([cancelled.status, await codeOf(cancelled)]).toEqual([503, 'UNAVAILABLE']);
    expect((await list(address, hurried)).status).toBe(429);
  });
});

describe('database time of a developer (D321)', () => {
  const own = (bearer: string, address = newAddress()) =>
    sendFrom(service, address, 'GET', '/api/dev/apps', { bearer });

  it('is counted for all keys together, and not for the address', async () => {
    const developer = await service.aDeveloper();
    const other = await service.aKey(developer);
    const address = newAddress();
    expect((await held(allMs, () => own(developer.key, address))).status).toBe(200);
    const rejected = await own(other);
    expect(rejected.status).toBe(429);
    expect(await codeOf(rejected)).toBe('RATE_LIMITED');
    expect((await own(ada.key, address)).status).toBe(200);
    expect((await list(address)).status).toBe(200);
  });

  it('is charged for statements of the ORM, such as those of a mutation', async () => {
    const developer = await service.aDeveloper();
    const app = await service.anApp(developer, 'DRAFT');
    const submit = () =>
      sendFrom(service, newAddress(), 'POST', `/api/dev/apps/${app.id}/submit`, { bearer: developer.key });
    await held(allMs, submit, '^apps$');
    expect((await submit()).status).toBe(429);
  });

  it('is not charged for verifying credentials', async () => {
    const developer = await service.aDeveloper();
    const address = newAddress();
    await held(allMs, () => own(developer.key, address), '^api_keys$');
    expect((await own(developer.key)).status).toBe(200);
    expect((await list(address)).status).toBe(200);
  });
});

describe('installs (D321)', () => {
  it('are not charged', async () => {
    const address = newAddress();
    const install = () => sendFrom(service, address, 'POST', `/api/apps/${slug}/install`, { body: {} });
    expect((await held(allMs, install, '^(apps|installations)$')).status).toBe(201);
    expect((await list(address)).status).toBe(200);
  });
});

describe('the metrics', () => {
  it('show the charged time by payer (D321)', async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    const seconds = (payer: string) =>
      Number(
        new RegExp(`^marketplace_database_charged_seconds_total\\{payer="${payer}"\\} (\\S+)$`, 'm').exec(
          text,
        )?.[1],
      );
    expect(seconds('address')).toBeGreaterThan(allMs / 1000);
    expect(seconds('developer')).toBeGreaterThan(allMs / 1000);
  });
});

describe('two gateways with RATE_LIMITS_STORE=postgres', () => {
  it('count database time together (D321)', async () => {
    const stored = { ...settings, RATE_LIMITS_STORE: 'postgres' };
    const first = await startService(stored);
    const second = await startService(stored, undefined, { databaseVia: async () => first.databaseUrl });
    // The second first, which uses the database of the first.
    closeAtEnd(second);
    closeAtEnd(first);
    const address = newAddress();
    const slow = (gateway: Service, ms: number) =>
      whileHeld(first, { tables: catalogTables, ms }, () => list(address, gateway));
    expect((await slow(first, halfMs)).status).toBe(200);
    expect((await slow(second, halfMs)).status).toBe(200);
    // A gateway learns what others have counted when it counts itself.
    await until(
      async () => (await list(address, second)).status === 429,
      'the second gateway does not reject',
      5_000,
    );
    await slow(first, 50);
    await until(
      async () => (await list(address, first)).status === 429,
      'the first gateway does not reject',
      5_000,
    );
    expect((await list(newAddress(), first)).status).toBe(200);
  });
});

import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { Scope } from '../../src/auth/scope.js';
import { loadConfig } from '../../src/config.js';
import { operations } from '../../src/contract.js';
import { BoundedMemory } from '../../src/limits/limiter.js';
import { RateLimits } from '../../src/limits/rate-limits.js';
import { SubjectsByUse } from '../../src/limits/subjects-by-use.js';
import { limitClassOf } from '../../src/operations/limit-class.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { startService } from '../support/service.js';
import { codeOf, lowLimits, newAddress, type SendOptions, sendFrom, statusesOf } from './limited.js';

const service = duringTests(() => startService(lowLimits));
const ada = beforeTests(() => service.aDeveloper());

const send = (method: string, path: string, address: string, options: SendOptions = {}) =>
  sendFrom(service, address, method, path, options);

describe('the rate limits by address', () => {
  it('are sent in every response; a request above them is rejected with 429 and Retry-After (D34)', async () => {
    const address = newAddress();
    for (const remaining of [2, 1, 0]) {
      const { status, headers } = await send('GET', '/api/apps', address);
      expect(status).toBe(200);
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"public";r=${remaining};t=([1-9]|[1-5]\\d|60)$`));
      expect(headers.get('ratelimit-policy')).toBe('"public";q=3;w=60');
      expect(headers.get('retry-after')).toBeNull();
    }
    const rejected = await send('GET', '/api/apps', address);
    expect(rejected.status).toBe(429);
    const seconds = rejected.headers.get('retry-after');
    expect(seconds).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect(rejected.headers.get('ratelimit')).toBe(`"public";r=0;t=${seconds}`);
    expect(await rejected.json()).toEqual({
      error: {
        code: 'RATE_LIMITED',
        message: expect.stringMatching(
          /^The limit "public" of 3 per minute for this address is used up\. Try again in \d+ seconds?\.$/,
        ),
        details: [],
        requestId: rejected.headers.get('x-request-id'),
      },
    });
    expect((await send('GET', '/api/apps', newAddress())).status).toBe(200);
  });

  it('ignore addresses that the client invents, and the credential of a public request (D34, D87)', async () => {
    const address = newAddress();
    const claims = ['1.1.1.1', '2.2.2.2', '3.3.3.3', '4.4.4.4'];
    const statuses = [];
    for (const claim of claims) {
      const options = { bearer: ada.key };
      statuses.push((await send('GET', '/api/apps/categories/list', `${claim}, ${address}`, options)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it('count reads and installs separately (D34)', async () => {
    const { slug } = await service.anApp(ada, 'APPROVED');
    const address = newAddress();
    const install = () => send('POST', `/api/apps/${slug}/install`, address, { body: {} });
    expect(await statusesOf(3, install)).toEqual([201, 201, 429]);
    expect((await send('GET', `/api/apps/${slug}`, address)).status).toBe(200);
    const [{ count } = { count: 0 }] = await service.sql<{ count: number }>(
      'select install_count as count from app_figures join apps using (id) where slug = $1',
      [slug],
    );
    expect(count).toBe(2);
  });

  it('are checked before everything else (D7, D34)', async () => {
    const address = newAddress();
    await statusesOf(300, () => send('GET', '/api/nothing', address));
    for (const [method, path] of [
      ['PATCH', '/api/dev/me'],
      ['GET', '/api/nothing'],
      ['GET', '/api/dev/me'],
    ] as const)
      expect(await codeOf(await send(method, path, address, { bearer: 'mkt_nonsense' }))).toBe(
        'RATE_LIMITED',
      );
    expect(await codeOf(await send('POST', '/api/dev/apps', address, { body: '{' }))).toBe('RATE_LIMITED');
  });

  it('do not count health checks and metrics (D34)', async () => {
    const address = newAddress();
    for (const path of ['/livez', '/readyz', '/metrics']) {
      const statuses = await statusesOf(6, async () => {
        const response = await send('GET', path, address);
        expect(response.headers.get('ratelimit')).toBeNull();
        return response;
      });
      expect([path, ...statuses]).toEqual([path, ...Array(6).fill(200)]);
    }
  });
});

describe('the rate limits by caller', () => {
  it('count all keys of a developer together, from any address (D34)', async () => {
    const developer = await service.aDeveloper();
    const keys = [developer.key, await service.aKey(developer), await service.aKey(developer), developer.key];
    const responses = [];
    for (const bearer of keys) responses.push(await send('GET', '/api/dev/me', newAddress(), { bearer }));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(await responses.at(-1)!.json()).toMatchObject({
      error: {
        message: expect.stringContaining('The limit "read" of 3 per minute for this developer is used up'),
      },
    });
  });

  it('count each developer separately, and not the registration (D34)', async () => {
    // The registration was charged to the account, before there was a developer.
    const { token } = await service.anUnverifiedDeveloper();
    const other = await service.anUnverifiedDeveloper();
    const write = (bearer: string) => service.call('updateMe', {}, bearer);
    for (let time = 0; time < 20; time += 1) expect((await write(token)).code).toBeNull();
    const { code, message } = await write(token);
    expect([code, message]).toEqual([
      'RATE_LIMITED',
      expect.stringContaining('"write" of 20 per minute for this developer'),
    ]);
    expect((await write(other.token)).code).toBeNull();
  });

  it('count keys and account token together, over REST and GraphQL (D34)', async () => {
    const developer = await service.aDeveloper();
    const write = (bearer: string, api: 'rest' | 'graphql') =>
      service.client.call(api, 'updateMe', {}, bearer);
    const second = await service.aKey(developer);
    const codes = [];
    for (let time = 0; time < 7; time += 1)
      codes.push(
        (await write(developer.key, 'rest')).code,
        (await write(developer.token, 'graphql')).code,
        (await write(second, 'graphql')).code,
      );
    expect(codes).toEqual([...Array(20).fill(null), 'RATE_LIMITED']);
  });

  it('count reads and writes separately (D34)', async () => {
    const { key } = await service.aDeveloper();
    const read = () => send('GET', '/api/dev/me', newAddress(), { bearer: key });
    const write = () => send('PUT', '/api/dev/me', newAddress(), { bearer: key, body: {} });
    const first = await read();
    expect(first.headers.get('ratelimit-policy')).toBe('"address";q=300;w=60, "read";q=3;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"address";r=299;t=\d+, "read";r=2;t=\d+$/);
    expect(await statusesOf(3, read)).toEqual([200, 200, 429]);
    expect(await statusesOf(21, write)).toEqual([...Array(20).fill(200), 429]);
    expect((await send('GET', '/api/dev/me', newAddress(), { bearer: ada.key })).status).toBe(200);
  });

  it('are checked after 401 and before 403 (D7, D34)', async () => {
    const key = await service.aKey(await service.aDeveloper(), [Scope.APP_READ]);
    const read = () => send('GET', '/api/dev/apps', newAddress(), { bearer: key });
    expect(await statusesOf(4, read)).toEqual([200, 200, 200, 429]);
    const analytics = await send('GET', `/api/dev/apps/${ada.id}/analytics`, newAddress(), { bearer: key });
    expect(await codeOf(analytics)).toBe('RATE_LIMITED');
  });

  it('limit the creation of API keys, over REST and GraphQL together (D34)', async () => {
    const eve = await service.anUnverifiedDeveloper();
    const input = { name: 'x', scopes: ['APP_READ'] };
    const create = () => send('POST', '/api/dev/api-keys', newAddress(), { bearer: eve.token, body: input });
    expect(await statusesOf(4, create)).toEqual([403, 403, 403, 429]);
    const { code, message } = await service.call('createApiKey', input, eve.token);
    expect(code).toBe('RATE_LIMITED');
    expect(message).toContain('The limit "credentials" of 3 per minute for this developer');
  });

  it('limit messages to reviewers by developer, with any key and about any app (D110)', async () => {
    const developer = await service.aDeveloper();
    const keys = [developer.key, await service.aKey(developer), developer.token];
    const apps = [await service.anApp(developer), await service.anApp(developer)];
    const message = (at: number) => {
      const input = { id: apps[at % 2]!.id, text: 'Hello.' };
      return service.call('messageReviewers', input, keys[at % 3]!);
    };
    for (let at = 0; at < 4; at += 1) expect((await message(at)).code).toBeNull();
    const rejected = await message(4);
    expect(rejected.code).toBe('RATE_LIMITED');
    expect(rejected.message).toContain('The limit "messages" of 4 per minute for this developer is used up');
    expect((await message(5)).code).toBe('RATE_LIMITED');
    const { id } = await service.anApp(ada);
    const input = { id, text: 'Hello.' };
    expect((await service.call('messageReviewers', input, ada.token)).code).toBeNull();
  });
});

describe('the class of an operation', () => {
  it('follows from the contract (D34)', () => {
    const byLimit = Map.groupBy(operations, ([, operation]) => limitClassOf(operation));
    const named = (limit: string) => byLimit.get(limit as never)?.map(([name]) => name) ?? [];
    expect(named('public')).toEqual(
      expect.arrayContaining(['browseApps', 'app', 'featuredApps', 'categories']),
    );
    expect(named('install')).toEqual(['recordInstall']);
    expect(named('messages')).toEqual(['messageReviewers']);
    expect(named('credentials')).toEqual(expect.arrayContaining(['registerDeveloper', 'createApiKey']));
    expect(named('read')).toEqual(expect.arrayContaining(['me', 'myApps', 'reviewQueue']));
    expect(named('write')).toEqual(expect.arrayContaining(['createApp', 'submitApp', 'approveApp']));
  });
});

describe('the counters in memory', () => {
  it('are bounded: the least recent is evicted, and never one that is used all the time (D88)', async () => {
    const limiter = new BoundedMemory({ points: 1_000_000, duration: 60 }, 100);
    for (let n = 0; n < 2_000; n += 1) {
      await limiter.consume(`10.0.${n >> 8}.${n & 255}`);
      await limiter.consume('busy');
    }
    expect(limiter.count('10.0.0.0', 1).consumedPoints).toBe(1);
    expect(limiter.count('busy', 1).consumedPoints).toBe(2_001);
  });

  it('are bounded whatever part of the limit each has used (D88, D352)', () => {
    const subjects = new SubjectsByUse<true>(100);
    const names = Array.from({ length: 5_000 }, (_, n) => `subject ${n}`);
    for (const [n, name] of names.entries()) subjects.set(name, true, (n % 300) / 256);
    const stored = names.filter((name) => subjects.get(name));
    expect(stored.length).toBeGreaterThan(50);
    expect(stored.length).toBeLessThanOrEqual(100);
  });
});

describe('RATE_LIMITS=off', () => {
  it('counts nothing and sends no headers (D34)', async () => {
    const limits = new RateLimits(loadConfig({ RATE_LIMITS: 'off' }).rateLimits, {
      databaseUrl: null,
      log: pino({ level: 'silent' }),
    });
    expect(limits.areEnabled).toBe(false);
    const request = { developer: null, address: '10.0.0.1', charges: [] };
    await limits.chargeAddress(request, 'public');
    expect(request.charges).toEqual([]);
  });
});

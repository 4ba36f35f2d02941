import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { hashApiKey } from '../../src/auth/api-key-token.js';
import { Scope } from '../../src/auth/scope.js';
import { loadConfig } from '../../src/config.js';
import { operations } from '../../src/contract.js';
import { AcceptedCredentials } from '../../src/limits/accepted-credentials.js';
import { BoundedMemory, removeOldCounts } from '../../src/limits/limiter.js';
import { RateLimits } from '../../src/limits/rate-limits.js';
import { limitClassOf } from '../../src/operations/limit-class.js';
import { aListing, type Developer, unique } from '../support/actors.js';
import { DatabaseLine } from '../support/database-line.js';
import type { GraphQLBody } from '../support/doors.js';
import { type Service, startService } from '../support/service.js';

const small = {
  TRUST_PROXY: '1',
  RATE_LIMITS:
    'public=3,install=2,address=300,read=3,write=20,credentials=3,messages=4,failures=25,graphql=30000',
};
let next = 0;
/** Each test asks from an address of its own. */
const anAddress = () => {
  next += 1;
  return `198.51.100.${next}`;
};

let service: Service;
let ada: Developer;
beforeAll(async () => {
  service = await startService(small);
  ada = await service.aDeveloper();
});
afterAll(() => service.close());

const ask = (
  method: string,
  path: string,
  from: string,
  { bearer = null, body, at = service }: { bearer?: string | null; body?: unknown; at?: Service } = {},
) => at.doors.request(method, path, { bearer, body, headers: { 'x-forwarded-for': from } });
const statuses = async (times: number, send: () => Promise<Response>) => {
  const seen: number[] = [];
  for (let time = 0; time < times; time += 1) seen.push((await send()).status);
  return seen;
};
const codeOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string } }).error.code;

describe('the limits of REST', () => {
  it('are told in every answer, and refuse in the one shape, with the time to come back (D34)', async () => {
    const from = anAddress();
    for (const left of [2, 1, 0]) {
      const { status, headers } = await ask('GET', '/api/apps', from);
      expect(status).toBe(200);
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"public";r=${left};t=([1-9]|[1-5]\\d|60)$`));
      expect(headers.get('ratelimit-policy')).toBe('"public";q=3;w=60');
      expect(headers.get('retry-after')).toBeNull();
    }
    const refused = await ask('GET', '/api/apps', from);
    expect(refused.status).toBe(429);
    const seconds = refused.headers.get('retry-after');
    expect(seconds).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect(refused.headers.get('ratelimit')).toBe(`"public";r=0;t=${seconds}`);
    expect(await refused.json()).toEqual({
      error: {
        code: 'RATE_LIMITED',
        message: expect.stringMatching(
          /^The limit "public" of 3 per minute for this address is used up\. Try again in \d+ seconds?\.$/,
        ),
        details: [],
        requestId: refused.headers.get('x-request-id'),
      },
    });
    expect((await ask('GET', '/api/apps', anAddress())).status).toBe(200);
  });

  it('count an address whatever it claims, and whatever credential it sends to what is public (D34, D87)', async () => {
    const from = anAddress();
    const forged = (claim: string) =>
      ask('GET', '/api/apps/categories/list', `${claim}, ${from}`, { bearer: ada.key });
    const seen = [
      await forged('1.1.1.1'),
      await forged('2.2.2.2'),
      await forged('3.3.3.3'),
      await forged('4.4.4.4'),
    ];
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  });

  it('count reading and installing each by itself (D34)', async () => {
    const { slug } = await service.anApp(ada, 'APPROVED');
    const from = anAddress();
    const install = () => ask('POST', `/api/apps/${slug}/install`, from, { body: {} });
    expect(await statuses(3, install)).toEqual([201, 201, 429]);
    expect((await ask('GET', `/api/apps/${slug}`, from)).status).toBe(200);
    const [{ count } = { count: 0 }] = await service.sql<{ count: number }>(
      'select install_count as count from app_figures join apps using (id) where slug = $1',
      [slug],
    );
    expect(count).toBe(2);
  });

  it('count a developer’s reading and changing together, wherever and by whichever key (D34)', async () => {
    const developer = await service.aDeveloper();
    const keys = [developer.key, await service.aKey(developer), await service.aKey(developer), developer.key];
    const read = (bearer: string) => ask('GET', '/api/dev/me', anAddress(), { bearer });
    const seen = [];
    for (const key of keys) seen.push(await read(key));
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(await seen.at(-1)!.json()).toMatchObject({
      error: {
        message: expect.stringContaining('The limit "read" of 3 per minute for this developer is used up'),
      },
    });
    // Registering was the account's own, before there was a developer.
    const { token } = await service.anUnverifiedDeveloper();
    const other = await service.anUnverifiedDeveloper();
    const change = (bearer: string) => service.doors.call('graphql', 'updateMe', {}, bearer);
    for (let time = 0; time < 20; time += 1) expect((await change(token)).code).toBeNull();
    const { code, message } = await change(token);
    expect([code, message]).toEqual([
      'RATE_LIMITED',
      expect.stringContaining('"write" of 20 per minute for this developer'),
    ]);
    expect((await change(other.token)).code).toBeNull();
  });

  it('count the keys and the account’s token of a developer together at both doors (D34)', async () => {
    const developer = await service.aDeveloper();
    const write = (bearer: string, door: 'rest' | 'graphql') =>
      service.doors.call(door, 'updateMe', {}, bearer);
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

  it('count a key’s reading and changing each by itself (D34)', async () => {
    const { key } = await service.aDeveloper();
    const read = () => ask('GET', '/api/dev/me', anAddress(), { bearer: key });
    const write = () => ask('PUT', '/api/dev/me', anAddress(), { bearer: key, body: {} });
    const first = await read();
    expect(first.headers.get('ratelimit-policy')).toBe('"address";q=300;w=60, "read";q=3;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"address";r=299;t=\d+, "read";r=2;t=\d+$/);
    expect(await statuses(3, read)).toEqual([200, 200, 429]);
    expect((await statuses(21, write)).map(String).join(' ')).toBe(`${'200 '.repeat(20)}429`);
    expect((await ask('GET', '/api/dev/me', anAddress(), { bearer: ada.key })).status).toBe(200);
  });

  it('of credentials are a developer’s, at both doors together (D34)', async () => {
    const eve = await service.anUnverifiedDeveloper();
    const create = () =>
      ask('POST', '/api/dev/api-keys', anAddress(), {
        bearer: eve.token,
        body: { name: 'x', scopes: ['APP_READ'] },
      });
    expect(await statuses(4, create)).toEqual([403, 403, 403, 429]);
    const { code, message } = await service.doors.call(
      'graphql',
      'createApiKey',
      { name: 'x', scopes: ['APP_READ'] },
      eve.token,
    );
    expect(code).toBe('RATE_LIMITED');
    expect(message).toContain('The limit "credentials" of 3 per minute for this developer');
  });

  it('of messages to reviewers are a developer’s, whichever key is used and whichever app it is about (D110)', async () => {
    const developer = await service.aDeveloper();
    const keys = [developer.key, await service.aKey(developer), developer.token];
    const apps = [await service.anApp(developer), await service.anApp(developer)];
    const write = (at: number) =>
      service.doors.call(
        'graphql',
        'messageReviewers',
        { id: apps[at % 2]!.id, text: 'Hello.' },
        keys[at % 3]!,
      );
    for (let at = 0; at < 4; at += 1) expect((await write(at)).code).toBeNull();
    const refused = await write(4);
    expect(refused.code).toBe('RATE_LIMITED');
    expect(refused.message).toContain('The limit "messages" of 4 per minute for this developer is used up');
    expect((await write(5)).code).toBe('RATE_LIMITED');
    const app = await service.anApp(ada);
    const other = { id: app.id, text: 'Hello.' };
    expect((await service.doors.call('graphql', 'messageReviewers', other, ada.token)).code).toBeNull();
  });

  it('come by address before anything else, and by key after 401 and before 403 (D7, D34)', async () => {
    const key = await service.aKey(await service.aDeveloper(), [Scope.APP_READ]);
    const read = () => ask('GET', '/api/dev/apps', anAddress(), { bearer: key });
    expect(await statuses(4, read)).toEqual([200, 200, 200, 429]);
    const analytics = ask('GET', `/api/dev/apps/${ada.id}/analytics`, anAddress(), { bearer: key });
    expect(await codeOf(await analytics)).toBe('RATE_LIMITED');
    const from = anAddress();
    await statuses(300, () => ask('GET', '/api/nothing', from));
    for (const [method, path] of [
      ['PATCH', '/api/dev/me'],
      ['GET', '/api/nothing'],
      ['GET', '/api/dev/me'],
    ] as const)
      expect(await codeOf(await ask(method, path, from, { bearer: 'mkt_nonsense' }))).toBe('RATE_LIMITED');
    expect(await codeOf(await ask('POST', '/api/dev/apps', from, { body: '{' }))).toBe('RATE_LIMITED');
  });

  it('are not for health and metrics (D34)', async () => {
    const from = anAddress();
    for (const path of ['/livez', '/readyz', '/metrics']) {
      const seen = await statuses(6, async () => {
        const response = await ask('GET', path, from);
        expect(response.headers.get('ratelimit')).toBeNull();
        return response;
      });
      expect([path, ...seen]).toEqual([path, ...Array(6).fill(200)]);
    }
  });
});

describe('the limit of pages', () => {
  let site: Service;
  beforeAll(async () => {
    site = await startService({ TRUST_PROXY: '1', RATE_LIMITS: 'pages=4' });
  });
  afterAll(() => site.close());
  const get = (path: string, from: string) => ask('GET', path, from, { at: site });

  it('is an address’s: documents, assets, and what does not exist (D34, D130)', async () => {
    for (const path of [
      '/',
      '/docs',
      '/docs/swagger-ui.css',
      '/openapi.json',
      '/schema.graphql',
      '/playground',
      '/nothing',
      '/dev/mailbox',
      '/.well-known/jwks.json',
    ]) {
      const from = anAddress();
      const expected = path === '/nothing' ? 404 : 200;
      const first = await get(path, from);
      expect(first.headers.get('ratelimit')).toMatch(/^"pages";r=3;t=\d+$/);
      expect([path, ...(await statuses(3, () => get(path, from)))]).toEqual([
        path,
        ...Array(3).fill(expected),
      ]);
      const refused = await get(path, from);
      expect([refused.status, await codeOf(refused)]).toEqual([429, 'RATE_LIMITED']);
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
      expect((await get('/api/apps', from)).status).toBe(200);
    }
    const from = anAddress();
    await statuses(5, () => get('/api/nothing', from));
    expect((await get('/', from)).status).toBe(200);
  });
});

describe('bad credentials', () => {
  it('are charged to the address, guesses more than typing errors, until none is looked at (D34, D88)', async () => {
    const revoked = await service.aRevokedKey(await service.aDeveloper());
    const from = anAddress();
    const me = (bearer: string) => ask('GET', '/api/dev/me', from, { bearer });
    const forged = `${ada.token.slice(0, -6)}AAAAAA`;
    expect(await codeOf(await me('mkt_typo'))).toBe('INVALID_API_KEY');
    expect(await codeOf(await me(forged))).toBe('INVALID_TOKEN');
    expect(await codeOf(await me(revoked))).toBe('API_KEY_REVOKED');
    expect(await codeOf(await me(forged))).toBe('INVALID_TOKEN');
    expect(await codeOf(await me(forged))).toBe('INVALID_TOKEN');
    const refused = await me(ada.key);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await codeOf(refused)).toBe('RATE_LIMITED');
    expect((await ask('GET', '/api/apps', from)).status).toBe(200);
    expect((await ask('GET', '/api/dev/me', from)).status).toBe(401);
    expect((await ask('GET', '/api/dev/me', anAddress(), { bearer: ada.key })).status).not.toBe(429);
  });
});

describe('an address that many share', () => {
  const guess = (from: string, at: Service) =>
    ask('GET', '/api/dev/me', from, { bearer: `${ada.token.slice(0, -6)}AAAAAA`, at });
  const me = async (from: string, bearer: string, at = service) => {
    const response = await ask('GET', '/api/dev/me', from, { bearer, at });
    return response.status === 200 ? 'OK' : codeOf(response);
  };

  it('goes on working for those who were there before somebody guessed, and for them alone (D131)', async () => {
    const from = `${anAddress()}:4711`;
    const [bob, late] = [await service.aDeveloper(), await service.aDeveloper()];
    const [second, revoked] = [await service.aKey(bob), await service.aKey(await service.aDeveloper())];
    expect([await me(from, bob.key), await me(from, revoked)]).toEqual(['OK', 'OK']);
    expect(
      (await ask('POST', '/graphql', from, { bearer: bob.token, body: { query: '{ me { id } }' } })).status,
    ).toBe(200);
    expect(await statuses(4, () => guess(from, service))).toEqual([401, 401, 401, 429]);
    expect(await me(from, bob.key)).toBe('OK');
    const signedIn = await ask('POST', '/graphql', from, {
      bearer: bob.token,
      body: { query: '{ me { id } }' },
    });
    expect(await signedIn.json()).toMatchObject({ data: { me: { id: bob.id } } });
    // A key of the same developer that was never used here, and other people, wait for the minute to pass.
    expect([await me(from, second), await me(from, late.key)]).toEqual(['RATE_LIMITED', 'RATE_LIMITED']);
    expect(await me(anAddress(), late.key)).toBe('OK');
    await service.sql('update api_keys set revoked_at = now() where hash = $1', [hashApiKey(revoked)]);
    expect(await me(from, revoked)).toBe('API_KEY_REVOKED');
  });

  it('passes nobody who was accepted elsewhere (D131)', async () => {
    const [home, from] = [anAddress(), anAddress()];
    const bob = await service.aDeveloper();
    expect(await me(home, bob.key)).toBe('OK');
    await statuses(4, () => guess(from, service));
    expect([await me(from, bob.key), await me(home, bob.key)]).toEqual(['RATE_LIMITED', 'OK']);
  });

  it('is not emptied by others, however many credentials and addresses they use (D131)', () => {
    const accepted = new AcceptedCredentials();
    accepted.add('198.51.100.1', 'good', 'developer:a');
    for (let n = 0; n < 100_000; n += 1) accepted.add(`198.51.100.${n % 200}`, `token ${n}`, 'account:evil');
    for (let n = 0; n < 4_000; n += 1) accepted.add('198.51.100.1', `key ${n}`, `developer:${n}`);
    expect(accepted.has('198.51.100.1', 'good')).toBe(true);
    expect(accepted.has('198.51.100.2', 'good')).toBe(false);
    expect(accepted.has('198.51.100.1', 'other')).toBe(false);
    // Nobody has more than fifty, and the last ones used stay.
    expect(accepted.has('198.51.100.199', 'token 99999')).toBe(true);
    expect(accepted.has('198.51.100.0', 'token 0')).toBe(false);
    expect(accepted.size).toBe(1 + 50 + 4_000);
    for (let n = 0; n < 10_000; n += 1) accepted.add('198.51.100.1', `key ${n}`, `developer:${n}`);
    expect(accepted.size).toBe(5_000);
  });

  it('passes nobody for longer than an hour after the last time (D131)', () => {
    const accepted = new AcceptedCredentials(0);
    accepted.add('198.51.100.1', 'good', 'developer:a');
    expect(accepted.has('198.51.100.1', 'good')).toBe(false);
  });
});

describe('the limits of GraphQL', () => {
  const graphql = async (query: string, from: string, bearer: string | null = null) => {
    const response = await ask('POST', '/graphql', from, { bearer, body: { query } });
    const body = (await response.json()) as GraphQLBody;
    return { response, codes: body.errors?.map(({ extensions }) => extensions.code) ?? [] };
  };

  it('count changes one by one, however many a document holds (D34)', async () => {
    const { slug } = await service.anApp(ada, 'APPROVED');
    const install = [1, 2, 3, 4]
      .map((n) => `i${n}: recordInstall(slug: "${slug}") { installCount }`)
      .join(' ');
    const { response, codes } = await graphql(`mutation { ${install} }`, anAddress());
    expect(response.status).toBe(200);
    expect(codes).toEqual(['RATE_LIMITED']);
    expect(response.headers.get('ratelimit')).toMatch(/"install";r=0;t=\d+$/);
  });

  it('count documents by their cost, answers from memory too: public ones by address, others by caller (D34)', async () => {
    const spend = async (query: string, from: () => string, bearer: string | null) => {
      for (let time = 0; time < 200; time += 1) {
        const { response, codes } = await graphql(query, from(), bearer);
        expect(response.headers.get('ratelimit')).toMatch(/"graphql";r=\d+;t=\d+$/);
        if (codes.length > 0)
          return { status: response.status, codes, again: response.headers.get('retry-after') };
      }
      return null;
    };
    const refused = { status: 429, codes: ['RATE_LIMITED'], again: expect.stringMatching(/^\d+$/) };
    const from = anAddress();
    const publicly =
      '{ a: browseApps(limit: 100) { apps { slug name } } b: browseApps(limit: 99) { apps { slug name } } }';
    expect(await spend(publicly, () => from, null)).toEqual(refused);
    expect((await graphql(publicly, anAddress())).codes).toEqual([]);
    const { token } = await service.anUnverifiedDeveloper();
    expect(
      await spend(
        '{ a: events(first: 100) { edges { node { id } } } b: events(first: 99) { edges { node { id } } } }',
        anAddress,
        token,
      ),
    ).toEqual(refused);
  });

  it('refuse an address in GraphQL’s shape before the body is read (D7, D34)', async () => {
    const from = anAddress();
    await statuses(300, () => ask('GET', '/api/nothing', from));
    const { response, codes } = await graphql('{ nonsense', from);
    expect([response.status, codes]).toEqual([429, ['RATE_LIMITED']]);
  });
});

describe('which limit an operation counts against', () => {
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

describe('many addresses', () => {
  it('do not fill the memory: who has not asked for longest is forgotten, who floods is not (D88)', async () => {
    const limiter = new BoundedMemory({ points: 1_000_000, duration: 60 }, 100);
    for (let n = 0; n < 2_000; n += 1) {
      await limiter.consume(`10.0.${n >> 8}.${n & 255}`);
      await limiter.consume('the one who floods');
    }
    expect(limiter.dump().storage).toHaveLength(100);
    expect(await limiter.get('the one who floods')).toMatchObject({ consumedPoints: 2_000 });
  });
});

describe('several gateways on one database', () => {
  let line: DatabaseLine;
  let gateways: [Service, Service];
  let grace: Developer;
  const shared = { ...small, RATE_LIMITS: 'install=4,write=5,credentials=50', RATE_LIMITS_STORE: 'postgres' };
  beforeAll(async () => {
    const first = await startService(shared, undefined, {
      databaseVia: async (databaseUrl) => {
        line = await DatabaseLine.to(databaseUrl);
        return line.url;
      },
    });
    const second = await startService(shared, undefined, { databaseVia: async () => line.url });
    gateways = [first, second];
    grace = await first.aDeveloper();
  });
  afterAll(async () => {
    await gateways[1].close();
    await gateways[0].close();
    await line.cut();
  });

  it('count together (D34)', async () => {
    const key = await gateways[0].aKey(grace);
    const seen: number[] = [];
    for (let time = 0; time < 6; time += 1) {
      const body = aListing({ name: unique('App') });
      const at = gateways[time % 2]!;
      seen.push((await ask('POST', '/api/dev/apps', anAddress(), { bearer: key, body, at })).status);
    }
    expect(seen).toEqual([201, 201, 201, 201, 201, 429]);
  });

  it('each remember which credentials were accepted (D131)', async () => {
    const from = anAddress();
    const me = async (at: Service) =>
      (await ask('GET', '/api/dev/me', from, { bearer: grace.key, at })).status;
    const guess = (at: Service) =>
      ask('GET', '/api/dev/me', from, { bearer: `${grace.token.slice(0, -6)}AAAAAA`, at });
    expect([await me(gateways[0]), await me(gateways[1])]).toEqual([200, 200]);
    await statuses(30, () => guess(gateways[0]));
    await statuses(31, () => guess(gateways[1]));
    // A gateway hears that the limit is used up when it next charges somebody.
    await guess(gateways[0]);
    const seen = [];
    for (const at of gateways) seen.push((await guess(at)).status, await me(at));
    expect(seen).toEqual([429, 200, 429, 200]);
  });

  it('count right when fifty ask at once (D34)', async () => {
    const from = anAddress();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, time) =>
        ask('POST', '/api/apps/none/install', from, { at: gateways[time % 2]! }),
      ),
    );
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(4);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(46);
  });

  it('forget what is over (D88)', async () => {
    const { sql } = gateways[0];
    await sql("update rate_limits set expire = 1 where key like 'install%'");
    await removeOldCounts({ execute: (text: string) => sql(text) } as never);
    expect(await sql("select from rate_limits where key like 'install%'")).toEqual([]);
  });

  it('count each for itself while the database is away, and go on answering (D34)', async () => {
    const from = anAddress();
    const install = () => ask('POST', '/api/apps/none/install', from, { at: gateways[0], body: '{' });
    await line.cut();
    expect(await statuses(5, install)).toEqual([400, 400, 400, 400, 429]);
    await line.mend();
    expect((await ask('POST', '/api/apps/none/install', anAddress(), { at: gateways[0] })).status).toBe(404);
  });
});

describe('RATE_LIMITS=off', () => {
  it('counts nothing and says nothing (D34)', async () => {
    const limits = new RateLimits(loadConfig({ RATE_LIMITS: 'off' }).rateLimits, {
      databaseUrl: null,
      log: pino({ level: 'silent' }),
    });
    expect(limits.areEnabled).toBe(false);
    const request = { address: '10.0.0.1', charges: [] };
    await limits.chargeAddress(request, 'public');
    expect(request.charges).toEqual([]);
  });
});

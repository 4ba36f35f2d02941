import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { type AppJson, type Developer, unique } from '../support/actors.js';
import { DatabaseLine } from '../support/database-line.js';
import { until } from '../support/mail-server.js';
import {
  expectVisibleWithinASecond,
  graphqlRequest,
  type RawRequest,
  type RawResponse,
  sendRequest,
  trackCacheHit,
  withoutVaryingHeaders,
} from '../support/send-request.js';
import { type Service, startService } from '../support/service.js';

const embedder = 'https://tasks.example';
const list = '{ browseApps(limit: 100) { apps { slug name featured developer { name } } } }';

let service: Service;
let line: DatabaseLine;
let ada: Developer;
let app: AppJson;
/** Changes the database without the service's knowing. */
let stranger: Client;

beforeAll(async () => {
  service = await startService({ CORS_ORIGINS: embedder }, undefined, {
    countsLagMs: 400,
    databaseVia: async (url) => {
      line = await DatabaseLine.to(url);
      return line.url;
    },
  });
  stranger = new Client({ connectionString: service.databaseUrl });
  await stranger.connect();
  ada = await service.aDeveloper();
  app = await service.anApp(ada, 'APPROVED');
  await service.anApp(ada, 'APPROVED');
});
afterAll(async () => {
  await stranger.end();
  await service.close();
  await line.cut();
});
/** Until the heartbeat is there. */
beforeEach(() =>
  until(
    () => service.cache.catalog.isKnown(),
    10_000,
    () => 'changes are not heard',
  ),
);

const ask = (request: RawRequest) => sendRequest(service.url, request);
const answered = (request: RawRequest) => trackCacheHit(service.cache, () => ask(request));
/** Asks until the answer comes from memory: an earlier change may still be announced in between. */
const kept = async (request: RawRequest): Promise<RawResponse> => {
  for (let tries = 0; tries < 100; tries += 1) {
    const [wasKept, reply] = await answered(request);
    if (wasKept) return reply;
  }
  throw new Error('it is not kept');
};
describe('the next read in the same process sees', () => {
  // Without announcements, which would tell the process of its own writes a moment later.
  const announcements = (state: 'enable' | 'disable') =>
    service.sql(
      `alter table apps ${state} trigger apps_announce_update;
       alter table developers ${state} trigger developers_announce_update`,
    );
  beforeAll(() => announcements('disable'));
  afterAll(() => announcements('enable'));

  const of = (act: string, name: string, input: object = {}) => [act, name, input] as const;
  const reason = 'For a reason.';

  it.each([
    of('an approval', 'approveApp'),
    of('a takedown', 'suspendApp', { reason }),
    of('its end', 'restoreApp'),
    of('what is featured', 'featureApp', { featured: true }),
    of('an edit', 'editApp', { description: 'Better.', reason }),
    of('an approved version', 'approveAppVersion'),
    of('a suspended developer', 'suspendDeveloper', { reason }),
    of('a reinstated developer', 'reinstateDeveloper'),
    of('a developer who has another name', 'updateMe', { name: 'Countess' }),
  ])('%s (D29)', async (_, name, input) => {
    const eve = await service.aDeveloper();
    const admin = await service.admin();
    const before = { approveApp: 'PENDING', restoreApp: 'SUSPENDED' } as const;
    const status = name === 'approveApp' || name === 'restoreApp' ? before[name] : 'APPROVED';
    const { app: versioned, version } = await service.aVersion(eve, 'PENDING');
    const subject = name === 'approveAppVersion' ? versioned : await service.anApp(eve, status);
    if (name === 'reinstateDeveloper')
      await service.doors.must('suspendDeveloper', { id: eve.id, reason }, admin);
    const id = name === 'approveAppVersion' ? version.id : name.endsWith('Developer') ? eve.id : subject.id;
    const reads: RawRequest[] = [
      { path: `/api/apps/${subject.slug}` },
      { path: '/api/apps?limit=100' },
      graphqlRequest(list),
    ];
    const read = () =>
      Promise.all(reads.map(async (request) => withoutVaryingHeaders(await ask(request)).body));
    await read();
    const old = await read();
    const sent = name === 'updateMe' ? input : { id, revision: 1, ...input };
    const mine = Object.keys(sent).filter((key) => key !== 'revision' || name.startsWith('approve'));
    await service.doors.must(
      name as 'approveApp',
      Object.fromEntries(mine.map((key) => [key, (sent as Record<string, unknown>)[key]])),
      name === 'updateMe' ? eve.token : admin,
    );
    const first = await read();
    service.cache.catalog.raise();
    expect(first.map(withoutId)).toEqual((await read()).map(withoutId));
    expect(first.slice(0, 2).map(withoutId)).not.toEqual(old.slice(0, 2).map(withoutId));
  });
  const withoutId = (body: string) => body.replace(/"requestId":"[^"]*"/, '');
});

describe('changes by others', () => {
  const nameInList = async () => (await ask({ path: '/api/apps?limit=100' })).body;
  const renamed = async () => {
    const name = unique('Renamed');
    await stranger.query('update apps set name = $1 where id = $2', [name, app.id]);
    return name;
  };

  it('are heard within a second, and after that nothing else is answered (D29)', async () => {
    await kept({ path: '/api/apps?limit=100' });
    const name = await renamed();
    await expectVisibleWithinASecond(async () => (await nameInList()).includes(name));
    expect((await kept({ path: '/api/apps?limit=100' })).body).toContain(name);
  });

  it('are seen at once while the listening connection hangs, and it is replaced (D71)', async () => {
    await kept({ path: '/api/apps?limit=100' });
    line.hushListeners();
    await until(
      () => !service.cache.catalog.isKnown(),
      1_000,
      () => 'a dead line counts as alive',
    );
    const name = await renamed();
    const [wasKept, reply] = await answered({ path: '/api/apps?limit=100' });
    expect([wasKept, reply.body.includes(name)]).toEqual([false, true]);
    await until(
      () => service.cache.catalog.isKnown(),
      10_000,
      () => 'nobody listens again',
    );
    expect((await kept({ path: '/api/apps?limit=100' })).body).toContain(name);
  });

  it('are seen after the line was cut and mended; in between nothing is answered from memory (D71)', async () => {
    await kept({ path: '/api/apps?limit=100' });
    await line.cut();
    await until(
      () => !service.cache.catalog.isKnown(),
      1_000,
      () => 'a cut line counts as alive',
    );
    const name = await renamed();
    expect((await ask({ path: '/api/apps?limit=100' })).status).toBe(503);
    await line.mend();
    expect(await nameInList()).toContain(name);
    await until(
      () => service.cache.catalog.isKnown(),
      10_000,
      () => 'nobody listens again',
    );
    expect((await kept({ path: '/api/apps?limit=100' })).body).toContain(name);
  });

  it('that are installs are seen within a second, not each at once (D30)', async () => {
    const { slug } = await service.anApp(ada, 'APPROVED');
    const path = `/api/apps/${slug}`;
    const version = () => service.cache.catalog.current;
    const before = version();
    for (let installs = 0; installs < 20; installs += 1) await service.doors.must('recordInstall', { slug });
    expect(version() - before).toBeLessThan(10);
    await expectVisibleWithinASecond(async () => JSON.parse((await ask({ path })).body).installCount === 20);
  });
});

describe('many who ask the same at once', () => {
  it('cause one question to the database (D70)', async () => {
    service.cache.catalog.raise();
    const alone = await line.listenIn(() => ask({ path: '/api/apps?limit=7' }));
    await stranger.query('begin; lock table apps in access exclusive mode');
    const asked = await line.listenIn(async () => {
      // In as many words, so that none of them finds the finished answer of another.
      const many = Array.from({ length: 30 }, (_, word) => ask({ path: `/api/apps?limit=7&word=${word}` }));
      await until(
        () => line.statements.length > 0,
        5_000,
        () => 'nobody asks',
      );
      for (let turn = 0; turn < 3; turn += 1) await ask({ path: '/livez' });
      await stranger.query('rollback');
      const replies = await Promise.all(many);
      expect(new Set(replies.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    });
    expect(alone.length).toBeGreaterThan(0);
    expect(asked).toHaveLength(alone.length);
  });

  it('are not told of a failure that is over', async () => {
    await service.sql('alter table apps rename column banner_url to its_other_name');
    const replies = await Promise.all([1, 2, 3].map(() => ask({ path: '/api/apps?limit=8' })));
    expect(replies.map(({ status }) => status)).toEqual([500, 500, 500]);
    await service.sql('alter table apps rename column its_other_name to banner_url');
    expect((await ask({ path: '/api/apps?limit=8' })).status).toBe(200);
  });
});

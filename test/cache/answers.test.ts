import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { CatalogVersion } from '../../src/cache/catalog-version.js';
import { Signposts } from '../../src/cache/page-index.js';
import { Answers } from '../../src/cache/response-cache.js';
import { beginExchange, within } from '../../src/server/request-context.js';
import { type AppJson, type Developer, unique } from '../support/actors.js';
import { DatabaseLine } from '../support/database-line.js';
import {
  type Ask,
  document,
  exchange,
  fromMemory,
  lasting,
  type Reply,
  seenWithinASecond,
} from '../support/exchange.js';
import { until } from '../support/mail-server.js';
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
    () => service.memory.catalog.isKnown(),
    10_000,
    () => 'changes are not heard',
  ),
);

const ask = (request: Ask) => exchange(service.url, request);
const answered = (request: Ask) => fromMemory(service.memory, () => ask(request));
/** Asks until the answer comes from memory: an earlier change may still be announced in between. */
const kept = async (request: Ask): Promise<Reply> => {
  for (let tries = 0; tries < 100; tries += 1) {
    const [wasKept, reply] = await answered(request);
    if (wasKept) return reply;
  }
  throw new Error('it is not kept');
};
const header = ({ headers }: Reply, wanted: string) =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

describe('an answer from memory', () => {
  const paths = () => [
    '/api/apps',
    '/api/apps?limit=1&page=2&sort=name',
    `/api/apps/${app.slug}`,
    '/api/apps/featured/list',
    '/api/apps/categories/list',
  ];

  it.each([
    ['GET', {}],
    ['HEAD', {}],
    ['GET', { 'if-none-match': 'the tag' }],
    ['GET', { 'if-none-match': 'W/"other", the tag' }],
    ['GET', { 'if-none-match': '*' }],
    ['GET', { 'if-none-match': '"other"' }],
    ['GET', { origin: embedder }],
    ['GET', { origin: 'https://stranger.example' }],
    ['GET', { authorization: 'Bearer nonsense' }],
  ])(
    'to %s with %j is the same, byte for byte, as the one from the database (D70)',
    async (method, given) => {
      for (const path of paths()) {
        const tag = header(await ask({ path }), 'etag') ?? '';
        const headers = Object.fromEntries(
          Object.entries(given).map(([name, value]) => [name, value.replace('the tag', tag)]),
        );
        service.memory.catalog.raise();
        const [wasKept, fresh] = await answered({ method, path, headers });
        expect(wasKept).toBe(false);
        const again = await kept({ method, path, headers });
        expect(lasting(again)).toEqual(lasting(fresh));
        expect(header(again, 'x-request-id')).not.toBe(header(fresh, 'x-request-id'));
      }
    },
  );

  it('for one page that embeds it is not for another', async () => {
    const allowed = async (headers: Record<string, string>) =>
      header(await kept({ path: '/api/apps', headers }), 'access-control-allow-origin');
    expect(await allowed({})).toBeUndefined();
    expect(await allowed({ origin: embedder })).toBe(embedder);
    expect(await allowed({ origin: 'https://stranger.example' })).toBeUndefined();
    expect(await allowed({ origin: embedder })).toBe(embedder);
  });

  it('is given under the id that a request came with (D5)', async () => {
    const reply = await kept({ path: '/api/apps', headers: { 'x-request-id': 'Trace_1' } });
    expect(header(reply, 'x-request-id')).toBe('Trace_1');
    const [, other] = await answered({ path: '/api/apps', headers: { 'x-request-id': 'a b' } });
    expect(header(other, 'x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each<[string, () => Ask]>([
    ['has a body', () => ({ path: '/api/apps', headers: { 'content-length': '2' }, body: ['{}'] })],
    ['names the host in its address', () => ({ path: `${service.url}/api/apps` })],
    ['is very long', () => ({ path: `/api/apps?x=${'x'.repeat(1_000)}` })],
    ['finds nothing', () => ({ path: '/api/apps/nothing' })],
    ['is refused', () => ({ path: '/api/apps?limit=0' })],
    ['is private', () => ({ path: '/api/dev/me', headers: { authorization: `Bearer ${ada.key}` } })],
  ])('is never given to a request that %s', async (_, request) => {
    await kept({ path: '/api/apps' });
    const first = await ask(request());
    // What is asked again is kept, unless something forbids it.
    await ask(request());
    const [wasKept, second] = await answered(request());
    expect(wasKept).toBe(false);
    expect(second.status).toBe(first.status);
  });
});

describe('a GraphQL answer', () => {
  const one = 'query ($slug: String!) { app(slug: $slug) { name } }';

  it('is the same from memory, byte for byte, also when its question comes in pieces (D70)', async () => {
    service.memory.catalog.raise();
    const [wasKept, fresh] = await answered(document(list));
    expect([wasKept, fresh.status]).toEqual([false, 200]);
    expect(lasting(await kept(document(list)))).toEqual(lasting(fresh));
    const { body: [text = ''] = [], ...asked } = document(list);
    const [inPieces, reply] = await answered({ ...asked, body: [text.slice(0, 9), text.slice(9)] });
    expect(inPieces).toBe(true);
    expect(lasting(reply)).toEqual(lasting(fresh));
    service.memory.catalog.raise();
    expect(lasting(await ask({ ...asked, body: [text.slice(0, 9), text.slice(9)] }))).toEqual(lasting(fresh));
  });

  it('belongs to its document, its variables, its aliases and what it accepts', async () => {
    const other = await service.anApp(ada, 'APPROVED');
    const name = async (request: Ask) => JSON.parse((await kept(request)).body).data as object;
    expect(await name(document(one, { slug: app.slug }))).toEqual({ app: { name: app.name } });
    expect(await name(document(one, { slug: other.slug }))).toEqual({ app: { name: other.name } });
    expect(await name(document(`{ b: app(slug: "${app.slug}") { n: name } }`))).toEqual({
      b: { n: app.name },
    });
    const accept = 'application/graphql-response+json';
    expect(header(await kept(document(list, {}, { accept })), 'content-type')).toContain(accept);
    expect(header(await kept(document(list)), 'content-type')).toContain('application/json');
  });

  it.each<[string, () => Ask]>([
    ['has an error', () => document(one, { slug: 'nothing' })],
    [
      'has an error beside its data',
      () => document(`{ categories { count } app(slug: "nothing") { name } }`),
    ],
    ['changes something', () => document(`mutation { recordInstall(slug: "${app.slug}") { slug } }`)],
    ['describes the schema', () => document('{ __schema { queryType { name } } categories { count } }')],
    ['is private', () => document('{ me { name } }', {}, { authorization: `Bearer ${ada.token}` })],
    [
      'is private in part',
      () =>
        document(
          'query { ...Both } fragment Both on Query { categories { count } ... { me { id } } }',
          {},
          {
            authorization: `Bearer ${ada.token}`,
          },
        ),
    ],
    ['makes no sense', () => document('{')],
    ['has no question', () => ({ ...document('', {}, { 'content-length': '0' }), body: [] })],
  ])('is not kept if it %s', async (_, request) => {
    const first = await ask(request());
    await ask(request());
    const [wasKept, second] = await answered(request());
    expect(wasKept).toBe(false);
    expect(second.status).toBe(first.status);
  });

  it('of one caller is never shown to another', async () => {
    const both = '{ categories { count } me { id } }';
    const eve = await service.aDeveloper();
    for (const { id, token } of [ada, eve, ada]) {
      const { body } = await ask(document(both, {}, { authorization: `Bearer ${token}` }));
      expect(JSON.parse(body).data.me).toEqual({ id });
    }
    expect(JSON.parse((await ask(document(both))).body).errors[0].extensions.code).toBe('UNAUTHENTICATED');
  });
});

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
    const reads: Ask[] = [
      { path: `/api/apps/${subject.slug}` },
      { path: '/api/apps?limit=100' },
      document(list),
    ];
    const read = () => Promise.all(reads.map(async (request) => lasting(await ask(request)).body));
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
    service.memory.catalog.raise();
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
    await seenWithinASecond(async () => (await nameInList()).includes(name));
    expect((await kept({ path: '/api/apps?limit=100' })).body).toContain(name);
  });

  it('are seen at once while the listening connection hangs, and it is replaced (D71)', async () => {
    await kept({ path: '/api/apps?limit=100' });
    line.hushListeners();
    await until(
      () => !service.memory.catalog.isKnown(),
      1_000,
      () => 'a dead line counts as alive',
    );
    const name = await renamed();
    const [wasKept, reply] = await answered({ path: '/api/apps?limit=100' });
    expect([wasKept, reply.body.includes(name)]).toEqual([false, true]);
    await until(
      () => service.memory.catalog.isKnown(),
      10_000,
      () => 'nobody listens again',
    );
    expect((await kept({ path: '/api/apps?limit=100' })).body).toContain(name);
  });

  it('are seen after the line was cut and mended; in between nothing is answered from memory (D71)', async () => {
    await kept({ path: '/api/apps?limit=100' });
    await line.cut();
    await until(
      () => !service.memory.catalog.isKnown(),
      1_000,
      () => 'a cut line counts as alive',
    );
    const name = await renamed();
    expect((await ask({ path: '/api/apps?limit=100' })).status).toBe(503);
    await line.mend();
    expect(await nameInList()).toContain(name);
    await until(
      () => service.memory.catalog.isKnown(),
      10_000,
      () => 'nobody listens again',
    );
    expect((await kept({ path: '/api/apps?limit=100' })).body).toContain(name);
  });

  it('that are installs are seen within a second, not each at once (D30)', async () => {
    const { slug } = await service.anApp(ada, 'APPROVED');
    const path = `/api/apps/${slug}`;
    const version = () => service.memory.catalog.current;
    const before = version();
    for (let installs = 0; installs < 20; installs += 1) await service.doors.must('recordInstall', { slug });
    expect(version() - before).toBeLessThan(10);
    await seenWithinASecond(async () => JSON.parse((await ask({ path })).body).installCount === 20);
  });
});

describe('many who ask the same at once', () => {
  it('cause one question to the database (D70)', async () => {
    service.memory.catalog.raise();
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

describe('the memory', () => {
  const catalog = new CatalogVersion(() => true);
  const answers = new Answers(catalog);
  const req = new IncomingMessage(new Socket());
  const res = new ServerResponse(req);
  const exchanged = beginExchange(req, res, '127.0.0.1');
  const answer = (key: string, body: Buffer, meanwhile = () => {}) => {
    answers.expect(req, key);
    meanwhile();
    within(exchanged, () => answers.keep(req, res, body));
  };
  const keep = (...args: Parameters<typeof answer>) => {
    answer(args[0], Buffer.from('the first time'));
    answer(...args);
  };

  it('is not filled by questions that are asked once (D72)', () => {
    for (let url = 0; url < 1_000; url += 1) answer(`/api/apps?search=once${url}`, Buffer.from('answer'));
    expect(answers.figures).toMatchObject({ answers: 0, bytes: 0 });
    answer('/api/apps?search=once999', Buffer.from('answer'));
    expect(answers.find('/api/apps?search=once999')?.body.toString()).toBe('answer');
  });

  it('remembers no more than some thousand questions (D72)', () => {
    for (let url = 0; url < 20_000; url += 1) answer(`/api/apps?search=other${url}`, Buffer.from('answer'));
    answer('/api/apps?search=other0', Buffer.from('answer'));
    expect(answers.find('/api/apps?search=other0')).toBeUndefined();
  });

  it('takes nothing that was begun before a change, and forgets what it has (D70)', async () => {
    keep('/api/apps', Buffer.from('old'));
    expect(answers.find('/api/apps')?.body.toString()).toBe('old');
    keep('/api/apps', Buffer.from('older still'), () => catalog.raise());
    expect(answers.find('/api/apps')).toBeUndefined();
    expect(answers.figures).toMatchObject({ answers: 0, bytes: 0 });
  });

  it('has nobody wait for an answer that was begun before a change (D70)', async () => {
    const operation = {};
    const { promise: old, resolve } = Promise.withResolvers<string>();
    const first = catalog.share(operation, { page: 1 }, () => old);
    const second = catalog.share(operation, { page: 1 }, async () => 'never asked');
    catalog.raise();
    expect(await catalog.share(operation, { page: 1 }, async () => 'new')).toBe('new');
    resolve('old');
    expect(await Promise.all([first, second])).toEqual(['old', 'old']);
    expect(await catalog.share(operation, { page: 1 }, async () => 'newer')).toBe('newer');
  });

  it('is bounded, whatever is asked (D72)', () => {
    for (let url = 0; url < 30_000; url += 1) keep(`/api/apps?search=${url}`, Buffer.alloc(3_000));
    expect(answers.figures.bytes).toBeLessThanOrEqual(16 * 1024 * 1024);
    expect(answers.figures.answers).toBeGreaterThan(1_000);
    expect(answers.find('/api/apps?search=29999')).toBeDefined();
    expect(answers.find('/api/apps?search=0')).toBeUndefined();
    const { bytes } = answers.figures;
    keep('/api/apps', Buffer.alloc(3 * 1024 * 1024));
    expect(answers.find('/api/apps')).toBeUndefined();
    expect(answers.figures.bytes).toBeLessThanOrEqual(bytes);
  });
});

describe('signposts of long lists', () => {
  let isHeard = true;
  const catalog = new CatalogVersion(() => isHeard);
  const places = [['first thousand'], ['second']];
  const walked = async (signposts: Signposts, list = 'all', walk = async () => places) => {
    for (const offset of [1_000, 1_020]) expect(signposts.before(list, offset, walk)).toBeNull();
    await signposts.walk;
  };
  const never = () => Promise.reject(new Error('walked again'));

  it('are set up when a second deep page is asked for, and count from the last one before it (D98)', async () => {
    const signposts = new Signposts(catalog);
    await walked(signposts);
    expect(signposts.before('all', 1_000, never)).toEqual({ place: ['first thousand'], further: 0 });
    expect(signposts.before('all', 2_999, never)).toEqual({ place: ['second'], further: 999 });
    expect(signposts.before('all', 3_000, never)).toBeNull();
    expect(signposts.walk).toBeNull();
  });

  it('are not those of an earlier catalog, nor used while changes are not heard (D98)', async () => {
    const signposts = new Signposts(catalog);
    await walked(signposts);
    isHeard = false;
    expect(signposts.before('all', 1_000, never)).toBeNull();
    isHeard = true;
    expect(signposts.before('all', 1_000, never)).not.toBeNull();
    catalog.raise();
    expect(signposts.before('all', 1_000, never)).toBeNull();

    const { promise, resolve } = Promise.withResolvers<string[][]>();
    const others = new Signposts(catalog);
    const asked = walked(others, 'all', () => promise);
    catalog.raise();
    resolve(places);
    await asked;
    expect(others.before('all', 1_000, never)).toBeNull();
  });

  it('take one walk at a time, and a rest after it, however often they are missed (D98)', async () => {
    const signposts = new Signposts(catalog);
    const { promise, resolve } = Promise.withResolvers<string[][]>();
    const asked = walked(signposts, 'all', () => promise);
    for (const list of ['other', 'other', 'all']) expect(signposts.before(list, 1_000, never)).toBeNull();
    await new Promise((later) => setTimeout(later, 20));
    resolve(places);
    await asked;
    for (const list of ['other', 'other']) expect(signposts.before(list, 1_000, never)).toBeNull();
    expect(signposts.walk).toBeNull();
  });

  it('are bounded, whatever is asked (D98)', async () => {
    const signposts = new Signposts(catalog);
    for (let list = 0; list < 30_000; list += 1) signposts.before(`list ${list}`, 1_000, never);
    expect(signposts.figures.places).toBeLessThanOrEqual(20_000);
  });
});

import { readFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, importJWK, type JWK, SignJWT } from 'jose';
import { atOnce } from '../support/actors.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { aFolder } from '../support/folder.js';
import { Live } from '../support/live.js';
import { until } from '../support/mail-server.js';
import { heapBytes } from '../support/memory.js';
import { secondGateway, startService } from '../support/service.js';
import { startServiceOnLine } from '../support/service-on-line.js';

const appChanged = 'subscription ($id: ID!) { appChanged(id: $id) { app { id name } } }';
const catalogChanged = 'subscription { catalogChanged { slug } }';
const reviewQueueChanged = 'subscription { reviewQueueChanged { app { id } } }';
const reason = 'It must be.';

let dataDir: string;
let admin: string;
const service = duringTests(async () => {
  dataDir = await aFolder();
  return startServiceOnLine({ DATA_DIR: dataDir, MAX_STREAMS: '12' }, undefined, { maxPendingEvents: 3 });
});
const line = beforeTests(() => service.line);
const ada = beforeTests(() => service.aDeveloper());
beforeAll(async () => {
  admin = await service.admin();
});

const followApp = (id: string, bearer: string, url = service.url) =>
  Live.to(url, { query: appChanged, variables: { id }, bearer });
const rename = (id: string, name: string) => service.must('updateApp', { id, name }, ada.key);
const event = (app: object) => ({ data: { appChanged: { app } } });
/** A plain request, as any client can send it. */
const send = (method: string, headers: Record<string, string>, body?: object, search = '') =>
  service.client.request(method, `/graphql/stream${search}`, { headers, ...(body && { body }) });
const events = { accept: 'text/event-stream' };

/** Returns the number of open streams, as the metrics report it. */
const openStreams = async () => {
  const text = await (await service.client.request('GET', '/metrics')).text();
  return Number(/^marketplace_streams (\d+)$/m.exec(text)?.[1]);
};
const untilOpen = async (count: number) =>
  until(
    async () => (await openStreams()) === count,
    () => `there are not ${count} streams`,
  );

/** Waits until the gateway has received all changes so far: PostgreSQL sends their notifications in order. */
async function changesArrived(): Promise<void> {
  const live = await Live.to(service.url, { query: catalogChanged });
  await service.sql(`select pg_notify('changes', 'listing the-last-one')`);
  await live.expectNext({ data: { catalogChanged: { slug: 'the-last-one' } } });
  live.close();
}

/** Another gateway on the same database, which accepts the same tokens. */
const startGateway = () => secondGateway(service, { DATA_DIR: dataDir, PUBLIC_URL: service.url });

describe('an event stream', () => {
  it('reports the changes that another gateway makes (D142)', async () => {
    const other = await startGateway();
    const { id } = await service.anApp(ada);
    const streams = [await followApp(id, ada.key), await followApp(id, ada.token, other.url)];
    await rename(id, 'By this one');
    for (const live of streams) await live.expectNext(event({ id, name: 'By this one' }));
    const response = await fetch(`${other.url}/api/dev/apps/${id}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${ada.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'By the other' }),
    });
    expect(response.status).toBe(200);
    for (const live of streams) await live.expectNext(event({ id, name: 'By the other' }));

    // A gateway that stops ends its streams in an orderly way: the client may reconnect elsewhere.
    const [, live] = streams;
    const grace = new AbortController();
    const stopped = Promise.all([
      other.gateway.endStreams(),
      other.listener.close({ withinMs: 50_000, signal: grace.signal }),
    ]);
    expect(await live!.ended()).toMatchObject({ error: expect.anything() });
    await stopped;
    grace.abort();
    await other.gateway.close();
    streams[0]!.close();
  });

  it('is not opened by a gateway that stops (D144)', async () => {
    const other = await startGateway();
    await other.gateway.endStreams();
    const response = await fetch(`${other.url}/graphql/stream?query=${catalogChanged}`, { headers: events });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAVAILABLE' } }] });
    await other.close();
  });

  it('has a response that proxies do not store or buffer, and a comment before the first event', async () => {
    const response = await send('GET', events, undefined, `?query=${encodeURIComponent(catalogChanged)}`);
    const { headers } = response;
    expect(headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect([headers.get('cache-control'), headers.get('x-accel-buffering')]).toEqual(['no-store', 'no']);
    expect(headers.get('x-request-id')).toBeTruthy();
    const reader = response.body!.getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe(':\n\n');
    await reader.cancel();
  });

  it('gives each event an id, and sends one at once to a client that had another (D143)', async () => {
    const { id } = await service.anApp(ada);
    const first = await followApp(id, ada.key);
    await rename(id, 'Before');
    await first.expectNext(event({ id, name: 'Before' }));
    const lastEventId = first.ids.at(-1) ?? '';
    expect(lastEventId).toMatch(/^[0-9a-f-]{36}$/);
    first.close();
    await rename(id, 'Meanwhile');
    const again = { variables: { id }, bearer: ada.key, lastEventId };
    const second = await Live.to(service.url, { query: appChanged, ...again });
    await second.expectNext(event({ id, name: 'Meanwhile' }));
    expect(second.ids[0]).not.toBe(lastEventId);
    second.close();

    const catalog = await Live.to(service.url, { query: catalogChanged, lastEventId });
    await catalog.expectNext({ data: { catalogChanged: { slug: null } } });
    catalog.close();
    const queue = await Live.to(service.url, { query: reviewQueueChanged, bearer: admin, lastEventId });
    await queue.expectNext({ data: { reviewQueueChanged: { app: null } } });
    queue.close();
  });

  it('reports after a lost connection to the database what it may have missed (D143)', async () => {
    const { id } = await service.anApp(ada);
    // An event that is read while the database is away ends its stream, so those of the app's creation must be over.
    await changesArrived();
    const live = await followApp(id, ada.key);
    const silent = await followApp(id, ada.key);
    await rename(id, 'Before');
    for (const stream of [live, silent]) await stream.expectNext(event({ id, name: 'Before' }));
    await line.cut();
    // By another connection: the gateway cannot see it.
    await service.sql(`update apps set name = 'Missed' where id = $1`, [id]);
    await line.mend();
    for (const stream of [live, silent]) await stream.expectNext(event({ id, name: 'Missed' }));
    // A connection that is dead without an error is noticed by its heartbeats.
    line.hushListeners();
    await service.sql(`update apps set name = 'Missed again' where id = $1`, [id]);
    for (const stream of [live, silent]) {
      await stream.expectNext(event({ id, name: 'Missed again' }));
      stream.close();
    }
  });
});

describe('an event stream while the database is unreachable', () => {
  it('ends without `complete`, so that clients reconnect (D187)', async () => {
    const { slug } = await service.anApp(ada, 'APPROVED');
    await line.cut();
    const query = `subscription { catalogChanged(slug: "${slug}") { app { name } } }`;
    const live = await Live.to(service.url, { query, lastEventId: 'x' });
    expect(await live.ended()).toMatchObject({ error: expect.anything() });
    expect(live.results).toEqual([]);
    const response = await send(
      'POST',
      { ...events, authorization: `Bearer ${admin}` },
      { query: reviewQueueChanged },
    );
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAVAILABLE' } }] });
    await line.mend();
    const again = await Live.to(service.url, { query, lastEventId: 'x' });
    await again.expectNext({ data: { catalogChanged: { app: expect.anything() } } });
    again.close();
  });
});

describe('the credential of an event stream', () => {
  it('ends it when the key is revoked (D145)', async () => {
    const { id } = await service.anApp(ada);
    const { key, id: keyId } = await service.anIssuedKey(ada);
    const [live, other] = [await followApp(id, key), await followApp(id, ada.key)];
    await service.must('revokeApiKey', { id: keyId }, ada.token);
    await live.expectEnd('API_KEY_REVOKED');
    await rename(id, 'For the other');
    await other.expectNext(event({ name: 'For the other' }));
    other.close();
  });

  it('ends it when the key expires (D145)', async () => {
    const { id } = await service.anApp(ada);
    const { key, id: keyId } = await service.anIssuedKey(ada);
    const live = await followApp(id, key);
    await service.sql('update api_keys set expires_at = now() where id = $1', [keyId]);
    await live.expectEnd('API_KEY_EXPIRED');
  });

  it('ends it when the developer is suspended, by key and by token (D145)', async () => {
    const eve = await service.aDeveloper();
    const { id } = await service.anApp(eve);
    const streams = [await followApp(id, eve.key), await followApp(id, eve.token)];
    const anonymous = await Live.to(service.url, { query: catalogChanged });
    await service.administer('suspendDeveloper', { id: eve.id, reason });
    for (const live of streams) {
      await live.expectEnd('DEVELOPER_SUSPENDED');
    }
    expect(anonymous.end).toBeNull();
    anonymous.close();
  });

  it('ends it when the token expires (D145)', async () => {
    const jwk = JSON.parse(await readFile(join(dataDir, 'dev-issuer-key.json'), 'utf8')) as JWK;
    const token = await new SignJWT({ ...decodeJwt(admin), exp: Math.floor(Date.now() / 1000) + 2 })
      .setProtectedHeader({ alg: 'ES256', kid: jwk.kid ?? '', typ: 'at+jwt' })
      .sign(await importJWK(jwk, 'ES256'));
    const live = await Live.to(service.url, { query: reviewQueueChanged, bearer: token });
    await live.expectEnd('INVALID_TOKEN');
  });
});

describe('the bounds of event streams', () => {
  it('allow ten for a developer, whatever the credential (D144)', async () => {
    const eve = await service.aDeveloper();
    const { id } = await service.anApp(eve);
    const streams: Live[] = [];
    for (let count = 0; count < 10; count += 1)
      streams.push(await followApp(id, count % 2 === 0 ? eve.key : eve.token));
    const eleventh = await followApp(id, eve.key);
    await eleventh.expectEnd('QUOTA_EXCEEDED');
    expect(eleventh.results[0]?.errors?.[0]?.message).toContain('10');

    // The process has room for two more.
    await untilOpen(10);
    for (let count = 0; count < 2; count += 1)
      streams.push(await Live.to(service.url, { query: catalogChanged }));
    await untilOpen(12);
    const response = await send('GET', events, undefined, `?query=${encodeURIComponent(catalogChanged)}`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    for (const live of streams) live.close();
    await untilOpen(0);
  });

  it('keep a third of the process for those with a credential (D144)', async () => {
    const { id } = await service.anApp(ada);
    await untilOpen(0);
    const streams = await atOnce(8, () => Live.to(service.url, { query: catalogChanged }));
    const response = await send('GET', events, undefined, `?query=${encodeURIComponent(catalogChanged)}`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    const own = await followApp(id, ada.key);
    await rename(id, 'For its developer');
    await own.expectNext(event({ id, name: 'For its developer' }));
    for (const live of [...streams, own]) live.close();
    await untilOpen(0);
  });

  it('end the connection of a client that does not read (D144)', async () => {
    const apps = await atOnce(5, () => service.anApp(ada, 'APPROVED'));
    for (const { id } of apps)
      await service.administer('editApp', { id, longDescription: 'x'.repeat(20_000), reason });
    const many = Array.from({ length: 45 }, (_, index) => `a${index}: longDescription`).join(' ');
    const query = `subscription { catalogChanged { app { ${many} } } }`;
    await untilOpen(0);
    const opened = Promise.withResolvers<IncomingMessage>();
    const url = `${service.url}/graphql/stream?query=${encodeURIComponent(query)}`;
    get(url, { headers: events, agent: false }, (response) => opened.resolve(response.pause())).on(
      'error',
      () => undefined,
    );
    const response = await opened.promise;
    const ended = new Promise((resolve) => response.once('close', resolve));
    for (let round = 0; (await openStreams()) > 0; round += 1)
      for (const { id } of apps) await service.administer('featureApp', { id, featured: round % 2 === 0 });
    response.on('error', () => undefined).resume();
    await ended;
    expect(response.complete).toBe(false);
  });

  it('hold no event after it was sent, however long the stream is open (D144)', async () => {
    const { id, slug } = await service.anApp(ada, 'APPROVED');
    const length = 20_000;
    await service.administer('editApp', { id, longDescription: 'x'.repeat(length), reason });
    const fields = Array.from({ length: 45 }, (_, index) => `a${index}: longDescription`);
    const query = `subscription { catalogChanged(slug: "${slug}") { app { ${fields.join(' ')} } } }`;
    const warnings: string[] = [];
    const warn = ({ name }: Error) => void warnings.push(name);
    process.on('warning', warn);
    const search = `?query=${encodeURIComponent(query)}`;
    const open = async () =>
      (await send('GET', { ...events, 'last-event-id': 'x' }, undefined, search)).body!.getReader();
    let reader = await open();
    /** Returns the last characters of the next piece. A stream that lost its database ends, and clients reconnect (D187). */
    const readPiece = async () => {
      const piece = await reader.read().catch(() => null);
      if (!piece || piece.done) reader = await open();
      return Buffer.from(piece?.value?.subarray(-16) ?? []).toString();
    };
    /** Reads to the end of the next event, which comments may follow, and asks for another one. */
    const passEvent = async () => {
      for (let end = ''; !/\}\n\n(?::\n\n)*$/.test(end); ) end = (end + (await readPiece())).slice(-16);
      await service.sql(`select pg_notify('changes', 'listing ${slug}')`);
    };
    const count = 8;
    const growth = async () => {
      const before = await heapBytes();
      for (let sent = 0; sent < count; sent += 1) await passEvent();
      return ((await heapBytes()) - before) / (count * fields.length * length);
    };
    let least = Number.POSITIVE_INFINITY;
    for (let batch = 0; batch < 5 && least > 0.3; batch += 1) least = Math.min(least, await growth());
    expect(least).toBeLessThanOrEqual(0.3);
    expect(warnings).toEqual([]);
    process.off('warning', warn);
    await reader.cancel();
  });

  it('read a public change once for all readers (D144)', async () => {
    const { id, slug } = await service.anApp(ada, 'APPROVED');
    const query = 'subscription { catalogChanged { app { slug name } } }';
    const streams = await atOnce(8, () => Live.to(service.url, { query }));
    const statements = await line.listenIn(async () => {
      await service.administer('editApp', { id, name: 'For all', reason });
      for (const live of streams)
        await live.expectNext({ data: { catalogChanged: { app: { slug, name: 'For all' } } } });
    });
    const reads = statements.filter((statement) => statement.includes('any($1::text[])'));
    // The announcement of the approval may come only now, and be read as well.
    expect(reads.length).toBeLessThanOrEqual(2);
    for (const live of streams) live.close();
    await untilOpen(0);
  });

  it('send twenty events at once, then one a second, and one that stands for those that wait (D143, D144)', async () => {
    await using roomy = await startService();
    const live = await Live.to(roomy.url, { query: catalogChanged });
    const startedAt = performance.now();
    await roomy.sql("select pg_notify('changes', 'listing app-' || n) from generate_series(1, 23) n");
    await live.expectNext({ data: { catalogChanged: { slug: 'app-20' } } });
    expect(live.results.length).toBeLessThan(23);
    await live.expectNext({ data: { catalogChanged: { slug: 'app-23' } } });
    expect(performance.now() - startedAt).toBeGreaterThan(2_900);
    await roomy.sql(`select pg_notify('changes', 'listing app-' || n) from generate_series(24, 44) n`);
    await roomy.sql(`select pg_notify('changes', 'anything')`);
    await live.expectNext({ data: { catalogChanged: { slug: null } } });
    expect(JSON.stringify(live.results)).not.toContain('app-44');
    live.close();
  });

  it('charge each event, and end a stream that is above the limit (D144)', async () => {
    await using limited = await startService({ RATE_LIMITS: 'graphql=30' });
    const live = await Live.to(limited.url, { query: catalogChanged });
    while (live.end === null) {
      const seen = live.results.length;
      await limited.sql(`select pg_notify('changes', 'listing some-app')`);
      await until(() => live.results.length > seen || live.end !== null, 'there is no event');
    }
    expect(live.results.at(-1)).toMatchObject({ errors: [{ extensions: { code: 'RATE_LIMITED' } }] });
    expect(live.results.length).toBeGreaterThan(3);
  });
});

describe('a request for an event stream', () => {
  const twoOperations =
    'subscription A { catalogChanged { slug } } subscription B { catalogChanged { slug } }';
  const timelines = Array.from(
    { length: 45 },
    (_, index) => `a${index}: timeline(first: 100) { edges { node { changes { field } } } }`,
  );
  const tooCostly = `subscription { reviewQueueChanged { app { ${timelines.join(' ')} } } }`;
  const twoFields = 'subscription { catalogChanged { slug } reviewQueueChanged { app { id } } }';

  it.each<[string, string, object]>([
    ['is not valid', 'VALIDATION_FAILED', { query: 'subscription { nothing }' }],
    ['does not parse', 'VALIDATION_FAILED', { query: 'subscription {' }],
    ['selects two fields', 'VALIDATION_FAILED', { query: twoFields }],
    ['is a query', 'VALIDATION_FAILED', { query: '{ __typename }' }],
    ['is a mutation', 'VALIDATION_FAILED', { query: 'mutation { recordInstall(slug: "x") { slug } }' }],
    ['has a wrong variable', 'VALIDATION_FAILED', { query: appChanged, variables: { id: 7.5 } }],
    ['lacks a variable', 'VALIDATION_FAILED', { query: appChanged }],
    ['names another operation', 'VALIDATION_FAILED', { query: catalogChanged, operationName: 'other' }],
    ['has two operations and names none', 'VALIDATION_FAILED', { query: twoOperations }],
    ['costs too much', 'QUERY_TOO_COMPLEX', { query: tooCostly }],
    ['has no credential', 'UNAUTHENTICATED', { query: reviewQueueChanged }],
    ['names no slug', 'NOT_FOUND', { query: 'subscription { catalogChanged(slug: "A B") { slug } }' }],
  ])('gets the error as an event if it %s: %s (D142)', async (_, code, body) => {
    const response = await send('POST', events, body);
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text).toMatch(/\nevent: complete\n/);
    const { errors } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '{}') as {
      errors: { extensions: object }[];
    };
    for (const { extensions } of errors) {
      expect(extensions).toMatchObject({ code, requestId: response.headers.get('x-request-id') });
      expect(Object.keys(extensions).sort()).toEqual(['code', 'details', 'requestId']);
    }
  });

  const hashOnly = { extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } };
  it.each<[string, string, object]>([
    ['has no query', 'VALIDATION_FAILED', {}],
    ['has variables that are no object', 'VALIDATION_FAILED', { query: catalogChanged, variables: 7 }],
    ['is the hash of a persisted query alone', 'VALIDATION_FAILED', hashOnly],
    [
      'selects nothing',
      'VALIDATION_FAILED',
      { query: 'subscription { catalogChanged @skip(if: true) { slug } }' },
    ],
    ['is too complex', 'QUERY_TOO_COMPLEX', { query: `subscription ${'{ a '.repeat(60)}${'}'.repeat(60)}` }],
  ])('is rejected if it %s: 400 %s', (_, code, body) => expectRejected(400, code, 'POST', events, body));

  const valid = { query: catalogChanged };
  const long = { ...valid, variables: { unused: 'x'.repeat(8 * 1024) } };
  it.each<[string, number, string, string, Record<string, string>, object?]>([
    ['is a PUT', 405, 'METHOD_NOT_ALLOWED', 'PUT', events],
    ['is a DELETE', 405, 'METHOD_NOT_ALLOWED', 'DELETE', events],
    ['accepts no events', 400, 'VALIDATION_FAILED', 'POST', { accept: 'application/json' }, valid],
    ['is no JSON', 415, 'UNSUPPORTED_MEDIA_TYPE', 'POST', { ...events, 'content-type': 'text/plain' }, valid],
    ['is larger than a stream can hold (D144)', 413, 'PAYLOAD_TOO_LARGE', 'POST', events, long],
  ])('is rejected if it %s: %i %s', (_, status, code, method, headers, ...body) =>
    expectRejected(status, code, method, headers, ...body),
  );

  async function expectRejected(status: number, code: string, ...request: Parameters<typeof send>) {
    const response = await send(...request);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code } }] });
  }

  it('can come by GET with variables, as EventSource sends it', async () => {
    const { id } = await service.anApp(ada);
    const search = new URLSearchParams({ query: appChanged, variables: JSON.stringify({ id }) });
    const headers = { ...events, authorization: `Bearer ${ada.key}`, 'last-event-id': 'x' };
    const response = await send('GET', headers, undefined, `?${search}`);
    const reader = response.body!.getReader();
    let text = '';
    while (!text.includes('event: next')) text += Buffer.from((await reader.read()).value ?? []).toString();
    expect(text).toMatch(/^:\n\nid: [0-9a-f-]{36}\nevent: next\ndata: \{"data":\{"appChanged"/);
    await reader.cancel();
  });

  it.each([
    [undefined, 'Must provide operation name if query contains multiple operations.'],
    ['C', 'Unknown operation named "C".'],
  ])('is told which operation is missing, as at /graphql: %s', async (operationName, message) => {
    const response = await send('POST', events, { query: twoOperations, operationName });
    expect(await response.text()).toContain(JSON.stringify(message));
  });

  it('is rejected at /graphql, which serves no subscriptions', async () => {
    const { response, errors } = await service.client.graphql(catalogChanged);
    expect(response.status).toBe(400);
    expect(errors).toMatchObject([
      { message: expect.stringContaining('/graphql/stream'), extensions: { code: 'VALIDATION_FAILED' } },
    ]);
  });
});

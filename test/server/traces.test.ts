import { beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { logOptions } from '../../src/log.js';
import { startReceiver } from '../modules/webhooks/receiver.js';
import { unique } from '../support/actors.js';
import { duringTests } from '../support/before-tests.js';
import { Live } from '../support/live.js';
import { until } from '../support/mail-server.js';
import { RawConnection } from '../support/raw-connection.js';
import { startService } from '../support/service.js';
import { type ReceivedSpan, TraceReceiver } from '../support/trace-receiver.js';

const traceparent = (traceId: string, flags = '01') => `00-${traceId}-00f067aa0ba902b7-${flags}`;

describe('the traces', () => {
  const lines: string[] = [];
  let delivered: Record<string, string>;
  const secretName = unique('Secret');
  const of = (requestId: string) =>
    receiver.spans.filter(({ attributes }) => attributes['marketplace.request_id'] === requestId);
  const named = (spans: ReceivedSpan[], name: string | RegExp) => {
    const found = spans.find((span) =>
      typeof name === 'string' ? span.name === name : name.test(span.name),
    );
    if (!found) throw new Error(`no ${name} among ${spans.map((span) => span.name).join(', ')}`);
    return found;
  };

  const receiver = duringTests(() => TraceReceiver.start());
  beforeAll(async () => {
    const hooks = await startReceiver();
    const log = pino(logOptions('info', { tracing: {} }), { write: (line: string) => void lines.push(line) });
    const settings = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
      WORKER: 'inline',
      ASSET_CHECKS: 'off',
    };
    const service = await startService(settings, log);
    const { client } = service;
    const request = async (
      id: string,
      method: string,
      path: string,
      { headers = {}, ...options }: Parameters<typeof client.request>[2] = {},
    ) => {
      const response = await client.request(method, path, {
        ...options,
        headers: { 'x-request-id': id, ...headers },
      });
      await response.arrayBuffer();
      return response.status;
    };
    const developer = await service.aDeveloper();
    const hook = hooks.address();
    await client.must('createWebhookEndpoint', { url: hook.url }, developer.token);
    const { id } = await service.anApp(developer, 'DRAFT', { name: secretName });
    const { slug } = await service.anApp(developer, 'APPROVED');

    const submitted = await request('the-write', 'POST', `/api/dev/apps/${id}/submit`, {
      bearer: developer.key,
      body: {},
      headers: { traceparent: traceparent('4bf92f3577b34da6a3ce929d0e0e4736'), tracestate: 'shop=7' },
    });
    expect(submitted).toBe(200);
    await request('two-fields', 'POST', '/graphql', {
      body: { query: `query Front { featuredApps { slug } app(slug: "${slug}") { developer { name } } }` },
    });
    await request('the-install', 'POST', `/api/apps/${slug}/install`, { body: {} });
    await until(async () => {
      await request('first', 'GET', '/api/apps?limit=3');
      const { hits } = service.cache.responses.figures;
      await request('cached', 'GET', '/api/apps?limit=3');
      return service.cache.responses.figures.hits > hits;
    });
    await request('missing', 'GET', '/api/apps/none-such');
    await request('health', 'GET', '/readyz');
    await request('unsampled', 'GET', '/api/apps?limit=4', {
      headers: { traceparent: traceparent('0af7651916cd43dd8448eb211c80319c', '00') },
    });
    const message = await until(() =>
      hook.inbox().find(({ headers }) => headers.traceparent?.includes('4bf92f3577b34da6a3ce929d0e0e4736')),
    );
    delivered = message.headers;
    await until(
      async () =>
        (await service.sql('select from mails where subject like $1', [`%${secretName}%`])).length > 0,
    );
    // Sends what is left.
    await service.close();
    await hooks.close();
  });

  it('have a span for the request, the operation and each statement, in the trace of the client (D272)', () => {
    const spans = of('the-write');
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(
      new Set(['4bf92f3577b34da6a3ce929d0e0e4736']),
    );
    const server = named(spans, 'POST /api/dev/apps/:id/submit');
    expect(server).toMatchObject({
      kind: 'SERVER',
      parentSpanId: '00f067aa0ba902b7',
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/dev/apps/:id/submit',
        'http.response.status_code': 200,
        'url.path': expect.stringMatching(/^\/api\/dev\/apps\/[\w-]+\/submit$/),
        'marketplace.operation': 'submitApp',
      },
      resource: { 'service.name': 'marketplace-gateway', 'process.pid': process.pid },
    });
    const operation = named(spans, 'submitApp');
    expect(operation).toMatchObject({ kind: 'INTERNAL', parentSpanId: server.spanId });
    const statements = receiver.childrenOf(operation).filter(({ kind }) => kind === 'CLIENT');
    expect(statements.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['BEGIN', 'UPDATE apps', 'INSERT submissions', 'COMMIT']),
    );
    expect(named(statements, 'UPDATE apps').attributes).toMatchObject({
      'db.system.name': 'postgresql',
      'db.operation.name': 'UPDATE',
      'db.query.text': expect.stringMatching(/^update "apps" set .*"status" = \?.* where "id" = \?$/),
    });
  });

  it('continue in the jobs, and in the header of the webhook that a job sends (D273)', () => {
    const spans = of('the-write');
    const operation = named(spans, 'submitApp');
    const next = (parent: ReceivedSpan, name: string) => named(receiver.childrenOf(parent), name);
    const mail = next(next(operation, 'send notifications'), 'process notifications');
    expect(mail).toMatchObject({
      kind: 'CONSUMER',
      attributes: { 'messaging.system': 'pg-boss', 'messaging.destination.name': 'notifications' },
    });
    expect(next(mail, 'INSERT mails').attributes['marketplace.request_id']).toBe('the-write');
    const event = next(next(operation, 'send webhook-events'), 'process webhook-events');
    const delivery = next(next(event, 'send webhook-deliveries'), 'process webhook-deliveries');
    const post = next(delivery, 'POST');
    expect(post).toMatchObject({
      kind: 'CLIENT',
      attributes: { 'http.response.status_code': 204, 'server.address': '127.0.0.1' },
    });
    expect(JSON.stringify(post.attributes)).not.toContain('/hook-');
    expect(delivered).toMatchObject({
      traceparent: `00-4bf92f3577b34da6a3ce929d0e0e4736-${post.spanId}-01`,
      tracestate: 'shop=7',
    });
  });

  it('have one span for a document, and below it one for each of its operations (D272)', () => {
    const spans = of('two-fields');
    const server = named(spans, 'POST /graphql');
    expect(server.attributes).toMatchObject({ 'http.route': '/graphql', 'marketplace.operation': 'several' });
    const document = named(receiver.childrenOf(server), 'query');
    expect(document.attributes).toMatchObject({
      'graphql.operation.type': 'query',
      'graphql.operation.name': 'Front',
    });
    const operations = receiver.childrenOf(document);
    for (const name of ['featuredApps', 'app']) {
      const statements = receiver.childrenOf(named(operations, name));
      expect(statements.map(({ kind }) => kind)).toContain('CLIENT');
    }
  });

  it('show the batch that recorded an install below the install (D272)', () => {
    const spans = of('the-install');
    const server = named(spans, 'POST /api/apps/:slug/install');
    const batch = named(
      receiver.childrenOf(named(receiver.childrenOf(server), 'recordInstall')),
      'record installs',
    );
    expect(receiver.childrenOf(batch).map(({ name }) => name)).toContainEqual(expect.stringMatching(/^WITH/));
  });

  it('have a span without children for a cached response, and none for a health check (D272)', () => {
    const cached = of('cached').at(-1);
    expect(cached).toMatchObject({ name: 'GET /api/apps', parentSpanId: '', kind: 'SERVER' });
    expect(receiver.childrenOf(cached!)).toEqual([]);
    expect(receiver.childrenOf(named(of('first'), 'GET /api/apps'))).not.toEqual([]);
    expect(of('health')).toEqual([]);
  });

  it('name the code of an error, and count an error of the caller as no failure (D272)', () => {
    expect(named(of('missing'), 'GET /api/apps/:slug')).toMatchObject({
      isFailure: false,
      attributes: { 'error.type': 'NOT_FOUND', 'http.response.status_code': 404 },
    });
    expect(named(of('missing'), 'app')).toMatchObject({
      isFailure: false,
      attributes: { 'error.type': 'NOT_FOUND' },
    });
  });

  it('leave out what the client has decided not to sample (D272)', () => {
    expect(of('unsampled')).toEqual([]);
  });

  it('contain no values of statements (D272)', () => {
    const text = JSON.stringify(receiver.spans.map(({ attributes }) => attributes['db.query.text']));
    expect(text).toContain('insert into \\"apps\\"');
    expect(text).not.toContain(secretName);
    expect(text).not.toMatch(/@example\.com|whsec_/);
  });

  it('are named in the log (D272)', () => {
    const line = lines
      .map((text) => JSON.parse(text))
      .find(({ msg, requestId }) => msg === 'request' && requestId === 'the-write');
    expect(line).toMatchObject({
      trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
      span_id: named(of('the-write'), 'POST /api/dev/apps/:id/submit').spanId,
    });
  });
});

describe('the traces of requests at the same time', () => {
  it('are kept apart while they share connections, batches and streams (D272)', async () => {
    const receiver = await TraceReceiver.start();
    // Ten connections for all purposes, so that requests wait for each other's.
    const service = await startService({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      DATABASE_POOL: '10',
    });
    const { client } = service;
    const developer = await service.aDeveloper();
    const { id, slug } = await service.anApp(developer, 'APPROVED');
    const live = await Live.to(service.url, { query: 'subscription { catalogChanged { slug } }' });
    const ids = Array.from({ length: 40 }, (_, index) => `parallel-${index}`);
    const send = async (requestId: string, method: string, path: string, body?: object) => {
      const headers = { 'x-request-id': requestId };
      const response = await client.request(method, path, { headers, ...(body && { body }) });
      expect(response.ok).toBe(true);
      await response.arrayBuffer();
    };
    // Each page is another one, so that none is cached or shared.
    await Promise.all(ids.map((name, index) => send(name, 'GET', `/api/apps?limit=${index + 1}`)));
    await Promise.all(ids.map((name) => send(`install-${name}`, 'POST', `/api/apps/${slug}/install`, {})));
    const input = { id, name: unique('Renamed'), reason: 'A test.' };
    await client.must('editApp', input, await service.admin());
    await live.expectNext({ data: { catalogChanged: { slug } } });
    live.close();
    await until(async () => {
      const response = await client.request('GET', '/metrics');
      return /^marketplace_streams 0$/m.test(await response.text());
    });
    await service.close();
    receiver.close();

    for (const name of ids) {
      const own = receiver.spans.filter(({ attributes }) => attributes['marketplace.request_id'] === name);
      expect(new Set(own.map(({ traceId }) => traceId)).size).toBe(1);
      expect(own.filter(({ name: each }) => each.startsWith('SELECT'))).toHaveLength(1);
    }
    const batches = receiver.spans.filter(({ name }) => name === 'record installs');
    const installs = receiver.spans
      .filter(({ name }) => name === 'recordInstall')
      .map(({ spanId }) => spanId);
    expect(batches.flatMap(({ parentSpanId, links }) => [parentSpanId, ...links]).sort()).toEqual(
      installs.sort(),
    );
    expect(batches.length).toBeLessThan(installs.length);
    const stream = receiver.spans.find(({ name }) => name === 'POST /graphql/stream')!;
    const [subscription] = receiver.childrenOf(stream);
    expect(subscription?.name).toBe('subscription');
    const event = receiver.spans.find(({ name }) => name === 'catalogChanged');
    expect(event).toMatchObject({ parentSpanId: '', links: [subscription?.spanId] });
    expect(receiver.childrenOf(event!).map(({ kind }) => kind)).toEqual(['CLIENT']);
  });
});

describe('a receiver of traces that does not respond', () => {
  it('delays neither requests nor the end, and the spans that wait for it are bounded', async () => {
    const receiver = await TraceReceiver.start();
    receiver.hold();
    const service = await startService({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
    // Pipelined and without the database, so that they take less time than an export that gets no response.
    const connection = new RawConnection(service.url);
    connection.send('GET /api/none HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3_999));
    connection.send('GET /api/none HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const { text } = await connection.readUntilClosed();
    expect(text.match(/HTTP\/1\.1 404 /g)).toHaveLength(4_000);
    const before = receiver.spans.length;
    await service.close();
    expect(receiver.waiting).toBeGreaterThan(1);
    // The rest was dropped.
    expect(receiver.spans.length - before).toBe(2_048);
    expect(receiver.spans.length).toBeLessThan(4_000);
    receiver.close();
  });
});

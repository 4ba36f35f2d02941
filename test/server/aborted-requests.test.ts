import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { readBody } from '../../src/server/body.js';
import { duringTests } from '../support/before-tests.js';
import { until } from '../support/mail-server.js';
import { RawConnection } from '../support/raw-connection.js';
import { startService } from '../support/service.js';
import { createLineLog } from './test-log.js';

const { log, lines } = createLineLog();

const service = duringTests(() => startService({ RATE_LIMITS: '', RATE_LIMITS_STORE: 'postgres' }, log));

const post = (path: string, sent: string, id: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n${sent}`;

// Jest fails a test with an unhandled rejection.
describe('a request whose client disconnects', () => {
  it.each([
    ['an install without its body', post('/api/apps/none/install', '', 'a')],
    ['half an install', post('/api/apps/none/install', '{"installationId"', 'b')],
    ['half a GraphQL document', post('/graphql', '{"query":', 'd')],
    ['half a body without a credential', post('/api/dev/apps', '{"name":', 'e')],
    ['a list that it does not wait for', 'GET /api/apps HTTP/1.1\r\nHost: x\r\nX-Request-Id: f\r\n\r\n'],
  ])('is logged once and harms nothing: %s (D85, D89)', async (_, bytes) => {
    const id = /X-Request-Id: (\w)/.exec(bytes)?.[1];
    const requestLines = () => lines.filter(({ requestId, msg }) => msg === 'request' && requestId === id);
    const connection = new RawConnection(service.url).send(bytes);
    // A second request on another connection is served after the first one has arrived.
    expect((await service.client.request('GET', '/livez')).status).toBe(200);
    connection.abort();
    await until(() => requestLines().length > 0, 'there is no line in the log');
    expect((await service.client.request('GET', '/readyz')).status).toBe(200);
    expect(requestLines()).toHaveLength(1);
    expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
  });

  it('is rejected when its body is read after that (D85)', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const server = createServer((request) => {
      request.once('close', () => resolve(readBody(request).catch((error: unknown) => error)));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const connection = new RawConnection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.once('request', () => connection.abort());
    connection.send(post('/', '{', 'g'));
    expect(await promise).toMatchObject({ code: 'MALFORMED_JSON' });
    await new Promise((closed) => server.close(closed));
  });
});

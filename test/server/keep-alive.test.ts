import { beforeAll, describe, expect, it } from '@jest/globals';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { RawConnection } from '../support/raw-connection.js';
import { startService } from '../support/service.js';

const service = duringTests(() =>
  startService({
    TRUST_PROXY: '1',
    RATE_LIMITS: 'install=1,address=100000,graphql=1000000,write=100000,credentials=100000',
  }),
);
const ada = beforeTests(() => service.aDeveloper());
beforeAll(async () => {
  await service.client.request('POST', '/api/apps/none/install', { headers: spent });
});

/** An address that has used up its limit of installs. */
const spent = { 'x-forwarded-for': '203.0.113.9' };
const fresh = (last: number) => ({ 'x-forwarded-for': `198.51.100.${last}` });

const requestHead = (method: string, path: string, headers: Record<string, string | number>) =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
const jsonHead = (method: string, path: string, body: string, headers: Record<string, string> = {}) =>
  requestHead(method, path, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
const last = requestHead('GET', '/livez', { 'x-request-id': 'last', connection: 'close' });
const statusesIn = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/** Bytes that would be a request of their own if the service lost its place in the stream. */
const smuggled = 'GET /api/dev/me HTTP/1.1\r\nHost: x\r\n\r\n';
const body = JSON.stringify({ installationId: smuggled });
const large = JSON.stringify({ installationId: `${smuggled.repeat(8_000)}` });

/** Requests that are rejected before their body is read, or while it is. */
const rejected: [what: string, status: number, head: string, body: string][] = [
  ['an install above the rate limit', 429, jsonHead('POST', '/api/apps/none/install', body, spent), body],
  [
    'an install above the rate limit, through Express',
    429,
    jsonHead('POST', '/api/apps/none/install?x=1', body, spent),
    body,
  ],
  [
    'a large install above the rate limit',
    429,
    jsonHead('POST', '/api/apps/none/install', large, spent),
    large,
  ],
  ['an install of an unknown app', 404, jsonHead('POST', '/api/apps/none/install', '{}', fresh(1)), '{}'],
  ['a POST to an unknown path', 404, jsonHead('POST', '/api/nothing', body), body],
  ['a large POST to an unknown path', 404, jsonHead('POST', '/api/nothing', large), large],
  ['a method that the path does not have', 405, jsonHead('PUT', '/api/apps', body), body],
  ['a PUT to GraphQL', 405, jsonHead('PUT', '/graphql', body), body],
  ['a POST without a credential', 401, jsonHead('POST', '/api/dev/apps', '{}'), '{}'],
  ['a body that is too large', 413, jsonHead('POST', '/api/dev/apps', large), large],
  ['a form of another site', 403, jsonHead('POST', '/graphql', body, foreignForm()), body],
  ['a GET with a body', 200, jsonHead('GET', '/api/apps', body), body],
  ['a GraphQL GET with a body', 400, jsonHead('GET', '/graphql', body), body],
  ['a POST to a page', 404, jsonHead('POST', '/', body), body],
];
function foreignForm() {
  return { 'content-type': 'text/plain', origin: 'https://evil.example' };
}

describe('a connection that is kept alive', () => {
  it.each(rejected)('serves the next request after %s: %i (D85)', async (_, status, head, sent) => {
    const { text } = await new RawConnection(service.url).send(head + sent + last).readUntilClosed();
    expect(statusesIn(text)).toEqual([status, 200]);
    expect(text).toMatch(/x-request-id: last/);
  });

  it.each(rejected.filter(([, status]) => status === 429))(
    'serves the next request when the body arrives after the response to %s (D85)',
    async (_, status, head, sent) => {
      const connection = new RawConnection(service.url).send(head);
      await connection.readUntil(/"RATE_LIMITED"/);
      const half = Math.floor(sent.length / 2);
      connection.send(sent.slice(0, half)).send(sent.slice(half) + last);
      const { text } = await connection.readUntilClosed();
      expect(statusesIn(text)).toEqual([status, 200]);
      expect(text).toMatch(/x-request-id: last/);
    },
  );

  it('responds to pipelined requests in their order, cached or not, with and without Express (D5)', async () => {
    const { slug } = await service.anApp(ada, 'APPROVED');
    const query = '{"query":"{ __typename }"}';
    const pipelined = [
      requestHead('GET', '/api/apps', { 'x-request-id': 'a' }),
      `${jsonHead('POST', `/api/apps/${slug}/install`, '{}', { ...fresh(2), 'x-request-id': 'b' })}{}`,
      requestHead('HEAD', '/api/apps', { 'x-request-id': 'c' }),
      jsonHead('POST', '/graphql', query, { 'x-request-id': 'd' }) + query,
      requestHead('GET', '/api/apps', { 'x-request-id': 'e', 'if-none-match': '*' }),
      requestHead('OPTIONS', '/api/apps', { 'x-request-id': 'f' }),
      `${jsonHead('POST', '/api/apps/none/install', '{}', { ...spent, 'x-request-id': 'g' })}{}`,
      requestHead('GET', '/nothing', { 'x-request-id': 'h' }),
      last,
    ];
    const { text } = await new RawConnection(service.url).send(pipelined.join('')).readUntilClosed();
    expect(statusesIn(text)).toEqual([200, 201, 200, 200, 304, 204, 429, 404, 200]);
    expect([...text.matchAll(/^x-request-id: (\w+)/gim)].map(([, id]) => id)).toEqual([
      ...'abcdefgh',
      'last',
    ]);
  });
});

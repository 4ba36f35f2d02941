import { describe, expect, it } from '@jest/globals';
import { beforeTests } from '../support/before-tests.js';
import { RawConnection } from '../support/raw-connection.js';
import { sharedService } from '../support/service.js';
import { words } from '../support/words.js';

const service = beforeTests(sharedService);
const ada = beforeTests(() => service.aDeveloper());

const send = (bytes: string) => new RawConnection(service.url).send(bytes).readUntilClosed();
const get = 'GET /api/apps HTTP/1.1\r\nHost: x\r\n';
const post = 'POST /api/apps/x/install HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

/** A proxy and this service may read such a Host differently. */
const badHosts: [what: string, head: string][] = [
  ['two Hosts', `${get}Host: y`],
  ['the same Host twice', `${get}host: x`],
  ['two Hosts with a body', `${post}Content-Length: 2\r\nhOSt: y\r\n\r\n{}`],
  ['two Hosts for GraphQL', 'POST /graphql HTTP/1.1\r\nHost: x\r\nHost: y\r\nContent-Length: 0'],
  ['two Hosts for a page', 'GET / HTTP/1.1\r\nHost: localhost\r\nA: b\r\nHost: evil.example'],
  ['two Hosts with HTTP/1.0', 'GET /livez HTTP/1.0\r\nHost: x\r\nHost: y'],
  ...[
    '',
    'a b',
    'a,b',
    'a, b',
    'user@a',
    'a/b',
    'http://a',
    'a:b',
    'a:123456',
    '[::1',
    '::1',
    'a"b',
    'a\\b',
    'ä',
  ].map((host): [string, string] => [`the Host "${host}"`, `GET /api/apps HTTP/1.1\r\nHost: ${host}`]),
];

describe('a malformed request', () => {
  it.each([
    ['plain text', 'hello there\r\n\r\n', 400, 'VALIDATION_FAILED'],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400, 'VALIDATION_FAILED'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'VALIDATION_FAILED'],
    ['an unknown method', 'FETCH /api/apps HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'VALIDATION_FAILED'],
    ['no Host', 'GET /api/apps HTTP/1.1\r\n\r\n', 400, 'VALIDATION_FAILED'],
    ...badHosts.map(([what, head]): [string, string, number, string] => [
      what,
      `${head}\r\n\r\n`,
      400,
      'VALIDATION_FAILED',
    ]),
    ['a header with a line break in it', `${get}A: b\nrest: c\r\r\n\r\n`, 400, 'VALIDATION_FAILED'],
    ['two lengths', `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x`, 400, 'VALIDATION_FAILED'],
    [
      'a length and chunks',
      `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'VALIDATION_FAILED',
    ],
    [
      'an encoding after chunked',
      `${post}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`,
      400,
      'VALIDATION_FAILED',
    ],
    ['a negative length', `${post}Content-Length: -1\r\n\r\n`, 400, 'VALIDATION_FAILED'],
    ['headers of 20 KiB', `${get}X: ${'a'.repeat(20_480)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    ['a URL of 20 KiB', `GET /${'a'.repeat(20_480)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    ['CONNECT', 'CONNECT 10.0.0.1:22 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
    [
      'endless chunk extensions',
      `${post}Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(20_000)}`,
      413,
      'PAYLOAD_TOO_LARGE',
    ],
  ])(
    'is rejected with our error body, and the connection is closed: %s (D6, D85)',
    async (_, bytes, status, code) => {
      const response = await send(bytes);
      expect(response.status).toBe(status);
      expect(JSON.parse(response.body)).toEqual({
        error: {
          code,
          message: expect.stringMatching(/\.$/),
          details: [],
          requestId: response.headers['x-request-id'],
        },
      });
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(response.text).not.toMatch(/node|HPE_|llhttp|parse error|\bat .*\.[jt]s/i);
    },
  );

  it('cannot smuggle a second request in a body with two lengths (D85)', async () => {
    const smuggled = `GET /api/dev/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.key}\r\n\r\n`;
    const { text } = await send(
      `${post}Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    );
    expect(text.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
    expect(text).not.toContain(ada.id);
  });

  it('changes nothing when its chunks are malformed (D7)', async () => {
    const { id } = await service.anApp(ada);
    const head = `POST /api/dev/apps/${id}/submit HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.key}`;
    await send(`${head}\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n`);
    expect(await service.must('myApp', { id }, ada.key)).toMatchObject({ status: 'DRAFT' });
  });
});

describe('an unusual request', () => {
  it.each(
    words(`
    localhost a_b.example A.Example.:443 127.0.0.1:4000 [::1]:4000 [::ffff:10.0.0.1] x:`),
  )('is served with the Host %s (D132)', async (host) => {
    const bytes = `GET /api/apps HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    expect((await send(bytes)).status).toBe(200);
  });

  it('with HTTP/1.0 needs no Host (D132)', async () => {
    expect((await send('GET /api/apps HTTP/1.0\r\n\r\n')).status).toBe(200);
  });

  it('TRACE is 405 with Allow, and the response does not repeat the request (D7)', async () => {
    const response = await send(
      'TRACE /api/apps HTTP/1.1\r\nHost: x\r\nX-Secret: not-echoed\r\nConnection: close\r\n\r\n',
    );
    expect([response.status, response.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(response.text).not.toContain('not-echoed');
  });

  it('with an unknown expectation is served (D85)', async () => {
    expect((await send(`${get}Expect: miracles\r\nConnection: close\r\n\r\n`)).status).toBe(200);
  });

  it('that expects 100-continue receives it before the response', async () => {
    const { text } = await send(
      `${post}Expect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 404 /);
  });

  it('that asks to switch to WebSocket is served as HTTP', async () => {
    expect((await send(`${get}Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`)).status).toBe(200);
  });
});

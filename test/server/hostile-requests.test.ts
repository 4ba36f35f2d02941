import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { duringTests } from '../support/before-tests.js';
import { leastCpuMs, maxMs } from '../support/cpu.js';
import { headerOf, type RawRequest, sendRequest } from '../support/send-request.js';
import { startService } from '../support/service.js';

const ourPage = 'https://tasks.example';
const service = duringTests(() =>
  startService({ CORS_ORIGINS: ourPage, RATE_LIMITS: 'pages=200', TRUST_PROXY: '1' }),
);
beforeAll(async () => {
  await service.anApp(await service.aDeveloper(), 'APPROVED');
});

/** Sends a request line as it is, which clients would correct, and returns the whole response. */
const sendLine = (line: string, headers: string[] = []) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('error', reject).on('end', () => resolve(text));
    socket.write(`${line}\r\nHost: localhost\r\nConnection: close\r\n${headers.join('\r\n')}\r\n\r\n`);
  });

const document = JSON.stringify({ query: '{ __typename }' });
const requests: [string, RawRequest][] = [
  ['a read', { path: '/api/apps' }],
  ['a preflight', { method: 'OPTIONS', path: '/api/apps', headers: { origin: ourPage } }],
  ['a document with Vary', { path: '/openapi.json' }],
  ['a GraphQL request', { method: 'POST', path: '/graphql', headers: json(document), body: [document] }],
  ['an install', { method: 'POST', path: '/api/apps/none/install', headers: json('{}'), body: ['{}'] }],
  ['a page', { path: '/' }],
];

function json(body: string): Record<string, string> {
  return { 'content-type': 'application/json', 'content-length': String(body.length) };
}

describe.each(requests)('%s', (_, request) => {
  it.each(['vary', 'x-request-id', 'content-length', '__proto__', 'etag'])(
    'gets its response under the request id %s, which is the name of a header (D5)',
    async (id) => {
      // Several times, so that the last ones come from the cache.
      for (let time = 0; time < 4; time += 1) {
        const response = await sendRequest(service.url, {
          ...request,
          headers: { ...request.headers, 'x-request-id': id },
        });
        expect(response.status).toBeLessThan(500);
        expect(headerOf(response, 'x-request-id')).toBe(id);
        expect(headerOf(response, 'content-security-policy')).toBeTruthy();
      }
    },
  );
});

describe('an odd request target', () => {
  it.each([
    ['GET http://x:99999/api/apps HTTP/1.1', 200],
    ['GET http://x:99999/api/apps?limit=1 HTTP/1.1', 200],
    ['GET http:///api/apps HTTP/1.1', 200],
    ['GET ftp://x/api/apps HTTP/1.1', 200],
    ['GET http://[/api/apps HTTP/1.1', 404],
    ['GET http://x:99999/graphql?query=%7B__typename%7D HTTP/1.1', 200],
    ['GET /api/apps/%ff HTTP/1.1', 404],
    ['GET /%ff HTTP/1.1', 404],
  ])('%s gets %i with our headers and body', async (line, status) => {
    const text = await sendLine(line, ['Apollo-Require-Preflight: 1', `Origin: ${ourPage}`]);
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(text).toMatch(/x-request-id: /i);
    expect(text).toMatch(/content-type: application\/json/i);
    expect(text).not.toMatch(/<html|INTERNAL/);
    if (line.includes('/api/apps?')) expect(text).toMatch(/link: <[^>]*\/api\/apps\?/i);
    if (/\/(api|graphql)/.test(line) && !line.includes('['))
      expect(text).toMatch(new RegExp(`access-control-allow-origin: ${ourPage}`, 'i'));
  });

  it('is charged even if Express cannot decode it (D34)', async () => {
    const statuses: number[] = [];
    for (let time = 0; time < 205; time += 1) {
      const { status } = await sendRequest(service.url, {
        path: '/%ff',
        headers: { 'x-forwarded-for': '10.1.1.1' },
      });
      statuses.push(status);
    }
    expect(new Set(statuses)).toEqual(new Set([404, 429]));
  });
});

describe('a long Content-Type', () => {
  it.each([
    ['GET', `application/json;a=${' '.repeat(15_000)}a`],
    ['POST', `application/json;a=${' '.repeat(15_000)}a`],
    ['POST', `application/json;${'\t'.repeat(15_000)}a`],
  ])('of a GraphQL %s costs hardly any time (D100)', async (method, type) => {
    const send = () =>
      sendRequest(service.url, {
        method,
        path: '/graphql?query=%7B__typename%7D',
        headers: { 'content-type': type, ...(method === 'POST' && { 'content-length': '2' }) },
        ...(method === 'POST' && { body: ['{}'] }),
      });
    expect((await send()).status).toBe(415);
    expect(await leastCpuMs(send)).toBeLessThan(maxMs);
  });
});

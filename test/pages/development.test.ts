import { describe, expect, it } from '@jest/globals';
import { duringTests } from '../support/before-tests.js';
import { headerOf, type RawResponse, sendRequest } from '../support/send-request.js';
import { startService } from '../support/service.js';

const service = duringTests(() =>
  startService({
    CORS_ORIGINS: '*',
    PUBLIC_URL: 'https://dev.tasks.example',
    HOST: '192.0.2.7',
  }),
);

const account = JSON.stringify({ accountUserId: 'demo-admin', admin: true });
/** Requests whose responses contain tokens or mails. */
const secretRequests = [
  'POST /dev/token',
  'GET /dev/mailbox',
  'GET /playground',
  'GET /playground/?as=admin',
  'GET /DEV/mailbox',
];

const send = (request: string, headers: Record<string, string>, at = service) => {
  const [method = '', path = ''] = request.split(' ');
  const isPost = method === 'POST';
  return sendRequest(at.url, {
    method,
    path,
    headers: { ...(isPost && { 'content-type': 'application/json' }), ...headers },
    body: isPost ? [account] : [],
  });
};
const hasSecret = (body: string) => /eyJ[\w-]+\.|<h1>Mailbox/.test(body);

const corsHeadersOf = ({ headers }: RawResponse) =>
  headers.filter(([name]) => /^access-control-/i.test(name));

describe.each(secretRequests)('in development, %s', (request) => {
  it.each<Record<string, string>>([
    {},
    { host: 'localhost' },
    { host: 'LOCALHOST:4000' },
    { host: 'localhost.:4000' },
    { host: 'market.localhost:4000' },
    { host: '127.0.0.1:4000' },
    { host: '127.8.8.8' },
    { host: '[::1]:4000' },
    { host: 'dev.tasks.example' },
    { host: 'dev.tasks.example:8443' },
    { host: '192.0.2.7:4000' },
    { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:4000', host: 'localhost:4000' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:5173', host: '127.0.0.1:4000' },
  ])('is served to a client with %j (D102)', async (headers) => {
    const { status, body } = await send(request, headers);
    expect([status, hasSecret(body)]).toEqual([200, true]);
  });

  it.each<Record<string, string>>([
    { host: 'evil.example' },
    { host: 'evil.example:4000' },
    { host: 'localhost.evil.example' },
    { host: 'notlocalhost' },
    { host: '127.0.0.1.evil.example' },
    { host: '127.evil.example' },
    { host: '0.0.0.0:4000' },
    { host: '[::]' },
    { host: '10.0.0.1' },
    { host: 'tasks.example' },
    { host: 'x.dev.tasks.example' },
    { host: 'evil.example', 'x-forwarded-host': 'localhost' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'anything' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost.evil.example' },
    { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
  ])('is rejected for a client with %j, with a message that says what to do (D102)', async (headers) => {
    const response = await send(request, headers);
    expect(response.status).toBe(403);
    expect(JSON.parse(response.body)).toMatchObject({
      error: { code: 'FORBIDDEN', message: expect.stringContaining('https://dev.tasks.example') },
    });
    expect(headerOf(response, 'access-control-allow-origin')).toBeUndefined();
  });

  it('never has CORS headers, and rejects preflights (D102)', async () => {
    for (const origin of ['http://localhost:5173', 'https://dev.tasks.example', 'https://evil.example']) {
      const headers = { origin, 'access-control-request-method': 'POST' };
      const [own, path] = request.split(' ');
      for (const method of ['OPTIONS', own]) {
        const response = await send(`${method} ${path}`, headers);
        expect([method, response.status]).toEqual([method, 403]);
        expect(corsHeadersOf(response)).toEqual([]);
      }
    }
    const response = await send(request, { origin: 'http://localhost:5173' });
    expect(corsHeadersOf(response)).toEqual([]);
  });
});

describe('in development', () => {
  it('a link from another site leads to a page with a link to continue, and no secrets (D102)', async () => {
    const headers = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    for (const path of ['/playground?as=admin', '/dev/mailbox']) {
      const response = await send(`GET ${path}`, headers);
      expect([response.status, hasSecret(response.body)]).toEqual([403, false]);
      expect(response.body).toContain('<a class="button first" href="">');
      expect(headerOf(response, 'content-security-policy')).toContain("frame-ancestors 'none'");
    }
    expect((await send('GET /playground', { ...headers, host: 'evil.example' })).body).toContain(
      '"FORBIDDEN"',
    );
  });

  it('the metrics are served to this machine, under its own names only (D89, D102)', async () => {
    expect((await send('GET /metrics', {})).status).toBe(200);
    for (const headers of [
      { host: 'evil.example' },
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ])
      expect((await send('GET /metrics', headers)).status).toBe(404);
    const response = await send('GET /metrics', { origin: 'http://localhost:1' });
    expect(corsHeadersOf(response)).toEqual([]);
  });

  it('the API, its documents and the public keys are served under any host name (D102, D133)', async () => {
    for (const path of ['/api/apps', '/openapi.json', '/schema.graphql', '/.well-known/jwks.json']) {
      const response = await send(`GET ${path}`, {
        host: 'evil.example',
        origin: 'https://evil.example',
      });
      expect([path, response.status]).toEqual([path, 200]);
      expect(headerOf(response, 'access-control-allow-origin')).toBe('*');
    }
    for (const path of ['/', '/docs', '/playground/client.js'])
      expect([path, (await send(`GET ${path}`, { host: 'evil.example' })).status]).toEqual([path, 200]);
  });

  it('a playground without tokens is served under any host name, and mails never are (D102)', async () => {
    await using external = await startService({ OIDC_ISSUER: 'https://id.example' });
    const playground = await send('GET /playground', { host: 'evil.example' }, external);
    expect([playground.status, hasSecret(playground.body)]).toEqual([200, false]);
    expect((await send('GET /dev/mailbox', { host: 'evil.example' }, external)).status).toBe(403);
  });
});

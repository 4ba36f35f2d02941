import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendRequest } from '../support/send-request.js';
import { type Service, startService } from '../support/service.js';

let service: Service;
beforeAll(async () => {
  service = await startService({
    CORS_ORIGINS: '*',
    PUBLIC_URL: 'https://dev.tasks.example',
    HOST: '192.0.2.7',
  });
});
afterAll(() => service.close());

const account = JSON.stringify({ accountUserId: 'demo-admin', admin: true });
const given = [
  'POST /dev/token',
  'GET /dev/mailbox',
  'GET /playground',
  'GET /playground/?as=admin',
  'GET /DEV/mailbox',
];

const ask = (what: string, headers: Record<string, string>, at = service) => {
  const [method = '', path = ''] = what.split(' ');
  const isPost = method === 'POST';
  return sendRequest(at.url, {
    method,
    path,
    headers: { ...(isPost && { 'content-type': 'application/json' }), ...headers },
    body: isPost ? [account] : [],
  });
};
const holdsSecret = (body: string) => /eyJ[\w-]+\.|<h1>Mailbox/.test(body);

describe.each(given)('in development, %s', (what) => {
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
  ])('is answered to %j (D102)', async (headers) => {
    const { status, body } = await ask(what, headers);
    expect([status, holdsSecret(body)]).toEqual([200, true]);
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
  ])('is refused to %j, with what to do instead (D102)', async (headers) => {
    const { status, body, headers: told } = await ask(what, headers);
    expect(status).toBe(403);
    expect(JSON.parse(body)).toMatchObject({
      error: { code: 'FORBIDDEN', message: expect.stringContaining('https://dev.tasks.example') },
    });
    expect(told.map(([name]) => name.toLowerCase())).not.toContain('access-control-allow-origin');
  });

  it('has no CORS headers, whoever asks, and no preflight (D102)', async () => {
    for (const origin of ['http://localhost:5173', 'https://dev.tasks.example', 'https://evil.example']) {
      const headers = { origin, 'access-control-request-method': 'POST' };
      const [, path] = what.split(' ');
      for (const method of ['OPTIONS', what.split(' ')[0]]) {
        const reply = await ask(`${method} ${path}`, headers);
        expect([method, reply.status]).toEqual([method, 403]);
        expect(reply.headers.filter(([name]) => /^access-control-/i.test(name))).toEqual([]);
      }
    }
    const reply = await ask(what, { origin: 'http://localhost:5173' });
    expect(reply.headers.filter(([name]) => /^access-control-/i.test(name))).toEqual([]);
  });
});

describe('in development', () => {
  it('a link of another site leads to a page that holds nothing but the way on (D102)', async () => {
    const headers = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    for (const path of ['/playground?as=admin', '/dev/mailbox']) {
      const { status, body, headers: told } = await ask(`GET ${path}`, headers);
      expect([status, holdsSecret(body)]).toEqual([403, false]);
      expect(body).toContain('<a class="button first" href="">');
      const policy = told.find(([name]) => name.toLowerCase() === 'content-security-policy')?.[1];
      expect(policy).toContain("frame-ancestors 'none'");
    }
    expect((await ask('GET /playground', { ...headers, host: 'evil.example' })).body).toContain(
      '"FORBIDDEN"',
    );
  });

  it('the metrics are for this machine, by its own names (D89, D102)', async () => {
    expect((await ask('GET /metrics', {})).status).toBe(200);
    for (const headers of [
      { host: 'evil.example' },
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ])
      expect((await ask('GET /metrics', headers)).status).toBe(404);
    const { headers } = await ask('GET /metrics', { origin: 'http://localhost:1' });
    expect(headers.map(([name]) => name.toLowerCase())).not.toContain('access-control-allow-origin');
  });

  it('what is everybody’s stays so: the API, the documents, the keys (D102, D133)', async () => {
    for (const path of ['/api/apps', '/openapi.json', '/schema.graphql', '/.well-known/jwks.json']) {
      const { status, headers } = await ask(`GET ${path}`, {
        host: 'evil.example',
        origin: 'https://evil.example',
      });
      expect([path, status]).toEqual([path, 200]);
      expect(headers.find(([name]) => name.toLowerCase() === 'access-control-allow-origin')?.[1]).toBe('*');
    }
    for (const path of ['/', '/docs', '/playground/client.js'])
      expect([path, (await ask(`GET ${path}`, { host: 'evil.example' })).status]).toEqual([path, 200]);
  });

  it('a page that holds no token is for everybody, and mails never are (D102)', async () => {
    const provided = await startService({ OIDC_ISSUER: 'https://id.example' });
    try {
      const playground = await ask('GET /playground', { host: 'evil.example' }, provided);
      expect([playground.status, holdsSecret(playground.body)]).toEqual([200, false]);
      expect((await ask('GET /dev/mailbox', { host: 'evil.example' }, provided)).status).toBe(403);
    } finally {
      await provided.close();
    }
  });
});

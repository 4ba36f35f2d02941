import { describe, expect, it } from '@jest/globals';
import { duringTests } from '../support/before-tests.js';
import { type Service, startService } from '../support/service.js';
import { words } from '../support/words.js';

const preflight = {
  'access-control-request-method': 'PUT',
  'access-control-request-headers': 'authorization,content-type,if-match,idempotency-key',
};

describe('CORS_ORIGINS', () => {
  const service = duringTests(() =>
    startService({ CORS_ORIGINS: 'https://tasks.example, http://localhost:3000' }),
  );

  const send = (method: string, path: string, origin: string, headers: Record<string, string> = {}) =>
    service.client.request(method, path, { headers: { origin, ...headers } });

  it.each(['https://tasks.example', 'http://localhost:3000'])(
    'allows pages of %s to read responses',
    async (origin) => {
      for (const path of ['/api/apps', '/api/dev/me', '/graphql', '/api/nothing']) {
        const response = await send('GET', path, origin);
        expect([path, response.headers.get('access-control-allow-origin')]).toEqual([path, origin]);
        expect(response.headers.get('vary')).toMatch(/Origin/i);
        for (const header of [
          ...['etag', 'link', 'x-request-id', 'x-ignored-fields', 'www-authenticate'],
          ...['x-api-key-expires', 'idempotent-replayed', 'deprecation', 'sunset', 'allow'],
          ...['retry-after', 'ratelimit', 'ratelimit-policy'],
        ])
          expect(response.headers.get('access-control-expose-headers')).toContain(header);
        expect(response.headers.get('access-control-allow-credentials')).toBeNull();
      }
    },
  );

  it('responds to a preflight with every method and header of the API', async () => {
    const response = await send('OPTIONS', '/api/dev/apps/x', 'https://tasks.example', preflight);
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://tasks.example');
    for (const method of ['GET', 'PUT', 'POST', 'DELETE'])
      expect(response.headers.get('access-control-allow-methods')).toContain(method);
    expect(response.headers.get('access-control-allow-headers')).toBe(
      preflight['access-control-request-headers'],
    );
    expect(response.headers.get('x-request-id')).toBeTruthy();
  });

  it('applies to the API documents, and not to pages, assets or metrics (D133)', async () => {
    const allowed = async (path: string) =>
      (await send('GET', path, 'http://localhost:3000')).headers.get('access-control-allow-origin');
    for (const path of ['/openapi.json', '/schema.graphql', '/.well-known/openid-configuration'])
      expect([path, await allowed(path)]).toEqual([path, 'http://localhost:3000']);
    for (const path of words('/ /docs /docs/swagger-ui.css /playground /dev/mailbox /metrics /livez'))
      expect([path, await allowed(path)]).toEqual([path, null]);
  });

  it.each(['https://evil.example', 'https://tasks.example.evil.example', 'http://tasks.example', 'null'])(
    'does not allow pages of %s',
    async (origin) => {
      for (const method of ['GET', 'OPTIONS']) {
        const response = await send(method, '/api/apps', origin, preflight);
        expect(response.headers.get('access-control-allow-origin')).toBeNull();
      }
    },
  );
});

describe('without CORS_ORIGINS', () => {
  const loopback = words(`
    http://localhost http://localhost:5173 https://localhost:3000 http://shop.localhost:8080
    http://127.0.0.1:3000 http://127.1.2.3 https://[::1]:5173`);
  const foreign = words(`
    https://tasks.example http://localhost.evil.example http://notlocalhost:3000 http://evil.example:3000
    http://127.0.0.1.evil.example http://128.0.0.1 http://[::2] ftp://localhost null`);
  const allowedBy = async (service: Service, method: string, path: string, origin: string) => {
    const { headers } = await service.client.request(method, path, { headers: { origin, ...preflight } });
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    return headers.get('access-control-allow-origin');
  };

  it('every origin on this machine is allowed in development, and no other (D141)', async () => {
    await using service = await startService();
    for (const path of ['/api/apps', '/graphql', '/graphql/stream', '/api/dev/me'])
      for (const method of ['OPTIONS', 'GET']) {
        for (const origin of loopback)
          expect([path, method, await allowedBy(service, method, path, origin)]).toEqual([
            path,
            method,
            origin,
          ]);
        for (const origin of foreign)
          expect([path, method, origin, await allowedBy(service, method, path, origin)]).toEqual([
            ...[path, method, origin],
            null,
          ]);
      }
  });

  it('a page on this machine may also change something without a body in development (D102, D141)', async () => {
    await using service = await startService();
    const ada = await service.aDeveloper();
    for (const [origin, status] of [
      ['http://localhost:5173', 200],
      ['https://evil.example', 403],
    ] as const) {
      const { id } = await service.anApp(ada);
      const headers = { origin, 'sec-fetch-site': 'cross-site' };
      const path = `/api/dev/apps/${id}`;
      const response = await service.client.request('DELETE', path, { headers, bearer: ada.key });
      expect([origin, response.status]).toEqual([origin, status]);
    }
  });

  it('no page of another origin is allowed in production, and OPTIONS responds with Allow (D141)', async () => {
    await using service = await startService({ NODE_ENV: 'production', OIDC_ISSUER: 'https://id.example' });
    for (const origin of ['https://tasks.example', 'http://localhost:5173']) {
      const headers = { origin, ...preflight };
      const response = await service.client.request('OPTIONS', '/api/apps', { headers });
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
      expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    }
  });
});

describe('CORS_ORIGINS=*', () => {
  it('allows every origin in production, without credentials (D141)', async () => {
    await using service = await startService({
      NODE_ENV: 'production',
      OIDC_ISSUER: 'https://id.example',
      CORS_ORIGINS: '*',
    });
    for (const [method, path] of [
      ['GET', '/api/apps'],
      ['OPTIONS', '/api/dev/me'],
      ['OPTIONS', '/graphql'],
    ] as const) {
      const { headers } = await service.client.request(method, path, {
        headers: { origin: 'https://any.example', ...preflight },
      });
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  });
});

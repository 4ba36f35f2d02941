import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Service, startService } from '../support/service.js';

const preflight = {
  'access-control-request-method': 'PUT',
  'access-control-request-headers': 'authorization,content-type,if-match,idempotency-key',
};

describe('CORS_ORIGINS', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ CORS_ORIGINS: 'https://tasks.example, http://localhost:3000' });
  });
  afterAll(() => service.close());

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
          ...['x-api-key-expires', 'idempotent-replayed', 'deprecation', 'sunset'],
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
    for (const path of [
      '/',
      '/docs',
      '/docs/swagger-ui.css',
      '/playground',
      '/dev/mailbox',
      '/metrics',
      '/livez',
    ])
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
  it('no page of another origin is allowed, and OPTIONS responds with Allow', async () => {
    const service = await startService();
    try {
      const headers = { origin: 'https://tasks.example', ...preflight };
      const response = await service.client.request('OPTIONS', '/api/apps', { headers });
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
      expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    } finally {
      await service.close();
    }
  });
});

describe('CORS_ORIGINS=*', () => {
  it('allows every origin', async () => {
    const service = await startService({ CORS_ORIGINS: '*' });
    try {
      const response = await service.client.request('GET', '/api/apps', {
        headers: { origin: 'https://any.example' },
      });
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
    } finally {
      await service.close();
    }
  });
});

import { describe, expect, it } from '@jest/globals';
import { duringTests } from '../support/before-tests.js';
import { headerOf, sendRequest } from '../support/send-request.js';
import { startService } from '../support/service.js';
import { words } from '../support/words.js';

const service = duringTests(() => startService({ PUBLIC_URL: 'https://tasks.example' }));

const dataPolicy = "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'";
const bodiless = [204, 304];
const requests = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PATCH'].flatMap((method) =>
  words(`
    /api/apps /api/apps/none/install /api/dev/me /api/nothing /api/apps/%E0%A4%A /graphql /graphql/
    /graphql/below /graphql?query=%7B__typename%7D /livez /readyz /metrics /openapi.json /schema.graphql
    /.well-known/jwks.json /dev/token /nothing`).map((path) => ({ method, path })),
);

describe('a response with data', () => {
  it.each(requests)(
    '$method $path has the common headers once each, and a Content-Length unless there is no body (D5, D86)',
    async ({ method, path }) => {
      const response = await sendRequest(service.url, { method, path, headers: { 'x-request-id': 'mine' } });
      const names = response.headers.map(([name]) => name.toLowerCase());
      expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
      expect(headerOf(response, 'x-request-id')).toBe('mine');
      expect(headerOf(response, 'content-security-policy')).toBe(dataPolicy);
      expect(headerOf(response, 'x-content-type-options')).toBe('nosniff');
      expect(headerOf(response, 'x-frame-options')).toBe('DENY');
      expect(headerOf(response, 'strict-transport-security')).toBe('max-age=31536000');
      expect(headerOf(response, 'transfer-encoding')).toBeUndefined();
      if (bodiless.includes(response.status)) expect(headerOf(response, 'content-length')).toBeUndefined();
      else if (method !== 'HEAD')
        expect(headerOf(response, 'content-length')).toBe(String(response.bytes.length));
      for (const name of ['x-powered-by', 'server', 'x-aspnet-version']) expect(names).not.toContain(name);
    },
  );

  it.each(words('/ /docs /playground /playground/client.js /dev/mailbox'))(
    'OPTIONS %s has the common headers, too (D5, D86)',
    async (path) => {
      const response = await sendRequest(service.url, { method: 'OPTIONS', path });
      expect([response.status, headerOf(response, 'allow')]).toEqual([200, 'GET, HEAD']);
      expect(headerOf(response, 'cache-control')).toBe('no-store');
      expect(headerOf(response, 'content-security-policy')).toBe(dataPolicy);
      for (const name of ['x-request-id', 'x-frame-options', 'referrer-policy'])
        expect([name, headerOf(response, name)]).toEqual([name, expect.any(String)]);
    },
  );
});

describe('a page', () => {
  it.each(['/', '/docs', '/playground', '/dev/mailbox'])(
    '%s has a content security policy of its own (D86)',
    async (path) => {
      const { headers } = await service.client.request('GET', path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("object-src 'none'");
      expect(policy).not.toContain("default-src 'none'");
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    },
  );
});

describe('the rate limit headers', () => {
  it('are sent with OPTIONS of a page, which is charged like the page (D34)', async () => {
    await using limited = await startService({ RATE_LIMITS: 'pages=2' });
    const seen = [];
    for (let time = 0; time < 3; time += 1) {
      const response = await sendRequest(limited.url, { method: 'OPTIONS', path: '/' });
      seen.push([response.status, headerOf(response, 'ratelimit')?.replace(/t=\d+/, 't')]);
    }
    expect(seen).toEqual([
      [200, '"pages";r=1;t'],
      [200, '"pages";r=0;t'],
      [429, '"pages";r=0;t'],
    ]);
  });
});

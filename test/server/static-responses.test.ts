import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { chooseEncoding } from '../../src/server/encodings.js';
import { duringTests } from '../support/before-tests.js';
import { headerOf, type RawResponse, sendRequest } from '../support/send-request.js';
import { startService } from '../support/service.js';
import { words } from '../support/words.js';

// With an external identity provider the playground has no tokens, and is the same for every client.
const service = duringTests(() => startService({ OIDC_ISSUER: 'https://id.example' }));

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  sendRequest(service.url, { method, path, headers });
const header = (response: RawResponse, name: string) => headerOf(response, name) ?? null;
const decompress: Record<string, (body: Buffer) => Buffer> = { gzip: gunzipSync, br: brotliDecompressSync };

const documents = words(`
  /openapi.json /schema.graphql / /docs /docs/initializer.js /docs/swagger-ui.css
  /docs/swagger-ui-bundle.js /playground /playground?as=admin /playground/client.js
  /playground/account.js /playground/storage.js /playground/provider-sign-in.js /playground/client.css
  /playground/styles.css /playground/main.js`);

describe.each(documents)('%s', (path) => {
  it('is compressed for clients that accept it, with a strong ETag per encoding (D130)', async () => {
    const whole = await get(path);
    expect(whole.status).toBe(200);
    expect(header(whole, 'content-encoding')).toBeNull();
    expect(header(whole, 'vary')).toMatch(/Accept-Encoding/);
    expect(header(whole, 'etag')).toMatch(/^"[\w-]+"$/);
    const tags = new Set([header(whole, 'etag')]);
    for (const encoding of ['gzip', 'br']) {
      const small = await get(path, { 'accept-encoding': encoding });
      expect(header(small, 'content-encoding')).toBe(encoding);
      expect(header(small, 'vary')).toMatch(/Accept-Encoding/);
      expect(header(small, 'content-type')).toBe(header(whole, 'content-type'));
      expect(Number(header(small, 'content-length'))).toBe(small.bytes.length);
      expect(small.bytes.length).toBeLessThan(whole.bytes.length * 0.75);
      expect(decompress[encoding]!(small.bytes).equals(whole.bytes)).toBe(true);
      tags.add(header(small, 'etag'));
    }
    expect(tags.size).toBe(3);
  });

  it('is 304 for a client that has it, and HEAD has the headers of GET (D130)', async () => {
    for (const encoding of ['identity', 'gzip', 'br']) {
      const headers = { 'accept-encoding': encoding };
      const first = await get(path, headers);
      const etag = header(first, 'etag')!;
      for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await get(path, { ...headers, 'if-none-match': tag });
        expect([again.status, again.body, header(again, 'etag')]).toEqual([304, '', etag]);
        expect(header(again, 'vary')).toMatch(/Accept-Encoding/);
        expect(header(again, 'content-type')).toBeNull();
      }
      expect((await get(path, { ...headers, 'if-none-match': '"other"' })).status).toBe(200);
      const head = await get(path, headers, 'HEAD');
      const constant = ({ headers: all }: RawResponse) =>
        all.filter(([name]) => !/^(x-request-id|date|connection|keep-alive)$/i.test(name));
      expect([head.status, head.body, constant(head)]).toEqual([200, '', constant(first)]);
    }
  });
});

describe('a static response', () => {
  it.each(['/playground/assets/img/logo.png'])(
    'with an image is not compressed, and has an ETag: %s (D130)',
    async (path) => {
      const response = await get(path, { 'accept-encoding': 'gzip, br' });
      expect([response.status, header(response, 'content-encoding')]).toEqual([200, null]);
      const etag = header(response, 'etag')!;
      expect(etag).toMatch(/^"[\w-]+"$/);
      expect((await get(path, { 'if-none-match': etag })).status).toBe(304);
    },
  );

  it('with an asset may be cached for an hour; pages are revalidated (D130)', async () => {
    expect(header(await get('/docs/swagger-ui.css'), 'cache-control')).toBe('public, max-age=3600');
    for (const path of ['/', '/docs', '/openapi.json', '/schema.graphql'])
      expect(header(await get(path), 'cache-control')).toBe('public, max-age=0, must-revalidate');
  });

  it('is the whole file if a range is requested (D130)', async () => {
    const response = await get('/docs/swagger-ui.css', { range: 'bytes=0-9' });
    expect(response.status).toBe(200);
    expect(response.bytes.length).toBeGreaterThan(100_000);
  });

  it('exists for the listed files only (D130)', async () => {
    for (const path of words(`
      /docs/package.json /docs/index.html /docs/swagger-ui-bundle.js.map /docs/../package.json
      /docs/%2e%2e/package.json /playground/../../package.json /playground/assets /playground/assets/`))
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  it('is compressed; responses of the API are not (D130)', async () => {
    for (const path of ['/api/apps', '/api/apps/categories/list', '/livez']) {
      const response = await get(path, { 'accept-encoding': 'gzip, br' });
      expect([path, response.status, header(response, 'content-encoding')]).toEqual([path, 200, null]);
    }
  });
});

describe('Accept-Encoding', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip;q=1.0', 'gzip'],
    ['gzip;q=0', null],
    ['gzip;q=0.0, br ; q=0', null],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['*;q=0', null],
    ['*;q=0, gzip', 'gzip'],
    ['identity', null],
    ['identity, gzip;q=0.5', null],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity;q=0', null],
    ['identity;q=0, gzip', 'gzip'],
    ['identity;q=0, *', 'br'],
    ['deflate, compress', null],
    ['gzip;q=nonsense', null],
    ['brgzip', null],
    [`gzip${', x'.repeat(5_000)}`, null],
  ])('%j selects %s (D130)', (accepted, encoding) => {
    expect(chooseEncoding(accepted)).toBe(encoding);
  });
});

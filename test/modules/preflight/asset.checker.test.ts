import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Listing } from '../../../src/modules/apps/listing.entity.js';
import { Category } from '../../../src/modules/apps/listing.entity.js';
import { AssetChecker } from '../../../src/modules/preflight/asset-checker.service.js';
import { GuardedFetcher } from '../../../src/net/guarded-fetch.js';
import { jpg, type PictureServer, png, pngHeader, startPictureServer } from '../../support/pictures.js';

const listing = (fields: Partial<Listing>): Listing => ({
  name: 'Time Tracker',
  description: 'Tracks time.',
  longDescription: null,
  category: Category.OTHER,
  logoUrl: null,
  bannerUrl: null,
  websiteUrl: null,
  oauthClientId: null,
  screenshots: [],
  ...fields,
});
const withScreenshots = (...urls: string[]) =>
  listing({ screenshots: urls.map((url, order) => ({ url, caption: null, order })) });

const sending =
  (
    body: Buffer | string,
    headers: Record<string, string> = { 'content-type': 'image/png' },
  ): RequestListener =>
  (_, response) =>
    response.writeHead(200, headers).end(body);

describe('the check of the pictures of a listing (D24)', () => {
  let server: PictureServer;
  let fetcher: GuardedFetcher;
  beforeAll(async () => {
    server = await startPictureServer();
    fetcher = new GuardedFetcher({ allowedHosts: [server.host], resolve: async () => [] });
  });
  afterAll(async () => {
    await fetcher.close();
    await server.close();
  });

  const check = (fields: Listing, withinMs?: number) => new AssetChecker(fetcher, withinMs).check(fields);
  /** The code of what is wrong with a picture; null if nothing is. */
  const problemOf = async (url: string, withinMs = 5_000) =>
    (await check(listing({ logoUrl: url }), withinMs))[0]?.problem?.code ?? null;

  it.each([
    ['logoUrl', '/png/512x512', null],
    ['logoUrl', '/jpg/2000x2000', null],
    ['logoUrl', '/png/511x511', 'wrong_size'],
    ['logoUrl', '/png/600x512', 'wrong_size'],
    ['bannerUrl', '/png/1200x600', null],
    ['bannerUrl', '/jpg/1200x600', null],
    ['bannerUrl', '/png/1201x600', 'wrong_size'],
    ['bannerUrl', '/png/2400x1200', 'wrong_size'],
    ['screenshots', '/png/1280x720', null],
    ['screenshots', '/jpg/3840x2160', null],
    ['screenshots', '/png/1279x720', 'wrong_size'],
    ['screenshots', '/jpg/1280x719', 'wrong_size'],
    ['screenshots', '/jpg/720x1280', 'wrong_size'],
    ['logoUrl', '/png/10001x10001', 'wrong_size'],
  ])('judges %s by its size: %s', async (field, path, code) => {
    const url = server.url(path);
    const [found] = await check(field === 'screenshots' ? withScreenshots(url) : listing({ [field]: url }));
    expect(found?.problem?.code ?? null).toBe(code);
    expect(found?.ok).toBe(code === null);
  });

  it('keeps address, size, type, bytes, sha256 and time of each, under its field', async () => {
    const logo = png(512, 512);
    const before = Date.now();
    const results = await check(
      listing({
        logoUrl: server.url('/png/512x512'),
        bannerUrl: server.url('/jpg/800x600'),
        websiteUrl: server.serve('/site', sending('Welcome', {})),
        screenshots: [
          { url: server.url('/png/1280x720'), caption: null, order: 0 },
          { url: server.url('/missing'), caption: null, order: 1 },
        ],
      }),
    );
    const sha256 = (body: Buffer) => createHash('sha256').update(body).digest('hex');
    const nothing = { width: null, height: null, type: null, bytes: null, sha256: null };
    const aProblem = (code: string) => ({ code, message: expect.any(String), fix: expect.any(String) });
    expect(results.map(({ checkedAt: _, url: __, ...rest }) => rest)).toEqual([
      {
        field: 'logoUrl',
        ok: true,
        width: 512,
        height: 512,
        type: 'png',
        bytes: logo.length,
        sha256: sha256(logo),
        problem: null,
      },
      {
        field: 'bannerUrl',
        ok: false,
        width: 800,
        height: 600,
        type: 'jpg',
        bytes: jpg(800, 600).length,
        sha256: sha256(jpg(800, 600)),
        problem: aProblem('wrong_size'),
      },
      {
        field: 'screenshots.0.url',
        ok: true,
        width: 1280,
        height: 720,
        type: 'png',
        bytes: png(1280, 720).length,
        sha256: sha256(png(1280, 720)),
        problem: null,
      },
      { field: 'screenshots.1.url', ok: false, ...nothing, problem: aProblem('http_error') },
      { field: 'websiteUrl', ok: true, ...nothing, problem: null },
    ]);
    for (const { checkedAt } of results) expect(checkedAt.getTime()).toBeGreaterThanOrEqual(before);
  });

  it('takes a picture of an upright camera as people see it', async () => {
    const url = server.serve('/upright', sending(jpg(1280, 720, 6), { 'content-type': 'image/jpeg' }));
    expect((await check(withScreenshots(url)))[0]).toMatchObject({ width: 720, height: 1280, ok: false });
  });

  it.each<[string, RequestListener, string | null]>([
    ['HTML that is called PNG', sending('<!doctype html><p>Sign in</p>'), 'wrong_type'],
    [
      'SVG that is called PNG',
      sending('<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512"/>'),
      'wrong_type',
    ],
    ['SVG', sending('<svg width="512" height="512"/>', { 'content-type': 'image/svg+xml' }), 'wrong_type'],
    [
      'GIF',
      sending(Buffer.from('47494638396100020002', 'hex'), { 'content-type': 'image/gif' }),
      'wrong_type',
    ],
    ['an empty body', sending(''), 'wrong_type'],
    ['a PNG that is called HTML', sending(png(512, 512), { 'content-type': 'text/html' }), 'wrong_type'],
    ['a JPG that is called PNG', sending(jpg(512, 512)), 'wrong_type'],
    ['a PNG of no declared type', sending(png(512, 512), {}), null],
    [
      'a PNG from a store without types',
      sending(png(512, 512), { 'content-type': 'application/octet-stream' }),
      null,
    ],
    [
      'a PNG with parameters of its type',
      sending(png(512, 512), { 'content-type': 'Image/PNG; charset=utf-8' }),
      null,
    ],
    ['a PNG that ends after its signature', sending(png(512, 512).subarray(0, 8)), 'unreadable'],
    ['a PNG of no size', sending(pngHeader(0, 0)), 'unreadable'],
    [
      'a PNG with another beginning',
      sending(Buffer.concat([png(1, 1).subarray(0, 8), Buffer.alloc(64, 1)])),
      'unreadable',
    ],
    [
      'a JPG without a frame',
      sending(Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'), {
        'content-type': 'image/jpeg',
      }),
      'unreadable',
    ],
    ['a status that is not 200', (_, response) => response.writeHead(206).end(png(512, 512)), 'http_error'],
    ['a failing server', (_, response) => response.writeHead(500).end('no'), 'http_error'],
    [
      'a compressed PNG',
      sending(gzipSync(png(512, 512)), { 'content-type': 'image/png', 'content-encoding': 'gzip' }),
      'unusable',
    ],
    [
      'a bomb of gzip',
      sending(gzipSync(Buffer.alloc(64 * 1024 * 1024)), { 'content-encoding': 'gzip' }),
      'unusable',
    ],
    ['a bomb of PNG: 60,000×60,000 in a few bytes', sending(pngHeader(60_000, 60_000)), 'wrong_size'],
    ['a bomb of PNG with all bits set', sending(pngHeader(0x7fffffff, 0x7fffffff)), 'wrong_size'],
    [
      'a declared length beyond the limit',
      sending('x', { 'content-length': String(11 * 1024 * 1024) }),
      'too_large',
    ],
    [
      'headers without end',
      (_, response) => response.writeHead(200, { flood: 'x'.repeat(40_000) }).end(),
      'unreachable',
    ],
    [
      'a body shorter than declared',
      (_, response) => {
        response
          .writeHead(200, { 'content-length': '5000' })
          .write(png(512, 512).subarray(0, 100), () => response.destroy());
      },
      'unreachable',
    ],
    ['a connection that is dropped', (request) => request.socket.destroy(), 'unreachable'],
    [
      'something that is not HTTP',
      (request) => request.socket.end('220 mail.example.com ESMTP\r\n'),
      'unreachable',
    ],
    [
      'redirects without end',
      (request, response) => response.writeHead(302, { location: request.url }).end(),
      'too_many_redirects',
    ],
    [
      'a redirect to this machine',
      (_, response) => response.writeHead(301, { location: 'http://127.0.0.1:1/' }).end(),
      'not_public',
    ],
    [
      'a redirect to the metadata of a cloud',
      (_, response) =>
        response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
      'not_public',
    ],
    [
      'a redirect to a file',
      (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      'invalid_url',
    ],
    [
      'a redirect with credentials',
      (_, response) => response.writeHead(302, { location: 'http://a:b@example.com/' }).end(),
      'invalid_url',
    ],
    [
      'a redirect to nowhere',
      (_, response) => response.writeHead(302, { location: 'http://[' }).end(),
      'invalid_url',
    ],
  ])('is not fooled by %s', async (name, answer, code) => {
    expect(await problemOf(server.serve(`/${encodeURIComponent(name)}`, answer))).toBe(code);
  });

  it('follows five redirects, relative ones too, and not a sixth', async () => {
    for (let hop = 1; hop <= 6; hop += 1)
      server.serve(`/hop/${hop}`, (_, response) =>
        response.writeHead(302, { location: hop === 1 ? '/png/512x512' : `${hop - 1}` }).end(),
      );
    expect(await problemOf(server.url('/hop/5'))).toBeNull();
    expect(await problemOf(server.url('/hop/6'))).toBe('too_many_redirects');
  });

  it('ends a body without end at 10 MB, and hangs up (D49)', async () => {
    let hungUp: () => void;
    const closed = new Promise<void>((resolve) => {
      hungUp = resolve;
    });
    let sent = 0;
    const piece = Buffer.alloc(256 * 1024);
    const url = server.serve('/endless', (_, response) => {
      response.writeHead(200, { 'content-type': 'image/png' }).write(png(512, 512));
      const more = () => {
        sent += piece.length;
        if (!response.destroyed) response.write(piece, () => setImmediate(more));
      };
      response.on('close', () => hungUp());
      more();
    });
    expect(await problemOf(url)).toBe('too_large');
    await closed;
    // What was under way does not count against us.
    expect(sent).toBeLessThan(40 * 1024 * 1024);
  });

  it('gives a silent server, a dripping one and eight of them together no more time than one', async () => {
    const silent = server.serve('/silent', () => undefined);
    const dripping = server.serve('/dripping', (_, response) => {
      response.writeHead(200, { 'content-type': 'image/png' }).write(png(512, 512).subarray(0, 50));
      const drip = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(drip));
    });
    const detour = server.serve('/detour', (_, response) =>
      setTimeout(() => response.writeHead(302, { location: '/silent' }).end(), 200),
    );
    const begun = Date.now();
    const results = await check(
      {
        ...withScreenshots(silent, dripping, `${silent}?2`, detour, silent, dripping),
        logoUrl: detour,
        bannerUrl: dripping,
        websiteUrl: silent,
      },
      500,
    );
    expect(Date.now() - begun).toBeLessThan(1_500);
    expect(results).toHaveLength(9);
    const codes = results.map(({ problem }) => problem?.code);
    // The one address that the server does not know is answered at once.
    expect(codes.filter((code) => code === 'timeout')).toHaveLength(8);
    expect(codes).toContain('http_error');
  });

  it('reads no more of a JPG than its beginning, however it is made', async () => {
    const trap = Buffer.concat([jpg(512, 512).subarray(0, 20), Buffer.alloc(9 * 1024 * 1024)]);
    const begun = Date.now();
    expect(await problemOf(server.serve('/trap', sending(trap, { 'content-type': 'image/jpeg' })))).toBe(
      'unreadable',
    );
    expect(Date.now() - begun).toBeLessThan(2_000);
  });

  it('fetches the same picture once, whatever it is used for', async () => {
    const url = server.url('/png/1280x720?once');
    await check({ ...withScreenshots(url, url, url), logoUrl: url });
    expect(server.asked.filter((path) => path.endsWith('?once'))).toHaveLength(1);
  });

  it.each([
    [200, null],
    [401, null],
    [403, null],
    [405, null],
    [429, null],
    [404, 'http_error'],
    [410, 'http_error'],
    [503, 'http_error'],
  ])('takes a website that answers %d as it is', async (status, code) => {
    const url = server.serve(`/site/${status}`, (_, response) =>
      response.writeHead(status).end('x'.repeat(100_000)),
    );
    const [found] = await check(listing({ websiteUrl: url }));
    expect(found?.problem?.code ?? null).toBe(code);
  });

  it('asks for nothing but the picture as it is: no cookies, no credentials, no compression', async () => {
    let headers: Record<string, unknown> = {};
    const url = server.serve('/headers', (request, response) => {
      headers = request.headers;
      response.writeHead(200, { 'set-cookie': 'a=b' }).end(png(512, 512));
    });
    expect(await problemOf(url)).toBeNull();
    expect(Object.keys(headers).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
    expect(headers['accept-encoding']).toBe('identity');
  });
});

import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { jpg, type PictureServer, png } from '../../support/pictures.js';
import { type CheckerStage, checkerStage, listing, sending, withScreenshots } from './checker-stage.js';

let server: PictureServer;
let check: CheckerStage['check'];
let problemOf: CheckerStage['problemOf'];
beforeAll(async () => {
  ({ server, check, problemOf } = await checkerStage());
});

describe('the check of the pictures of a listing (D24)', () => {
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

  it('returns address, size, type, bytes, sha256, host and time of each picture, by field', async () => {
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
    const nothing = { width: null, height: null, type: null, bytes: null, sha256: null, host: null };
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
        host: '127.0.0.1',
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
        host: '127.0.0.1',
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
        host: '127.0.0.1',
        problem: null,
      },
      { field: 'screenshots.1.url', ok: false, ...nothing, problem: aProblem('http_error') },
      { field: 'websiteUrl', ok: true, ...nothing, problem: null },
    ]);
    for (const { checkedAt } of results) expect(checkedAt.getTime()).toBeGreaterThanOrEqual(before);
  });

  it('applies the rotation that a camera recorded', async () => {
    const url = server.serve('/upright', sending(jpg(1280, 720, 6), { 'content-type': 'image/jpeg' }));
    expect((await check(withScreenshots(url)))[0]).toMatchObject({ width: 720, height: 1280, ok: false });
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
  ])('judges a website by its status: %d', async (status, code) => {
    const url = server.serve(`/site/${status}`, (_, response) =>
      response.writeHead(status).end('x'.repeat(100_000)),
    );
    const [found] = await check(listing({ websiteUrl: url }));
    expect(found?.problem?.code ?? null).toBe(code);
  });

  it('requests the plain picture: no cookies, no credentials, no compression', async () => {
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

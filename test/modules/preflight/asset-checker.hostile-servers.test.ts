import type { RequestListener, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { jpg, type PictureServer, png, pngHeader } from '../../support/pictures.js';
import { type CheckerStage, checkerStage, sending, withScreenshots } from './checker-stage.js';

let server: PictureServer;
let check: CheckerStage['check'];
let problemOf: CheckerStage['problemOf'];
beforeAll(async () => {
  ({ server, check, problemOf } = await checkerStage());
});

describe('pictures from a hostile or broken server (D24)', () => {
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
      'a redirect with credentials',
      (_, response) => response.writeHead(302, { location: 'http://a:b@example.com/' }).end(),
      'invalid_url',
    ],
  ])('recognises %s', async (name, answer, code) => {
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

  it('stops an endless body at 10 MB, and closes the connection (D49)', async () => {
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
    // Bytes that were under way do not count.
    expect(sent).toBeLessThan(40 * 1024 * 1024);
  });

  it('gives silent and slow servers the same time together as one of them alone', async () => {
    let open = 0;
    let most = 0;
    const opened = (response: ServerResponse) => {
      open += 1;
      most = Math.max(most, open);
      response.on('close', () => (open -= 1));
    };
    const silent = server.serve('/silent', (_, response) => opened(response));
    const dripping = server.serve('/dripping', (_, response) => {
      opened(response);
      response.writeHead(200, { 'content-type': 'image/png' }).write(png(512, 512).subarray(0, 50));
      const drip = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(drip));
    });
    const detour = server.serve('/detour', (_, response) =>
      setTimeout(() => response.writeHead(302, { location: '/silent' }).end(), 200),
    );
    const results = await check(
      {
        ...withScreenshots(silent, dripping, `${silent}?2`, detour, silent, dripping),
        logoUrl: detour,
        bannerUrl: dripping,
        websiteUrl: silent,
      },
      2_000,
    );
    expect(most).toBe(2);
    expect(results).toHaveLength(9);
    const codes = results.map(({ problem }) => problem?.code);
    // Two addresses of the host are fetched at once, and the others wait (D355).
    expect(codes.filter((code) => code !== 'timeout' && code !== 'busy')).toEqual([]);
    expect(codes).toContain('timeout');
  });

  it('reads only the beginning of a JPG, however it is made', async () => {
    const sized = (picture: Buffer) => Buffer.concat([picture, Buffer.alloc(9 * 1024 * 1024)]);
    const timeOf = async (path: string, picture: Buffer) => {
      const url = server.serve(path, sending(picture, { 'content-type': 'image/jpeg' }));
      // Processor time: the machine may be busy with something else.
      const before = process.cpuUsage();
      const problem = await problemOf(url);
      const { user, system } = process.cpuUsage(before);
      return { problem, ms: (user + system) / 1000 };
    };
    const good = await timeOf('/large', sized(jpg(512, 512)));
    expect(good.problem).toBeNull();
    const trap = await timeOf('/trap', sized(jpg(512, 512).subarray(0, 20)));
    expect(trap.problem).toBe('unreadable');
    expect(trap.ms).toBeLessThan(good.ms * 10 + 2_000);
  });
});

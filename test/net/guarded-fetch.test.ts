import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GuardedFetcher } from '../../src/net/guarded-fetch.js';
import { beforeTests } from '../support/before-tests.js';
import { startDecoy } from './decoy.js';

describe('a guarded fetch', () => {
  let fetcher: GuardedFetcher;
  let url: string;
  const server = beforeTests(() =>
    startDecoy(async (request, response) => {
      if (request.url === '/redirect') response.writeHead(307, { location: '/echo' }).end('elsewhere');
      else if (request.url === '/long') response.end('x'.repeat(300_000));
      else if (request.url === '/silent') return;
      else response.writeHead(202).end(`${request.method} ${await text(request)}`);
    }),
  );
  beforeAll(async () => {
    url = `http://127.0.0.1:${server.port}`;
    fetcher = new GuardedFetcher({ allowedHosts: [`127.0.0.1:${server.port}`] });
  });
  afterAll(async () => {
    await fetcher.close();
    await server.close();
  });

  it('sends a body, and returns any status', async () => {
    const answer = await fetcher.fetch(`${url}/echo`, { method: 'POST', body: 'hello' });
    expect({ ...answer, body: answer.body.toString() }).toMatchObject({
      url: `${url}/echo`,
      status: 202,
      body: 'POST hello',
      bytes: 10,
    });
  });

  it('never sends a body after a redirect, and returns the redirect if none is to be followed', async () => {
    const posted = await fetcher.fetch(`${url}/redirect`, { method: 'POST', body: 'hello' });
    expect({ status: posted.status, body: posted.body.toString() }).toEqual({
      status: 307,
      body: 'elsewhere',
    });
    expect((await fetcher.fetch(`${url}/redirect`, { maxRedirects: 0 })).status).toBe(307);
    expect((await fetcher.fetch(`${url}/redirect`)).url).toBe(`${url}/echo`);
  });

  it('rejects or truncates a body that is too long, as the caller chooses', async () => {
    await expect(fetcher.fetch(`${url}/long`, { maxBytes: 1000 })).rejects.toMatchObject({
      code: 'too_large',
    });
    const cut = await fetcher.fetch(`${url}/long`, { maxBytes: 1000, overLimit: 'cut' });
    expect(cut.body).toHaveLength(1000);
  });

  it('passes on all of a body and returns only the requested part', async () => {
    let seen = 0;
    const answer = await fetcher.fetch(`${url}/long`, {
      keepBytes: 10,
      onPiece: (piece) => {
        seen += piece.length;
      },
    });
    expect({ seen, bytes: answer.bytes, kept: answer.body.length }).toEqual({
      seen: 300_000,
      bytes: 300_000,
      kept: 10,
    });
  });

  it('stops at its own timeout or at the caller’s signal', async () => {
    const timeout = { code: 'timeout' };
    await expect(fetcher.fetch(`${url}/silent`, { timeoutMs: 100 })).rejects.toMatchObject(timeout);
    const signal = AbortSignal.timeout(100);
    await expect(fetcher.fetch(`${url}/silent`, { signal })).rejects.toMatchObject(timeout);
    await expect(fetcher.fetch(`${url}/echo`, { signal })).rejects.toMatchObject(timeout);
  });

  it('stops at its timeout when a name server does not respond', async () => {
    const waiting = new GuardedFetcher({ resolve: () => new Promise(() => undefined) });
    await expect(waiting.fetch('http://slow.example.com/', { timeoutMs: 100 })).rejects.toMatchObject({
      code: 'timeout',
    });
    await waiting.close();
  });

  it('fetches nothing after it is closed, and aborts running fetches', async () => {
    const refused = { code: 'unreachable' };
    const closing = new GuardedFetcher({ allowedHosts: [`127.0.0.1:${server.port}`] });
    const begun = expect(closing.fetch(`${url}/echo`)).rejects.toMatchObject(refused);
    await closing.close();
    await begun;
    await expect(closing.fetch(`${url}/echo`)).rejects.toMatchObject(refused);
  });
});

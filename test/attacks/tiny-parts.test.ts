import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { fetchPicture } from '../../src/modules/preflight/asset-fetches.service.js';
import { GuardedFetcher } from '../../src/net/guarded-fetch.js';
import { duringTests } from '../support/before-tests.js';

const head = 'HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nConnection: close\r\n';
/** What a hostile server sends, by its path. */
const responses: Record<string, string> = {
  '/chunks': `${head}Transfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(60_000)}0\r\n\r\n`,
  '/hints': `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)}${head}Content-Length: 4\r\n\r\nlast`,
  '/one-hint': `HTTP/1.1 103 Early Hints\r\n\r\n${head}Content-Length: 4\r\n\r\nlast`,
};

async function startHostileServer() {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (request) => socket.end(responses[String(request).split(' ', 2)[1]!] ?? ''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fetcher = new GuardedFetcher({ allowedHosts: [host] });
  return {
    fetcher,
    url: `http://${host}`,
    async close() {
      await fetcher.close();
      server.close();
    },
  };
}

describe('a server that sends many tiny parts', () => {
  const hostile = duringTests(startHostileServer);

  it.each(['/chunks', '/hints'])('keeps no process busy with %s (D49)', async (path) => {
    const { fetcher, url } = hostile;
    const problem = { code: 'unusable', message: 'Its server sends it in too many tiny parts.' };
    await expect(fetchPicture(fetcher, url + path, {})).rejects.toMatchObject(problem);
    await expect(fetcher.fetch(url + path, { method: 'POST', body: '{}' })).rejects.toMatchObject(problem);
  });

  it('may send a hint before its response', async () => {
    const { body } = await hostile.fetcher.fetch(`${hostile.url}/one-hint`);
    expect(body.toString()).toBe('last');
  });
});

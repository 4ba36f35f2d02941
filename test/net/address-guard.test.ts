import { afterAll, describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import { AddressGuard, type Resolve } from '../../src/net/address-guard.js';
import { FetchProblem } from '../../src/net/fetch-problem.js';
import { GuardedFetcher } from '../../src/net/guarded-fetch.js';
import { isPublicAddress } from '../../src/net/public-address.js';
import { beforeTests } from '../support/before-tests.js';
import { words } from '../support/words.js';
import { addressTricks, inner } from './address-tricks.js';
import { startDecoy } from './decoy.js';

const innerAddresses = Object.entries(inner).flatMap(([kind, addresses]) =>
  addresses.map((address) => ({ kind, address })),
);
const family = (address: string) => (address.includes(':') ? 6 : 4);
const answering =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: family(address) }));
const somePublic = '93.184.215.14';

describe('the guard against addresses that are not public (D24)', () => {
  let target = '';
  const fetchers: GuardedFetcher[] = [];
  const decoy = beforeTests(startDecoy);
  const redirector = beforeTests(() =>
    startDecoy((_, response) => response.writeHead(302, { location: target }).end()),
  );
  afterAll(async () => {
    await Promise.all(fetchers.map((fetcher) => fetcher.close()));
    await decoy.close();
    await redirector.close();
  });

  const fetcherWith = (...options: ConstructorParameters<typeof GuardedFetcher>) => {
    const fetcher = new GuardedFetcher(...options);
    fetchers.push(fetcher);
    return fetcher;
  };
  const problemOf = async (fetcher: GuardedFetcher, url: string) => {
    const problem = await fetcher.fetch(url, { timeoutMs: 3_000 }).catch((error: unknown) => error);
    if (!(problem instanceof FetchProblem)) return `it came back with ${String(problem)}`;
    // A failed connection attempt is not a rejection by the guard.
    return problem.code !== 'unreachable' || / has no public address\.$/.test(problem.message)
      ? problem.code
      : 'it was tried';
  };

  it('knows at least 200 tricks of at least 20 kinds', () => {
    const tricks = addressTricks(1024);
    expect(tricks.length).toBeGreaterThanOrEqual(200);
    expect(new Set(tricks.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(20);
    expect(new Set(tricks.map(({ url }) => url)).size).toBe(tricks.length);
  });

  it('lets the tests in by the allow-list, which names one host and port', async () => {
    const before = decoy.connections();
    const fetcher = fetcherWith({ allowedHosts: [`127.0.0.1:${decoy.port}`] });
    const answer = await fetcher.fetch(`http://127.0.0.1:${decoy.port}/`);
    expect(answer.body.toString()).toBe('secret');
    expect(decoy.connections()).toBe(before + 1);
    expect(await problemOf(fetcher, `http://127.0.0.2:${decoy.port}/`)).toBe('not_public');
    expect(await problemOf(fetcher, `http://localhost:${decoy.port}/`)).toBe('not_public');
    expect(await problemOf(fetcher, `http://127.0.0.1:${decoy.port - 1}/`)).toBe('not_public');
    expect(decoy.connections()).toBe(before + 1);
  });

  it('lets networks in by their addresses, whatever name leads there, and nothing beside them (D164)', async () => {
    const before = decoy.connections();
    const here = decoy.port;
    const allowedNetworks = ['127.0.0.0/30'];
    const fetcher = fetcherWith({ allowedNetworks, resolve: answering('127.0.0.1') });
    for (const host of ['127.0.0.1', 'localhost', 'hooks.localhost', 'pictures.example.com'])
      expect((await fetcher.fetch(`http://${host}:${here}/`)).body.toString()).toBe('secret');
    expect(decoy.connections()).toBe(before + 4);
    for (const host of words('127.0.0.4 [::1] [::ffff:127.0.0.1] 10.0.0.1 0.0.0.0 vault.internal hooks'))
      expect({ host, code: await problemOf(fetcher, `http://${host}:${here}/`) }).toEqual({
        host,
        code: 'not_public',
      });
    for (const answer of [
      ['127.0.0.4'],
      ['127.0.0.1', '10.0.0.1'],
      ['127.0.0.1', '::ffff:127.0.0.1'],
      ['127.0.0.1%lo'],
      [],
    ]) {
      const other = fetcherWith({ allowedNetworks, resolve: answering(...answer) });
      expect(await problemOf(other, `http://localhost:${here}/`)).toBe('unreachable');
    }
    target = `http://127.0.0.4:${here}/`;
    expect(await problemOf(fetcher, `http://127.0.0.1:${redirector.port}/`)).toBe('not_public');
    expect(decoy.connections()).toBe(before + 4);
  });

  it.each([...new Set(addressTricks(0).map(({ kind }) => kind))])(
    'refuses every address of the kind "%s" before anything is connected',
    async (kind) => {
      const before = decoy.connections();
      // If a name were resolved at all, it would lead to the decoy.
      const fetcher = fetcherWith({ resolve: answering('127.0.0.1') });
      for (const { url } of addressTricks(decoy.port).filter((trick) => trick.kind === kind)) {
        const code = await problemOf(fetcher, url);
        expect({ url, code }).toEqual({
          url,
          code: expect.stringMatching(/^(not_public|invalid_url|unreachable)$/),
        });
      }
      expect(decoy.connections()).toBe(before);
    },
  );

  it.each(innerAddresses)('classifies $address as not public: $kind', ({ address }) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    somePublic,
    '100.63.255.255',
    '100.128.0.1',
    '172.15.255.255',
    '172.32.0.1',
    '192.167.1.1',
    '169.253.1.1',
    '223.255.255.254',
    '2606:4700:4700::1111',
    '2a00:1450:4001:810::200e',
    '2001:4860:4860::8888',
  ])('classifies %s as public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it('rejects a name that resolves to any of these addresses, as if it did not exist', async () => {
    const before = decoy.connections();
    for (const { address } of innerAddresses) {
      const fetcher = fetcherWith({ resolve: answering(address) });
      const code = await problemOf(fetcher, `http://pictures.example.com:${decoy.port}/`);
      expect({ address, code }).toEqual({ address, code: 'unreachable' });
    }
    const missing = fetcherWith({ resolve: () => Promise.reject(new Error('ENOTFOUND')) });
    const failure = (fetcher: GuardedFetcher) =>
      fetcher.fetch(`http://pictures.example.com:${decoy.port}/`).catch((error: Error) => error.message);
    expect(await failure(missing)).toBe(await failure(fetcherWith({ resolve: answering('10.0.0.1') })));
    expect(decoy.connections()).toBe(before);
  });

  it.each(['127.0.0.1.nip.io', 'localtest.me', '7f000001.rbndr.us', 'xn--fsq.example.com'])(
    'refuses the public name %s that resolves to a private address',
    async (name) => {
      const before = decoy.connections();
      const fetcher = fetcherWith({ resolve: answering('127.0.0.1', '::1') });
      expect(await problemOf(fetcher, `http://${name}:${decoy.port}/`)).toBe('unreachable');
      expect(await problemOf(fetcher, `https://${name}:${decoy.port}/`)).toBe('unreachable');
      expect(decoy.connections()).toBe(before);
    },
  );

  it('rejects a name with both public and private addresses, in any order (D48)', async () => {
    const before = decoy.connections();
    const mixtures = innerAddresses.flatMap(({ address }) => [
      [somePublic, address],
      [address, somePublic],
      [somePublic, '1.1.1.1', address],
    ]);
    for (const mixture of mixtures) {
      const fetcher = fetcherWith({ resolve: answering(...mixture) });
      const code = await problemOf(fetcher, `http://pictures.example.com:${decoy.port}/`);
      expect({ mixture, code }).toEqual({ mixture, code: 'unreachable' });
    }
    expect(decoy.connections()).toBe(before);
  });

  it('rejects a name without addresses, and malformed addresses', async () => {
    for (const answer of [[], ['localhost'], ['0177.0.0.1'], ['127.1'], ['fe80::1%lo'], ['']]) {
      const fetcher = fetcherWith({ resolve: answering(...answer) });
      expect(await problemOf(fetcher, `http://pictures.example.com:${decoy.port}/`)).toBe('unreachable');
    }
  });

  it('checks each resolution of a name that changes, and returns exactly the addresses it checked', async () => {
    const answers = [[somePublic], ['127.0.0.1'], ['1.1.1.1', '8.8.8.8'], [somePublic, '10.0.0.1'], ['::1']];
    let call = 0;
    const guard = new AddressGuard({ resolve: (name) => answering(...(answers[call++] ?? []))(name) });
    const lookup = () =>
      new Promise((resolve) => {
        guard.lookup('rebinding.example.com', { all: true }, (error, addresses) =>
          resolve(error ? error.message : addresses),
        );
      });
    const refused = 'The host rebinding.example.com has no public address.';
    expect(await lookup()).toEqual([{ address: somePublic, family: 4 }]);
    expect(await lookup()).toBe(refused);
    expect(await lookup()).toEqual([
      { address: '1.1.1.1', family: 4 },
      { address: '8.8.8.8', family: 4 },
    ]);
    expect(await lookup()).toBe(refused);
    expect(await lookup()).toBe(refused);
    expect(call).toBe(answers.length);
  });

  it('resolves a name once per connection, so that nothing can change between the check and the connection', async () => {
    let lookups = 0;
    const host = `pictures.example.com:${decoy.port}`;
    const fetcher = fetcherWith({
      allowedHosts: [host],
      // A second resolution would lead to an address without a server.
      resolve: async () => [{ address: lookups++ === 0 ? '127.0.0.1' : '127.0.0.99', family: 4 }],
    });
    expect((await fetcher.fetch(`http://${host}/`)).body.toString()).toBe('secret');
    expect(lookups).toBe(1);
  });

  it('guards its agent too, even if the URL was not checked first', async () => {
    const before = decoy.connections();
    const agent = await new AddressGuard({ resolve: answering('127.0.0.1') }).agent();
    for (const host of words('127.0.0.1 [::1] localhost pictures.example.com [::ffff:127.0.0.1] 0.0.0.0'))
      await expect(request(`http://${host}:${decoy.port}/`, { dispatcher: agent })).rejects.toThrow(
        'has no public address',
      );
    await agent.destroy();
    expect(decoy.connections()).toBe(before);
  });

  it('does not follow redirects to any of these addresses (D24)', async () => {
    const before = decoy.connections();
    const fetcher = fetcherWith({
      allowedHosts: [`127.0.0.1:${redirector.port}`],
      resolve: answering('127.0.0.1'),
    });
    // Headers cannot contain the other characters.
    const sendable = addressTricks(decoy.port).filter(({ url }) => /^[\x20-\x7e]+$/.test(url));
    expect(sendable.length).toBeGreaterThan(180);
    for (const { kind, url } of sendable) {
      target = url;
      const code = await problemOf(fetcher, `http://127.0.0.1:${redirector.port}/`);
      expect({ kind, url, code }).toEqual({
        kind,
        url,
        code: expect.stringMatching(/^(not_public|invalid_url|unreachable|too_many_redirects)$/),
      });
    }
    expect(redirector.connections()).toBeGreaterThan(0);
    expect(decoy.connections()).toBe(before);
  });
});

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import express from 'express';
import { loadConfig } from '../../src/config.js';
import { addressGroup } from '../../src/limits/address-group.js';
import { clientAddress, trustOf } from '../../src/server/client-address.js';
import { leastCpuMs, maxMs } from '../support/cpu.js';

describe('the address of a client', () => {
  const chains = [
    undefined,
    '203.0.113.9',
    '198.51.100.7, 203.0.113.9',
    '198.51.100.7,203.0.113.9 , 10.0.0.2',
    ' , 203.0.113.9,, ',
    '2001:db8::7, 10.0.0.3',
    '127.0.0.1',
  ];
  const settings = [
    '',
    '0',
    '1',
    '2',
    '9',
    'loopback',
    '10.0.0.0/8',
    'loopback, 10.0.0.0/8',
    '127.0.0.1,203.0.113.9',
  ];

  it.each(settings)('with TRUST_PROXY=%s is the one that Express finds (D87)', async (setting) => {
    const { trustProxy } = loadConfig({ TRUST_PROXY: setting });
    const app = express();
    if (trustProxy !== null) app.set('trust proxy', trustProxy);
    const trust = trustOf(trustProxy);
    app.use((req, res) => void res.json([clientAddress(req as IncomingMessage, trust), req.ip]));
    const server = createServer(app).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    for (const chain of chains) {
      const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
        headers: chain === undefined ? {} : { 'x-forwarded-for': chain },
      });
      const [ours, found] = (await response.json()) as [string, string];
      expect([chain, ours]).toEqual([chain, found]);
      if (setting === '' || setting === '0') expect(ours).toBe('127.0.0.1');
    }
    server.close();
  });

  const addressFrom = (headers: Record<string, string>, setting = '1') =>
    clientAddress(
      { headers, socket: { remoteAddress: '127.0.0.1' } } as unknown as IncomingMessage,
      trustOf(loadConfig({ TRUST_PROXY: setting }).trustProxy),
    );

  it.each([
    ['203.0.113.9:4711', '203.0.113.9'],
    ['203.0.113.9:_a.b-c', '203.0.113.9'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['::ffff:203.0.113.9', '::ffff:203.0.113.9'],
    ['"203.0.113.9"', '203.0.113.9'],
    ['"203.0.113.9:4711"', '203.0.113.9'],
    ['"[2001:db8::1]:4711"', '2001:db8::1'],
    ['198.51.100.7:1, 203.0.113.9:2', '203.0.113.9'],
    ['unknown', '127.0.0.1'],
    ['_hidden', '127.0.0.1'],
    ['203.0.113.9:', '127.0.0.1'],
    ['203.0.113.9:123456', '127.0.0.1'],
    ['203.0.113.999:80', '127.0.0.1'],
    ['[203.0.113.9', '127.0.0.1'],
    ['[]:80', '127.0.0.1'],
    ['"', '127.0.0.1'],
    ['example.com', '127.0.0.1'],
  ])('X-Forwarded-For: %s is %s (D87)', (chain, address) => {
    expect(addressFrom({ 'x-forwarded-for': chain })).toBe(address);
    expect(addressFrom({ 'x-forwarded-for': chain }, '')).toBe('127.0.0.1');
  });

  it.each([
    ['for=203.0.113.9', '203.0.113.9'],
    ['For="[2001:db8::1]:4711"', '2001:db8::1'],
    ['for="203.0.113.9:4711"', '203.0.113.9'],
    ['for=203.0.113.9:4711', '203.0.113.9'],
    ['for=[2001:db8::1]', '2001:db8::1'],
    ['proto=https ; for=203.0.113.9;by=10.0.0.1', '203.0.113.9'],
    ['for=203.0.113.9;host="a;b=c"', '203.0.113.9'],
    ['for="\\2\\03.0.113.9"', '203.0.113.9'],
    ['for=198.51.100.7, for=203.0.113.9', '203.0.113.9'],
    // The client leaves a quote open, or hides an element in the host that the proxy quotes.
    ['for=", for=203.0.113.9', '203.0.113.9'],
    ['for=198.51.100.7;x=", for=203.0.113.9', '203.0.113.9'],
    ['for=203.0.113.9;host="a,for=198.51.100.7"', '127.0.0.1'],
    ['for=203.0.113.9;host="a,for=198.51.100.7;x="', '127.0.0.1'],
    ['for=203.0.113.9;host="a,for=198.51.100.7;x=\\""', '127.0.0.1'],
    ['for=unknown', '127.0.0.1'],
    ['for=_hidden', '127.0.0.1'],
    ['for="_hidden:80"', '127.0.0.1'],
    ['proto=https', '127.0.0.1'],
    ['for=198.51.100.7;for=203.0.113.9', '127.0.0.1'],
    ['203.0.113.9', '127.0.0.1'],
    ['for', '127.0.0.1'],
    ['', '127.0.0.1'],
  ])('Forwarded: %s is %s (D87)', (forwarded, address) => {
    expect(addressFrom({ forwarded })).toBe(address);
    expect(addressFrom({ forwarded }, '')).toBe('127.0.0.1');
  });

  it('is read from the right, through trusted proxies only, and from X-Forwarded-For before Forwarded (D87)', () => {
    const chain = '198.51.100.7:1, "10.0.0.9", [2001:db8::1]:2';
    const forwarded = 'for=198.51.100.7;proto=http, for=10.0.0.9, for="[2001:db8::1]:2"';
    for (const headers of [{ 'x-forwarded-for': chain }, { forwarded }] as Record<string, string>[]) {
      expect(addressFrom(headers, '1')).toBe('2001:db8::1');
      expect(addressFrom(headers, '2')).toBe('10.0.0.9');
      expect(addressFrom(headers, '3')).toBe('198.51.100.7');
      expect(addressFrom(headers, '9')).toBe('198.51.100.7');
      expect(addressFrom(headers, 'loopback')).toBe('2001:db8::1');
      expect(addressFrom(headers, 'loopback, 2001:db8::/32, 10.0.0.0/8')).toBe('198.51.100.7');
    }
    expect(addressFrom({ 'x-forwarded-for': '203.0.113.9', forwarded: 'for=198.51.100.7' })).toBe(
      '203.0.113.9',
    );
  });

  it('is that of the last proxy where the next entry is no address: entries before it are ignored (D87)', () => {
    for (const hidden of ['unknown', '_hidden', 'nonsense']) {
      expect(addressFrom({ 'x-forwarded-for': `198.51.100.7, ${hidden}, 10.0.0.9` }, '9')).toBe('10.0.0.9');
      expect(addressFrom({ forwarded: `for=198.51.100.7, for=${hidden}, for=10.0.0.9` }, '9')).toBe(
        '10.0.0.9',
      );
    }
  });

  it('is found at the end of a header of any length, and never in a very long entry (D87)', () => {
    expect(addressFrom({ 'x-forwarded-for': `${'x, '.repeat(5_000)}203.0.113.9` })).toBe('203.0.113.9');
    expect(addressFrom({ 'x-forwarded-for': `203.0.113.9:_${'1'.repeat(10_000)}` })).toBe('127.0.0.1');
    expect(addressFrom({ forwarded: `for=203.0.113.9;x=${'1'.repeat(10_000)}` })).toBe('127.0.0.1');
  });

  it.each([',', ' ', '10.0.0.1,', '"', 'for=10.0.0.1,', 'for="\\', 'for=;', '[', 'a='])(
    'is cheap to find in 16 KB of %j (D87, D100)',
    async (part) => {
      for (const name of ['x-forwarded-for', 'forwarded']) {
        const find = async () =>
          addressFrom({ [name]: part.repeat(16_000 / part.length) }, '10.0.0.0/8, loopback');
        expect(await leastCpuMs(find)).toBeLessThan(maxMs);
      }
    },
  );

  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['::1', '0:0:0:0::/64'],
    ['nonsense', 'unknown'],
    ['', 'unknown'],
  ])('%s is counted as %s by the rate limits (D87)', (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });
});

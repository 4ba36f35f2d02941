import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { freePorts, startProgram } from './support/processes.js';
import { pathOf } from './support/programs.js';

describe('ops/haproxy.cfg, while no gateway is ready', () => {
  it('responds with the error body of the gateways and Retry-After (D108)', async () => {
    const [port, a, b] = await freePorts(3);
    const configuration = resolve(import.meta.dirname, '../../ops/haproxy.cfg');
    const proxy = startProgram('haproxy-alone', pathOf('haproxy'), ['-db', '-f', configuration], {
      env: { BIND: `127.0.0.1:${port}`, GATEWAY_A: `127.0.0.1:${a}`, GATEWAY_B: `127.0.0.1:${b}` },
    });
    await proxy.says(/has no server available/);
    for (const path of ['/api/apps', '/graphql']) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      expect(response.status).toBe(503);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(response.headers.get('retry-after')).toBe('2');
      expect(await response.json()).toEqual({
        error: {
          code: 'UNAVAILABLE',
          message: 'The service cannot be reached right now. Try again in a few seconds.',
          details: [],
          requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        },
      });
    }
    await proxy.end();
  });
});

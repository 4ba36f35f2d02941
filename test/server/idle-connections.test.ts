import { describe, expect, it } from '@jest/globals';
import { duringTests } from '../support/before-tests.js';
import { RawConnection } from '../support/raw-connection.js';
import { startService } from '../support/service.js';

const keepAliveMs = 200;
// The inactivity timeout would end after the test: only the one of idle connections can close them in time.
const service = duringTests(() =>
  startService({}, undefined, {
    timeouts: { keepAliveMs, inactivityMs: 600_000, checkIntervalMs: 20 },
  }),
);

const request = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';
const complete = /\r\n\r\n\{.*\}/s;

describe('a connection without a request', () => {
  it('is closed after the keep-alive timeout, and not before', async () => {
    const connection = new RawConnection(service.url).send(request);
    await connection.readUntil(complete);
    const startedAt = performance.now();
    const { status } = await connection.readUntilClosed();
    expect(status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThan(keepAliveMs / 2);
  });

  it('is closed after a later request, too', async () => {
    const connection = new RawConnection(service.url).send(request);
    await connection.readUntil(complete);
    // Long enough for the timer of the connection to have been started.
    await new Promise((resolve) => setTimeout(resolve, keepAliveMs / 2));
    const { text } = await connection.send(request).readUntilClosed();
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  });
});

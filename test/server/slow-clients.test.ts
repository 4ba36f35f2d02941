import { describe, expect, it } from '@jest/globals';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { RawConnection } from '../support/raw-connection.js';
import { startService } from '../support/service.js';

/** Creates the fixtures, with the usual timeouts. */
const service = duringTests(startService);
/** A second service on the same database, with short timeouts. */
const impatient = duringTests(() =>
  startService({}, undefined, {
    databaseVia: async () => service.databaseUrl,
    timeouts: { headersMs: 400, requestMs: 800, inactivityMs: 1_000, checkIntervalMs: 50 },
  }),
);
const ada = beforeTests(() => service.aDeveloper());

const open = () => new RawConnection(impatient.url);
/** Sends a little more again and again, until the service closes the connection. */
async function trickle(connection: RawConnection, bytes: string, everyMs = 100) {
  const timer = setInterval(() => connection.send(bytes), everyMs);
  const response = await connection.readUntilClosed();
  clearInterval(timer);
  return response;
}

describe('a slow client', () => {
  it('that does not finish its headers is rejected with 408 (D85)', async () => {
    const response = await trickle(open().send('GET /api/apps HTTP/1.1\r\nHost: x\r\n'), 'X: y\r\n');
    expect(response.status).toBe(408);
    expect(JSON.parse(response.body)).toMatchObject({ error: { code: 'REQUEST_TIMEOUT' } });
  });

  it('that does not finish its body is rejected with 408, and nothing is changed (D85)', async () => {
    const { id } = await service.anApp(ada);
    const head = `PUT /api/dev/apps/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.key}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n`;
    const response = await trickle(open().send(`${head}{"name":"Slow"`), ' ');
    expect(response.status).toBe(408);
    expect(await service.must('myApp', { id }, ada.key)).not.toMatchObject({ name: 'Slow' });
  });

  it('that does not read the response is disconnected (D85)', async () => {
    const largeFile = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n';
    // A client that does not read notices the end of the connection only when it sends.
    await trickle(open().stopReading().send(largeFile.repeat(40)), '\r\n', 1_500);
  });

  it('that sends nothing is disconnected (D85)', async () => {
    const { text } = await open().readUntilClosed();
    expect(text).toMatch(/^$|408/);
  });

  it('does not delay other clients', async () => {
    const slow = Array.from({ length: 200 }, () => open().send('GET / HTTP/1.1\r\n'));
    expect((await impatient.client.request('GET', '/livez')).status).toBe(200);
    await Promise.all(slow.map((connection) => connection.readUntilClosed()));
  });
});

import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { closedAfterEach } from '../support/before-tests.js';
import { buildOnce, connectTo, createTestDatabase } from '../support/database.js';
import { Live } from '../support/live.js';
import { until } from '../support/mail-server.js';
import { RawConnection } from '../support/raw-connection.js';
import { DistantLine } from './distant-line.js';
import { sendHalf, startGateway } from './gateway.js';

// It may have to build first.
beforeAll(buildOnce, 120_000);

const closed = closedAfterEach();

async function aGateway(settings: Record<string, string>) {
  const { url: databaseUrl } = closed(await createTestDatabase());
  const own = { PORT: '0', DATABASE_URL: databaseUrl, RATE_LIMITS: 'off' };
  return { gateway: closed(startGateway({ ...own, ...settings })), databaseUrl };
}

interface Received {
  status: number;
  headers: IncomingHttpHeaders;
}

/** Sends a request with Node's own client, which keeps its connections and repeats nothing. */
function send(agent: Agent, port: number, method: string, path: string, body?: object): Promise<Received> {
  return new Promise((resolve, reject) => {
    const headers = { ...(body && { 'content-type': 'application/json' }) };
    request({ agent, port, host: '127.0.0.1', method, path, headers }, (response) => {
      const { statusCode: status = 0, headers: received } = response;
      response.resume().once('end', () => resolve({ status, headers: received }));
    })
      .on('error', reject)
      .end(body && JSON.stringify(body));
  });
}

describe('SIGTERM with clients that are 10 ms away (D252)', () => {
  it('fails no request of theirs until they have heard that the gateway is not ready', async () => {
    // Longer than the monitor needs for two requests on a busy machine.
    const { gateway } = await aGateway({ DRAIN_SECONDS: '10' });
    const line = await DistantLine.to(await gateway.url(), 10);
    closed({ [Symbol.asyncDispose]: async () => line.close() });
    const counts = { sent: 0, answered: 0, afterSignal: 0, closing: 0 };
    const failures: unknown[] = [];
    let isReady = true;
    let isSignalled = false;
    const kinds = [
      ['GET', '/api/apps'],
      ['GET', '/api/apps?search=x'],
      ['POST', '/graphql', { query: '{ apps { totalCount } }' }],
      ['POST', '/api/apps/none/install', {}],
    ] as const;
    const client = async (number: number) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let turn = number; isReady; turn += 1) {
        const [method, path, body] = kinds[turn % kinds.length]!;
        counts.sent += 1;
        if (isSignalled) counts.afterSignal += 1;
        try {
          const { status, headers } = await send(agent, line.port, method, path, body);
          if (status !== (path.endsWith('install') ? 404 : 200)) throw new Error(`status ${status}`);
          counts.answered += 1;
          if (headers.connection === 'close') counts.closing += 1;
        } catch (error) {
          failures.push(error);
        }
      }
      agent.destroy();
    };
    /** Asks as a load balancer does: on a new connection, and two failures count. */
    const monitor = async () => {
      try {
        for (let failed = 0; failed < 2; ) {
          const { status, headers } = await send(new Agent(), line.port, 'GET', '/readyz');
          if (isSignalled && status !== 200) expect([status, headers['retry-after']]).toEqual([503, '1']);
          failed = status === 200 || !isSignalled ? 0 : failed + 1;
          await new Promise((resolve) => setTimeout(resolve, 300));
        }
      } finally {
        isReady = false;
      }
    };
    const working = [monitor(), ...Array.from({ length: 30 }, (_, number) => client(number))];
    await until(
      () => counts.answered > 1_000,
      () => `${counts.answered} were answered`,
      120_000,
    );
    isSignalled = true;
    gateway.process.kill('SIGTERM');
    await Promise.all(working);
    expect(await gateway.ended).toBe(0);
    process.stdout.write(
      `SIGTERM, clients 10 ms away: ${counts.sent} requests, ${counts.afterSignal} of them after the signal, ${failures.length} failed\n`,
    );
    expect(failures).toEqual([]);
    expect(counts.afterSignal).toBeGreaterThan(100);
    expect(counts.closing).toBeGreaterThan(30);
  });
});

describe('SIGTERM with connections of every kind (D252)', () => {
  it('answers what has arrived, closes what is not used, and waits for neither', async () => {
    const { gateway, databaseUrl } = await aGateway({ DRAIN_SECONDS: '1' });
    const url = await gateway.url();
    const slow = await aSlowRequest(url, databaseUrl);
    const used = new RawConnection(url).send(get('/livez'));
    await used.readUntil(/"ok"/);
    const unused = new RawConnection(url);
    const half = await sendHalf(url);
    const stream = await Live.to(url, { query: 'subscription { catalogChanged { slug } }' });

    gateway.process.kill('SIGTERM');
    await gateway.says(/Stopping/);
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    expect(stream.end).toBe(null);

    // Only the last of pipelined requests ends the connection.
    const { text } = await used
      .send(['/livez', '/api/apps', '/livez', '/api/apps', '/livez'].map(get).join(''))
      .readUntilClosed();
    expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(6);
    expect(text.match(/connection: close/gi)).toHaveLength(1);
    expect(text.lastIndexOf('HTTP/1.1')).toBeLessThan(text.search(/connection: close/i));

    expect((await unused.readUntilClosed()).text).toBe('');
    await until(() => stream.end !== null, 'the stream is open');
    expect(await half.answer).toContain('REQUEST_TIMEOUT');
    // Every other connection is closed, and this request still runs.
    await slow.release();
    const { status, headers } = await slow.response;
    expect([status, headers.get('connection')]).toEqual([200, 'close']);
    expect(await gateway.ended).toBe(0);
  });
});

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** Sends an update of a developer whose row is held by another connection until `release`. */
async function aSlowRequest(url: string, databaseUrl: string) {
  const post = (path: string, body: object, token = '') =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
  const token = await post('/dev/token', { accountUserId: 'slow' });
  const { accessToken } = (await token.json()) as { accessToken: string };
  const query =
    'mutation { registerDeveloper(input: { accountUserId: "slow", name: "Slow", email: "slow@example.com" }) { id } }';
  await post('/graphql', { query }, accessToken);
  const holder = closed(await connectTo(databaseUrl));
  await holder.query('begin');
  const { rowCount } = await holder.query('select from developers for update');
  expect(rowCount).toBe(1);
  const response = post(
    '/graphql',
    { query: 'mutation { updateMe(input: { bio: "Slow" }) { bio } }' },
    accessToken,
  );
  await until(
    async () =>
      (
        await holder.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
      ).rowCount! > 0,
    'no request waits',
  );
  return {
    response,
    release: () => holder.query('commit'),
  };
}

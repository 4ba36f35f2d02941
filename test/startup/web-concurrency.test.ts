import { Agent, get, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { atOnce } from '../support/actors.js';
import { beforeTests } from '../support/before-tests.js';
import { documentedMetrics } from '../support/documented-metrics.js';
import { Live } from '../support/live.js';
import { until } from '../support/mail-server.js';
import type { Gateway } from './gateway.js';
import { gatewaysOnOneDatabase } from './shared-database.js';
import { isAlive, query } from './stage.js';

const { database, start } = gatewaysOnOneDatabase({
  WEB_CONCURRENCY: '2',
  LOG_LEVEL: 'info',
  TRUST_PROXY: '1',
});

interface Received {
  status: number;
  headers: Record<string, unknown>;
  body: string;
  /** The process that has handled the request. */
  pid: number;
}

/** Sends requests to a gateway of several processes, and finds out by the log which of them has handled each. */
class Sender {
  private lastId = 0;

  constructor(
    private readonly gateway: Gateway,
    readonly url: string,
  ) {}

  /** Without an agent each request has a connection of its own. */
  async send(
    method: string,
    path: string,
    { agent, body, token, address = '198.51.100.1' }: SendOptions = {},
  ): Promise<Received> {
    const id = `sent-${++this.lastId}`;
    const headers = {
      'x-request-id': id,
      'x-forwarded-for': address,
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const received = await new Promise<Omit<Received, 'pid'>>((resolve, reject) => {
      request(`${this.url}${path}`, { agent: agent ?? false, method, headers }, async (response) => {
        const text = (await response.setEncoding('utf8').toArray()).join('');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
      })
        .on('error', reject)
        .end(body && JSON.stringify(body));
    });
    const [, pid] = await this.gateway.says(new RegExp(`"pid":(\\d+)[^\\n]*"requestId":"${id}"`));
    return { ...received, pid: Number(pid) };
  }

  async graphql(document: string, token: string): Promise<Record<string, { id: string; key: string }>> {
    const { body } = await this.send('POST', '/graphql', { body: { query: document }, token });
    const { data, errors } = JSON.parse(body);
    expect(errors).toBe(undefined);
    return data;
  }

  async token(account: object): Promise<string> {
    return JSON.parse((await this.send('POST', '/dev/token', { body: account })).body).accessToken;
  }

  /** An app of the catalog. */
  async anApp(): Promise<{ id: string; slug: string }> {
    return JSON.parse((await this.send('GET', '/api/apps')).body).apps[0];
  }

  /** A connection to each process. */
  async connections(): Promise<Map<number, Agent>> {
    const agents = new Map<number, Agent>();
    while (agents.size < 2) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const { pid } = await this.send('GET', '/api/apps', { agent });
      agents.set(pid, agent);
    }
    return agents;
  }
}
interface SendOptions {
  agent?: Agent;
  body?: object;
  token?: string;
  address?: string;
}

describe('WEB_CONCURRENCY=2 (D254)', () => {
  let admin: string;
  let developer: string;
  const gateway = beforeTests(() => start({ SEED: 'demo', RATE_LIMITS: 'public=100,read=60000' }));
  const sender = beforeTests(async () => new Sender(gateway, await gateway.url()));
  beforeAll(async () => {
    admin = await sender.token({ accountUserId: 'concurrent-admin', admin: true });
    developer = await sender.token({ accountUserId: 'concurrent-developer' });
  });

  it('serves requests on one port in two processes, which accept the same tokens', async () => {
    const pids = new Set<number>();
    for (let i = 0; i < 10; i += 1) {
      const { status, pid } = await sender.send('POST', '/graphql', {
        body: { query: '{ viewer { accountUserId } }' },
        token: developer,
      });
      expect(status).toBe(200);
      pids.add(pid);
    }
    expect([...pids]).toHaveLength(2);
    expect(pids).not.toContain(gateway.process.pid);
    expect(gateway.output()).toMatch(/Processes +2/);
  });

  it('rejects a revoked key in both at once, and runs the jobs in one', async () => {
    const registered = await sender.graphql(
      'mutation { registerDeveloper(input: { accountUserId: "concurrent-developer", name: "Two", email: "two@example.com" }) { id } }',
      developer,
    );
    await sender.graphql(
      `mutation { verifyDeveloper(id: "${registered.registerDeveloper!.id}") { id } }`,
      admin,
    );
    const { createApiKey: created } = await sender.graphql(
      'mutation { createApiKey(input: { name: "Two", scopes: [APP_READ] }) { id key } }',
      developer,
    );
    const agents = await sender.connections();
    const use = async () =>
      Promise.all(
        [...agents.values()].map(async (agent) => {
          const { status } = await sender.send('GET', '/api/dev/apps', { agent, token: created!.key });
          return status;
        }),
      );
    expect(await use()).toEqual([200, 200]);
    await sender.graphql(`mutation { revokeApiKey(id: "${created!.id}") { id } }`, developer);
    expect(await use()).toEqual([401, 401]);
    await until(
      async () =>
        (await query(database.url, "select from mails where recipient = 'two@example.com'")).length > 0,
      'no mail was stored',
    );
  });

  it('shows a change of the catalog in both, and reports it on streams of both', async () => {
    const agents = await sender.connections();
    const { id, slug } = await sender.anApp();
    const nameOf = async (agent: Agent) =>
      JSON.parse((await sender.send('GET', `/api/apps/${slug}`, { agent, address: '198.51.100.2' })).body)
        .name;
    const streams = await Promise.all(
      [1, 2].map(() => Live.to(sender.url, { query: 'subscription { catalogChanged { slug } }' })),
    );
    for (const agent of agents.values()) expect(await nameOf(agent)).not.toBe('Seen by both');
    await sender.graphql(
      `mutation { editApp(id: "${id}", input: { name: "Seen by both", reason: "A test." }) { id } }`,
      admin,
    );
    for (const agent of agents.values())
      await until(
        async () => (await nameOf(agent)) === 'Seen by both',
        'a process shows the former name',
        1_000,
      );
    for (const stream of streams) {
      await stream.expectNext({ data: { catalogChanged: { slug } } });
      stream.close();
    }
  });

  it('counts together against the limits: exactly as many as one process would allow (D255)', async () => {
    const address = '203.0.113.1';
    const received = await atOnce(150, () => sender.send('GET', '/api/apps', { address }));
    expect(new Set(received.map(({ pid }) => pid)).size).toBe(2);
    expect(received.filter(({ status }) => status === 200)).toHaveLength(100);
    expect(received.filter(({ status }) => status === 429)).toHaveLength(50);
    const remaining = received.map(({ headers }) => Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1]));
    expect(Math.max(...remaining)).toBe(99);
    // A client with one connection has the whole limit too.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let allowed = 0;
    while ((await sender.send('GET', '/api/apps', { agent, address: '203.0.113.2' })).status === 200)
      allowed += 1;
    expect(allowed).toBe(100);
  });

  it('reports every metric once for both, and adds up what each has (D270)', async () => {
    const text = await (await fetch(`${sender.url}/metrics`)).text();
    const typed = [...text.matchAll(/^# TYPE (marketplace_\w+)/gm)].map(([, name]) => name);
    // Without replicas those of replicas have no samples, and are left out.
    const isAlone = (name: string) => !name.startsWith('marketplace_replica_');
    expect(typed.filter((name) => isAlone(name!)).sort()).toEqual(
      [...documentedMetrics().keys()].filter(isAlone).sort(),
    );
    const value = (series: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.split(' ')[1],
      );
    expect(value('marketplace_database_connections{pool="reads",state="max"}')).toBe(2 * 8);
    expect(value('marketplace_database_connections{pool="installs",state="max"}')).toBe(2 * 2);
    expect(value('marketplace_streams_max')).toBe(2 * 1_000);
    expect(value('marketplace_cache_entries')).toBeGreaterThan(0);
    expect(value('marketplace_database_ready')).toBe(1);
    expect(value('marketplace_listener_connected')).toBe(1);
    expect(value('marketplace_jobs_oldest_seconds{queue="notifications"}')).toBeGreaterThanOrEqual(0);
  });

  it('reports the metrics of both with one request', async () => {
    const read = async () => {
      // From this machine only, and so without the header of a proxy.
      const text = await (await fetch(`${sender.url}/metrics`)).text();
      return Number(
        /marketplace_requests_total\{door="rest",operation="app",code="OK"\} (\d+)/.exec(text)?.[1] ?? 0,
      );
    };
    const before = await read();
    const agents = await sender.connections();
    const { slug } = await sender.anApp();
    for (const agent of agents.values()) {
      const { status } = await sender.send('GET', `/api/apps/${slug}`, { agent, address: '198.51.100.3' });
      expect(status).toBe(200);
    }
    expect((await read()) - before).toBe(2);
  });

  it('reports the metrics of the other one while a process is frozen', async () => {
    const [[frozen], [, agent]] = [...(await sender.connections())] as [[number, Agent], [number, Agent]];
    process.kill(frozen, 'SIGSTOP');
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        get(`${sender.url}/metrics`, { agent }, resolve).on('error', reject);
      });
      expect(await text(response)).toMatch(/^marketplace_streams_max 1000$/m);
    } finally {
      process.kill(frozen, 'SIGCONT');
    }
  });

  it('replaces a process that is killed, and the requests of the other do not notice', async () => {
    const agents = await sender.connections();
    const [[killed], [survivor, agent]] = [...agents] as [[number, Agent], [number, Agent]];
    process.kill(killed, 'SIGKILL');
    await gateway.says(new RegExp(`"endedPid":${killed},"reason":"SIGKILL"`));
    const pids = new Set<number>();
    const isReplaced = () => [...pids].some((pid) => pid !== survivor);
    for (let i = 0; i < 2_000 && !isReplaced(); i += 1) {
      const address = `192.0.2.${i % 250}`;
      const kept = await sender.send('GET', '/api/apps', { agent, address });
      expect([kept.status, kept.pid]).toEqual([200, survivor]);
      const opened = await sender.send('GET', '/api/apps', { address });
      expect(opened.status).toBe(200);
      pids.add(opened.pid);
    }
    expect(isReplaced()).toBe(true);
    expect(pids).not.toContain(killed);
  });

  it('ends all processes on SIGTERM', async () => {
    const pids = [...(await sender.connections()).keys()];
    expect(await gateway.end()).toBe(0);
    expect(gateway.output().match(/Stopping|Stopped/g)).toEqual(['Stopping', 'Stopped']);
    for (const pid of pids) expect(await isAlive(pid)).toBe(false);
  });
});

describe('the primary process (D254)', () => {
  it('alone announces a Ctrl-C, which the terminal sends to all', async () => {
    const gateway = start({});
    const sender = new Sender(gateway, await gateway.url());
    const pids = [...(await sender.connections()).keys()];
    for (const pid of [gateway.process.pid!, ...pids]) process.kill(pid, 'SIGINT');
    expect(await gateway.ended).toBe(0);
    expect(gateway.output().match(/Stopping|Stopped/g)).toEqual(['Stopping', 'Stopped']);
  });

  it('leaves no process behind when it is killed', async () => {
    const gateway = start({});
    const sender = new Sender(gateway, await gateway.url());
    const pids = [...(await sender.connections()).keys()];
    gateway.process.kill('SIGKILL');
    for (const pid of pids)
      await until(
        async () => !(await isAlive(pid)),
        () => `${pid} is still there`,
      );
  });

  it('says once that the port is taken, and exits with 1', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const gateway = start({ PORT: String(port) });
    expect(await gateway.ended).toBe(1);
    other.close();
    expect(gateway.output()).toBe(
      `Port ${port} on 127.0.0.1 is already taken: stop the program that has it, or set PORT to another.\n`,
    );
  });

  it('says once that the database cannot be used, and exits with 1', async () => {
    const gateway = start({ DATABASE_URL: 'postgres://someone@127.0.0.1:1/none' });
    expect(await gateway.ended).toBe(1);
    expect(gateway.output()).toMatch(/^The database none on 127\.0\.0\.1:1 cannot be used .*\n$/);
  });
});

import { Agent, request } from 'node:http';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { query } from '../startup/stage.js';
import { beforeTests } from '../support/before-tests.js';
import { createTestDatabase } from '../support/database.js';
import { type ClusterGateway, startGateway } from './support/gateways.js';
import { freePorts, isShort, type RunningProgram, say, startProgram } from './support/processes.js';
import { pathOf } from './support/programs.js';

const REQUESTS_PER_SECOND = 300;
const TICK_MS = 20;
const configuration = resolve(import.meta.dirname, '../../ops/haproxy.cfg');

let gateways: [ClusterGateway, ClusterGateway];
let proxy: RunningProgram;
let url: string;
let token: string;
let slug: string;

const database = beforeTests(createTestDatabase);
beforeAll(async () => {
  const [port = 0] = await freePorts(1);
  url = `http://127.0.0.1:${port}`;
  const settings = {
    DATABASE_URL: database.url,
    PUBLIC_URL: url,
    TRUST_PROXY: '1',
    DRAIN_SECONDS: '6',
    SEED: 'demo',
  };
  gateways = [await startGateway('rolling-a', settings), await startGateway('rolling-b', settings)];
  const [a, b] = gateways.map((gateway) => new URL(gateway.url).host) as [string, string];
  proxy = startProgram('rolling-haproxy', pathOf('haproxy'), ['-db', '-f', configuration], {
    env: { BIND: `127.0.0.1:${port}`, GATEWAY_A: a, GATEWAY_B: b },
  });
  await reachable();
  const account = await send('POST', '/dev/token', { accountUserId: 'demo-developer' });
  token = JSON.parse(account.body).accessToken;
  slug = JSON.parse((await send('GET', '/api/apps')).body).apps[0].slug;
});
afterAll(async () => {
  for (const program of [proxy, ...gateways.map((gateway) => gateway.program())])
    await program.end('SIGKILL');
  await database.drop();
});

async function reachable(): Promise<void> {
  while (proxy.isRunning())
    if (
      await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
  throw new Error(`HAProxy has ended:\n${proxy.output()}`);
}

const agent = new Agent({ keepAlive: true, maxSockets: 100 });

/** Sends a request with Node's own client, which repeats nothing. */
function send(method: string, path: string, body?: object): Promise<{ status: number; body: string }> {
  return new Promise((done, failed) => {
    const headers = {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    };
    request(`${url}${path}`, { agent, method, headers }, async (response) => {
      try {
        const text = (await response.setEncoding('utf8').toArray()).join('');
        done({ status: response.statusCode ?? 0, body: text });
      } catch (error) {
        failed(error);
      }
    })
      .on('error', failed)
      .end(body && JSON.stringify(body));
  });
}

/** Sends requests at a steady rate, however long each takes, until `stop`. */
class Load {
  readonly failures: string[] = [];
  readonly created = new Set<string>();
  sent = 0;
  private readonly pending = new Set<Promise<void>>();
  private readonly startedAt = performance.now();
  private readonly timer = setInterval(() => this.catchUp(), TICK_MS);

  async stop(): Promise<number> {
    clearInterval(this.timer);
    const seconds = (performance.now() - this.startedAt) / 1000;
    await Promise.all(this.pending);
    return seconds;
  }

  private catchUp(): void {
    const due = ((performance.now() - this.startedAt) / 1000) * REQUESTS_PER_SECOND;
    while (this.sent < due) {
      const work = this.sendOne(this.sent).catch((error: unknown) => void this.failures.push(String(error)));
      this.sent += 1;
      this.pending.add(work);
      work.finally(() => this.pending.delete(work));
    }
  }

  private async sendOne(number: number): Promise<void> {
    const [method, path, body, expected] = requestOf(number);
    const response = await send(method, path, body);
    if (response.status !== expected || response.body.includes('"errors"'))
      throw new Error(`${method} ${path}: ${response.status} ${response.body.slice(0, 200)}`);
    if (path === '/graphql' && number % 10 === 9)
      this.created.add(JSON.parse(response.body).data.createApp.id);
  }
}

/** Of ten requests six read the catalog, one asks GraphQL, two record an install, and one creates an app. */
function requestOf(number: number): [method: string, path: string, body: object | undefined, status: number] {
  switch (number % 10) {
    case 9:
      return ['POST', '/graphql', { query: creation, variables: { name: `Rolling ${number}` } }, 200];
    case 8:
    case 4:
      return ['POST', `/api/apps/${slug}/install`, {}, 201];
    case 7:
      return ['POST', '/graphql', { query: '{ me { id } }' }, 200];
    case 5:
      return ['GET', `/api/apps?search=app${number}`, undefined, 200];
    case 2:
      return ['GET', `/api/apps/${slug}`, undefined, 200];
    default:
      return ['GET', '/api/apps', undefined, 200];
  }
}

const creation = `mutation ($name: String!) {
  createApp(input: { name: $name, description: "Created during a restart.", category: DEVELOPER_TOOLS, environment: production }) { id }
}`;

/** Stops a gateway as a deployment does, starts it again, and waits until HAProxy uses it. */
async function replace(gateway: ClusterGateway, name: string): Promise<void> {
  const words = `Server gateways/${name} is UP`;
  const times = proxy.output().split(words).length;
  await gateway.restart('SIGTERM');
  await proxy.says(new RegExp(`(?:${words}[^]*){${times}}`));
}

describe('a rolling restart of two gateways behind HAProxy, at 300 requests a second (D252)', () => {
  it('fails no request, and loses no app that was created', async () => {
    const load = new Load();
    const rounds = isShort() ? 1 : 3;
    for (let round = 1; round <= rounds; round += 1) {
      await replace(gateways[0], 'a');
      await replace(gateways[1], 'b');
      say(`round ${round} of ${rounds}: ${load.sent} requests, ${load.failures.length} failed`);
    }
    const seconds = await load.stop();
    say(
      `${rounds * 2} restarts, ${load.sent} requests in ${seconds.toFixed(0)} s (${Math.round(load.sent / seconds)} a second), ${load.failures.length} failed`,
    );
    expect(load.failures.slice(0, 10)).toEqual([]);
    expect(load.sent / seconds).toBeGreaterThan(REQUESTS_PER_SECOND * 0.95);
    const stored = await query(database.url, "select id from apps where name like 'Rolling %'");
    expect(stored.map(({ id }) => id).sort()).toEqual([...load.created].sort());
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildGraphQLSchema } from '../../src/graphql/schema.js';
import { type Gateway, startGateway } from '../startup/gateway.js';
import type { AppJson } from '../support/actors.js';
import { ApiClient } from '../support/api-client.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { buildOnce } from '../support/database.js';
import { aFolder } from '../support/folder.js';
import { until } from '../support/mail-server.js';
import { type Service, secondGateway, startService } from '../support/service.js';
import { callers, fifty, racing } from './race.js';

interface Response {
  status: number;
  text: string;
  isReplayed: boolean;
}

async function install(
  client: ApiClient,
  slug: string,
  key: string,
  body: object | null = null,
): Promise<Response> {
  const response = await client.request('POST', `/api/apps/${slug}/install`, {
    ...(body && { body }),
    headers: { 'idempotency-key': key },
  });
  const isReplayed = response.headers.get('idempotent-replayed') === 'true';
  return { status: response.status, text: await response.text(), isReplayed };
}

describe('fifty at once, installing one app with Idempotency-Keys on two gateways', () => {
  const service = duringTests(startService);
  const second = duringTests(() => secondGateway(service));
  const { holdRows } = racing(service);
  const ada = beforeTests(() => service.aDeveloper());
  const anApp = () => service.anApp(ada, 'APPROVED');
  const at = (index: number) => (index % 2 ? service : second).client;
  const counted = async ({ id }: AppJson) => {
    const [row] = await service.sql<{ count: number; rows: number }>(
      `select install_count as count, (select count(*)::int from installations where app_id = f.id) as rows
       from app_figures f where id = $1`,
      [id],
    );
    return row;
  };

  it.each([1, 2, 3])(
    'with ten keys: each key counts once and has one response (round %i) (D35)',
    async () => {
      const app = await anApp();
      const responses = await Promise.all(fifty((i) => install(at(i), app.slug, `key ${i % 10}`)));
      expect(await counted(app)).toEqual({ count: 10, rows: 10 });
      for (let key = 0; key < 10; key += 1) {
        const same = responses.filter((_, i) => i % 10 === key);
        const successes = same.filter(({ status }) => status === 201);
        expect(successes.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
        expect(new Set(successes.map(({ text }) => text)).size).toBe(1);
        expect(same.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
        const again = await install(at(key), app.slug, `key ${key}`);
        expect(again).toEqual({ status: 201, text: successes[0]!.text, isReplayed: true });
      }
    },
  );

  it('with a key each and five installationIds: the later ones are told that they are not new, also when repeated (D30, D35)', async () => {
    const app = await anApp();
    const send = (i: number) =>
      install(at(i), app.slug, `each ${i}`, { installationId: `one of five ${i % 5}` });
    const first = await Promise.all(fifty(send));
    expect(await counted(app)).toEqual({ count: 5, rows: 5 });
    expect(first.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(first.filter(({ status }) => status === 200)).toHaveLength(callers - 5);
    const repeated = await Promise.all(fifty((i) => send(i + 1)));
    expect(repeated.slice(0, -1)).toEqual(
      first.slice(1).map((response) => ({ ...response, isReplayed: true })),
    );
  });

  it('is in progress while the app is held, is a conflict with another body, and expires (D35)', async () => {
    const app = await anApp();
    const release = await holdRows('select from app_figures where id = $1 for update', [app.id]);
    const first = install(service.client, app.slug, 'held');
    try {
      await until(
        async () => (await install(service.client, app.slug, 'held')).text.includes('in_progress'),
        'the first request is not running',
      );
    } finally {
      await release();
    }
    const { status, text } = await first;
    expect(status).toBe(201);
    expect(await install(second.client, app.slug, 'held')).toEqual({ status, text, isReplayed: true });
    const other = await install(second.client, app.slug, 'held', { version: '2' });
    expect([other.status, other.text.includes('other_body')]).toEqual([409, true]);
    await service.sql(
      "update stored_responses set created_at = created_at - interval '1 day' where body = $1",
      [text],
    );
    const later = await install(second.client, app.slug, 'held', { version: '2' });
    expect(later).toMatchObject({ status: 201, isReplayed: false });
    expect(await counted(app)).toEqual({ count: 2, rows: 2 });
  });

  it('of many apps, with old keys, new keys, old keys with another body and unknown apps in the same batches', async () => {
    const apps = await Promise.all(Array.from({ length: 5 }, anApp));
    const old = (i: number) => install(at(i), apps[i % 5]!.slug, `old ${i}`, { version: '1' });
    const before = await Promise.all(fifty(old));
    expect(before.filter(({ status }) => status !== 201)).toEqual([]);
    const [repeated, fresh, other, unknown] = await Promise.all([
      Promise.all(fifty((i) => old(i))),
      Promise.all(fifty((i) => install(at(i), apps[i % 5]!.slug, `new ${i}`, { version: '1' }))),
      Promise.all(fifty((i) => install(at(i + 1), apps[i % 5]!.slug, `old ${i}`, { version: '2' }))),
      Promise.all(fifty((i) => install(at(i), 'not-there', `old ${i}`, { version: '1' }))),
    ]);
    // Both come with the same key, so at one gateway one of them may find the other in progress.
    const isInProgress = ({ status, text }: Response) => status === 409 && text.includes('in_progress');
    for (const [i, response] of repeated.entries())
      if (!isInProgress(response)) expect(response).toEqual({ ...before[i], isReplayed: true });
    for (const response of other)
      if (!isInProgress(response))
        expect([response.status, response.text.includes('other_body')]).toEqual([409, true]);
    expect(fresh.filter(({ status, isReplayed }) => status !== 201 || isReplayed)).toEqual([]);
    expect(unknown.filter(({ status }) => status !== 404)).toEqual([]);
    for (const app of apps)
      expect(await counted(app)).toEqual({ count: (2 * callers) / 5, rows: (2 * callers) / 5 });
  });

  it('stores nothing for an app that is not there (D35)', async () => {
    const before = await service.sql('select from stored_responses');
    expect(await install(service.client, 'not-there', 'none')).toMatchObject({ status: 404 });
    expect(await service.sql('select from stored_responses')).toHaveLength(before.length);
  });
});

describe('a gateway that is killed in the middle of installs with Idempotency-Keys', () => {
  let service: Service;
  let folder: string;
  let gateway: Gateway;
  beforeAll(async () => {
    await buildOnce();
    service = await startService();
    folder = await aFolder('killed-gateway-');
    gateway = startGateway({
      ...{ PORT: '0', DATABASE_URL: service.databaseUrl, DATA_DIR: folder },
      ...{ WORKER: 'off', WEB: 'off', RATE_LIMITS: 'off' },
    });
    // It may have to build first.
  }, 120_000);
  afterAll(async () => {
    await gateway.end('SIGKILL');
    await service.close();
  });

  it('has counted what it acknowledged, and repeated at another gateway every key counts once (D35)', async () => {
    const app = await service.anApp(await service.aDeveloper(), 'APPROVED');
    const dying = new ApiClient(await gateway.url(), await buildGraphQLSchema());
    const acknowledged = new Map<string, string>();
    const sent = new Set<string>();
    const caller = async (index: number) => {
      for (let round = 0; ; round += 1) {
        const key = `${index} ${round}`;
        sent.add(key);
        const response = await install(dying, app.slug, key).catch(() => null);
        if (response?.status !== 201) return;
        acknowledged.set(key, response.text);
        if (acknowledged.size === 20 * callers) gateway.process.kill('SIGKILL');
      }
    };
    await Promise.all(fifty(caller));
    expect(acknowledged.size).toBeGreaterThanOrEqual(20 * callers);
    // By fifty at a time: a thousand connections to this process at once would time out on a busy machine.
    const keys = sent.values();
    const repeat = async () => {
      for (const key of keys) {
        const { status, text, isReplayed } = await install(service.client, app.slug, key);
        expect(status).toBe(201);
        if (acknowledged.has(key))
          expect({ text, isReplayed }).toEqual({ text: acknowledged.get(key), isReplayed: true });
      }
    };
    await Promise.all(fifty(repeat));
    const [row] = await service.sql<{ count: number }>(
      'select install_count as count from app_figures where id = $1',
      [app.id],
    );
    expect(row!.count).toBe(sent.size);
  });
});

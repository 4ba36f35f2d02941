import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { contract, type OperationName } from '../../src/contract.js';
import { buildGraphQLSchema } from '../../src/graphql/schema.js';
import type { AnyOperation } from '../../src/operations/operation.js';
import { objectType } from '../../src/rest/route.js';
import { type Act, actsOf } from '../modules/audit/acts.js';
import { subjectsOf } from '../modules/audit/subjects.js';
import type { Json } from '../support/actors.js';
import { beforeTests } from '../support/before-tests.js';
import { startService } from '../support/service.js';

let listener: Client;
let payloads: string[] = [];

const service = beforeTests(startService);
const ada = beforeTests(() => service.aDeveloper());
const scene = { service, ada };
beforeAll(async () => {
  listener = new Client({ connectionString: service.databaseUrl });
  listener.on('notification', ({ payload = '' }) => payloads.push(payload));
  await listener.connect();
  await listener.query('listen catalog');
});
afterAll(async () => {
  await listener.end();
  await service.close();
});

/** Returns the notifications that the work causes. PostgreSQL sends pending ones before the result of a statement. */
async function notificationsOf(work: () => Promise<unknown>): Promise<string[]> {
  await listener.query('select');
  payloads = [];
  await work();
  await listener.query('select');
  return payloads;
}

describe('the public catalog', () => {
  const anEndpoint = async () => {
    const { id } = await service.must<Json>(
      'createWebhookEndpoint',
      { url: 'https://hooks.example/' },
      ada.token,
    );
    return { id };
  };
  const aDelivery = async () => {
    const { id } = await service.must<Json>('testWebhookEndpoint', await anEndpoint(), ada.token);
    return { id };
  };
  const { adminEndpoint } = subjectsOf(scene);
  const acts: Partial<Record<OperationName, Pick<Act, 'by' | 'on'>>> = {
    ...actsOf(scene),
    reportLeakedKey: { by: 'developer', on: async () => ({ key: await service.aKey(ada) }) },
    testWebhookEndpoint: { by: 'developer', on: anEndpoint },
    replayWebhookDelivery: { by: 'developer', on: aDelivery },
    testAdminWebhook: { by: 'administrator', on: adminEndpoint() },
    replayAdminWebhookDelivery: {
      by: 'administrator',
      on: async () => {
        const input = await adminEndpoint()();
        const { id } = await service.administer<Json>('testAdminWebhook', input);
        return { id };
      },
    },
  };
  const unchanging = (Object.entries(contract) as [OperationName, AnyOperation][])
    // These two need an identity of their own.
    .filter(([name]) => name !== 'registerDeveloper' && name !== 'exchangePublisherToken')
    .filter(([, { catalog }]) => catalog === 'none')
    .map(([name]) => name);

  it.each(unchanging)('is not changed by %s, as the contract says', async (name) => {
    const act = acts[name]!;
    const input = await act.on();
    const bearer = act.by === 'administrator' ? await service.admin() : ada.token;
    expect(await notificationsOf(() => service.must(name, input, bearer))).toEqual([]);
  });

  it.each([
    'approveApp',
    'suspendApp',
    'restoreApp',
    'featureApp',
    'editApp',
    'approveAppVersion',
    'suspendDeveloper',
    'reinstateDeveloper',
  ] as const)('is changed by %s, with one notification in its transaction', async (name) => {
    const act = acts[name]!;
    const input = await act.on();
    const bearer = act.by === 'administrator' ? await service.admin() : ada.token;
    expect(await notificationsOf(() => service.must(name, input, bearer))).toEqual(['listings']);
  });

  it('is not changed by registerDeveloper, as the contract says', async () => {
    expect(await notificationsOf(() => service.aDeveloper())).toEqual([]);
  });

  it.each(['updateMe', 'rateApp', 'removeRating', 'replyToRating', 'hideRating', 'unhideRating'] as const)(
    'is changed by %s, with one notification of a change that may be gathered (D350)',
    async (name) => {
      const act = acts[name]!;
      const input = await act.on();
      const bearer = act.by === 'administrator' ? await service.admin() : ada.token;
      expect(await notificationsOf(() => service.must(name, input, bearer))).toEqual(['counts']);
    },
  );

  it('has a notification of changed counts for an install (D30)', async () => {
    const { slug } = await service.anApp(ada, 'APPROVED');
    expect(await notificationsOf(() => service.must('recordInstall', { slug }))).toEqual(['counts']);
  });

  it('has no notification if the transaction is rolled back', async () => {
    const { id } = await service.anApp(ada, 'APPROVED');
    const failing = `begin; update apps set name = 'x' where id = '${id}'; rollback`;
    expect(await notificationsOf(() => service.sql(failing))).toEqual([]);
  });
});

describe('the cached operations', () => {
  it('are public queries, whose result does not depend on the caller', () => {
    const cached = (Object.values(contract) as AnyOperation[]).filter((operation) => operation.cached);
    expect(cached.length).toBeGreaterThan(3);
    for (const { kind, policy } of cached)
      expect({ kind, policy: policy.kind }).toEqual({ kind: 'query', policy: 'anyone' });
  });
});

describe('the triggers', () => {
  const columnsOf = async (trigger: string) => {
    const rows = await service.sql<{ name: string }>(
      `select a.attname as name from pg_trigger t join pg_attribute a on a.attrelid = t.tgrelid
       where t.tgname = $1 and a.attnum = any(t.tgattr)`,
      [trigger],
    );
    return rows.map(({ name }) => name).toSorted();
  };

  it('cover every column of apps, and installs separately', async () => {
    // No list of columns: every update.
    expect(await columnsOf('apps_announce')).toEqual([]);
    expect(await columnsOf('app_figures_announce_count')).toEqual(['install_count']);
    const { id } = await service.anApp(ada, 'APPROVED');
    const update = (assignment: string) =>
      notificationsOf(() => service.sql(`update apps set ${assignment} where id = '${id}'`));
    expect(await update('review_count = 7')).toEqual(['counts']);
    expect(await update("oauth_client_id = 'other'")).toEqual(['listings']);
    expect(await update("oauth_client_id = 'both', review_count = 8")).toEqual(['listings']);
    expect(await update('review_count = 8')).toEqual([]);
  });

  it('cover every public field of a developer', async () => {
    const fields = Object.keys(objectType(await buildGraphQLSchema(), 'PublicDeveloper').getFields());
    // These never change, or come from the apps or from the status.
    const ofApps = ['apps', 'appCount', 'averageRating', 'installCount', 'reviewCount'];
    const derived = ['id', 'nodeId', 'memberSince', 'verified', ...ofApps];
    const columns = fields
      .filter((field) => !derived.includes(field))
      .map((field) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    expect(await columnsOf('developers_announce')).toEqual([...columns, 'status'].toSorted());
  });
});

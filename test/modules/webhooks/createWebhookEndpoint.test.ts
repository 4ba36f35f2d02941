import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { addressTricks } from '../../net/address-tricks.js';
import { unique } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { duringTests } from '../../support/before-tests.js';
import { anId, aTime } from '../../support/matchers.js';
import { startTestProvider } from '../../support/oidc-provider.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { startService } from '../../support/service.js';
import { type IssuedJson, sharedWebhooks, startWebhooks } from './webhooks.js';

const logged: string[] = [];
// With the networks of production.
const hooks = duringTests(() =>
  startWebhooks(
    { allowedNetworks: [] },
    pino({ level: 'trace' }, { write: (line) => void logged.push(line) }),
  ),
);

const url = 'https://hooks.example/inbox';
const create = (input: Input, bearer: string | null) =>
  hooks.service.client.call<IssuedJson>('graphql', 'createWebhookEndpoint', input, bearer);

describe('createWebhookEndpoint', () => {
  it('creates an endpoint for all events, with a Standard Webhooks secret (D37)', async () => {
    const { token } = await hooks.service.anUnverifiedDeveloper();
    expect(expectSuccess(await create({ url }, token))).toEqual({
      id: anId,
      url,
      events: [],
      description: null,
      status: 'ENABLED',
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      formerSecretUntil: null,
      failingSince: null,
      disabledAt: null,
      disabledReason: null,
      createdAt: aTime,
      updatedAt: aTime,
    });
  });

  it('stores the chosen event types, each once, and the description (D37)', async () => {
    const { key } = await hooks.service.aDeveloper();
    const events = ['app.approved', 'app.rejected', 'app.approved'];
    const { data } = await create({ url, events, description: ' For the team ' }, key);
    expect(data).toMatchObject({ events: ['app.approved', 'app.rejected'], description: 'For the team' });
    expect((await create({ url, events: null, description: null }, key)).data).toMatchObject({
      events: [],
      description: null,
    });
  });

  it('lists every problem at once (D7, D37)', async () => {
    const { token } = await hooks.service.anUnverifiedDeveloper();
    const input = { url: 'http://10.0.0.1/', events: ['app.approved', 'app.*', 'nonsense'] };
    expectError(await create({ ...input, description: 'x'.repeat(201) }, token), 'VALIDATION_FAILED', [
      'url: not_public',
      'events.1: invalid_value',
      'events.2: invalid_value',
      'description: too_long',
    ]);
    expectError(await create({ url: 'nowhere' }, token), 'VALIDATION_FAILED', ['url: invalid_url']);
    expectError(await create({ url: 'ftp://hooks.example/' }, token), 'VALIDATION_FAILED', [
      'url: invalid_url',
    ]);
    expectError(await create({ url: 'https://me:secret@hooks.example/' }, token), 'VALIDATION_FAILED', [
      'url: invalid_url',
    ]);
  });

  it('refuses every address that is not public, however it is written (D37)', async () => {
    const { token } = await hooks.service.anUnverifiedDeveloper();
    const passed: string[] = [];
    for (const { url: address } of [...addressTricks(8080), { url: 'https://hooks.example:22/' }])
      if ((await create({ url: address }, token)).code !== 'VALIDATION_FAILED') passed.push(address);
    expect(passed).toEqual([]);
  });

  it.each([
    'http://127.0.0.1:8080/',
    'https://127.0.0.2/',
    'http://[::1]:8080/',
    'http://localhost:8080/hooks',
    'http://hooks.localhost/',
  ])('accepts %s in development (D164)', async (address) => {
    const { service } = await sharedWebhooks();
    const { token } = await service.anUnverifiedDeveloper();
    expectSuccess(await service.client.call('graphql', 'createWebhookEndpoint', { url: address }, token));
  });

  it.each(['http://10.0.0.1/', 'http://169.254.169.254/', 'http://0.0.0.0/', 'http://vault.internal/'])(
    'refuses %s in development too (D164)',
    async (address) => {
      const { service } = await sharedWebhooks();
      const { token } = await service.anUnverifiedDeveloper();
      const input = { url: address };
      const outcome = await service.client.call('graphql', 'createWebhookEndpoint', input, token);
      expectError(outcome, 'VALIDATION_FAILED', ['url: not_public']);
    },
  );

  it('accepts the old types by names with an underscore, and shows the names that are sent (D37)', async () => {
    const { token } = await hooks.service.anUnverifiedDeveloper();
    const events = ['developer.email_changed', 'review.message_received', 'developer.email-changed'];
    const { data } = await create({ url, events }, token);
    expect(data?.events).toEqual(['developer.email-changed', 'review.message-received']);
    expectError(await create({ url, events: ['app-approved'] }, token), 'VALIDATION_FAILED', [
      'events.0: invalid_value',
    ]);
  });

  it('creates at most ten per developer, of fifty concurrent calls (D51)', async () => {
    const ada = await hooks.service.anUnverifiedDeveloper();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => create({ url }, ada.token)));
    expect(outcomes.filter(({ code }) => code === null)).toHaveLength(10);
    for (const refused of outcomes.filter(({ code }) => code !== null))
      expectError(refused, 'VALIDATION_FAILED', [': too_many']);
    const [{ id }] = outcomes.flatMap(({ data }) => (data ? [data] : [])) as [IssuedJson];
    await hooks.service.client.must('deleteWebhookEndpoint', { id }, ada.token);
    expectSuccess(await create({ url }, ada.token));
    expectSuccess(await create({ url }, (await hooks.service.anUnverifiedDeveloper()).token));
  });

  it('shows the secret once: no other response, no other table and no log contains it (D37)', async () => {
    const { ada, id, secret: first } = await hooks.anEndpoint();
    const rotated = await hooks.service.client.must<IssuedJson>('rotateWebhookSecret', { id }, ada.token);
    await hooks.anEvent(ada);
    const delivery = await hooks.delivery(ada, id, (each) => each.status === 'DELIVERED');
    const answers = [];
    for (const [name, input] of [
      ['myWebhookEndpoints', {}],
      ['updateWebhookEndpoint', { id, description: 'Again' }],
      ['enableWebhookEndpoint', { id }],
      ['testWebhookEndpoint', { id }],
      ['replayWebhookDelivery', { id: delivery.id }],
      ['webhookDeliveries', { endpointId: id }],
      ['events', {}],
    ] as const)
      answers.push(JSON.stringify(await hooks.service.client.must(name, input, ada.token)));
    const stored = await rowsOfAllTablesBut('public.webhook_endpoints');
    const everything = [...answers, ...stored, ...logged].join('\n');
    expect(everything).toContain(delivery.eventId);
    for (const secret of [first, rotated.secret]) {
      for (let from = 'whsec_'.length; from + 12 <= secret.length; from += 1)
        expect(everything).not.toContain(secret.slice(from, from + 12));
    }
  });

  it('accepts in production only https, and of private addresses only those in WEBHOOK_ALLOW (D164)', async () => {
    const provider = await startTestProvider();
    const production = await startService({
      NODE_ENV: 'production',
      OIDC_ISSUER: provider.issuer,
      WEBHOOK_ALLOW: '10.20.0.0/16, fd12::/16',
    });
    try {
      const accountUserId = unique('account');
      const token = await provider.token(accountUserId);
      const profile = { accountUserId, name: 'Ada', email: `${accountUserId}@example.com` };
      await production.client.must('registerDeveloper', profile, token);
      const ask = (address: string) =>
        production.client.call('graphql', 'createWebhookEndpoint', { url: address }, token);
      expectError(await ask('http://hooks.example/'), 'VALIDATION_FAILED', ['url: https_required']);
      expectError(await ask('http://10.20.3.4/'), 'VALIDATION_FAILED', ['url: https_required']);
      for (const address of ['hooks.example', '10.20.3.4', '[fd12::1]', 'hooks.internal', 'hooks'])
        expectSuccess(await ask(`https://${address}/`));
      for (const address of ['10.21.0.1', '127.0.0.1', 'localhost', '169.254.169.254', '[::ffff:10.20.3.4]'])
        expectError(await ask(`https://${address}/`), 'VALIDATION_FAILED', ['url: not_public']);
    } finally {
      await production.close();
      await provider.close();
    }
  });
});

async function rowsOfAllTablesBut(own: string): Promise<string[]> {
  const tables = await hooks.service.sql<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  expect(tables.map(({ name }) => name)).toContain(own);
  const rows = [];
  for (const { name } of tables.filter((table) => table.name !== own))
    rows.push(
      ...(await hooks.service.sql<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t`)),
    );
  return rows.map(({ row }) => row);
}

describe('event types as enums', () => {
  const fields = 'id events eventKinds';

  it('are accepted beside the strings, and shown beside them (D150)', async () => {
    const { token } = await hooks.service.anUnverifiedDeveloper();
    const { createWebhookEndpoint: created } = await hooks.service.client.queryData<
      Record<string, { id: string }>
    >(
      `mutation { createWebhookEndpoint(input: { url: "${url}", events: ["app.approved"],
        eventKinds: [APP_APPROVED, DEVELOPER_EMAIL_CHANGED] }) { ${fields} } }`,
      {},
      token,
    );
    const both = { id: created!.id, events: ['app.approved', 'developer.email-changed'] };
    expect(created).toEqual({ ...both, eventKinds: ['APP_APPROVED', 'DEVELOPER_EMAIL_CHANGED'] });
    const update = async (input: string) =>
      (
        await hooks.service.client.queryData<Record<string, unknown>>(
          `mutation { updateWebhookEndpoint(id: "${created!.id}", input: { ${input} }) { ${fields} } }`,
          {},
          token,
        )
      ).updateWebhookEndpoint;
    expect(await update('description: "Mine"')).toMatchObject(both);
    expect(await update('eventKinds: [KEY_LEAKED]')).toMatchObject({
      events: ['key.leaked'],
      eventKinds: ['KEY_LEAKED'],
    });
    expect(await update('eventKinds: null')).toMatchObject({ events: [], eventKinds: [] });
  });

  it('include neither unpublished kinds nor the test, whose delivery has none (D150)', async () => {
    const { token } = await hooks.service.anUnverifiedDeveloper();
    for (const kind of ['APP_UPDATED', 'WEBHOOK_TEST', 'nonsense']) {
      const { errors } = await hooks.service.client.graphql(
        `mutation { createWebhookEndpoint(input: { url: "${url}", eventKinds: [${kind}] }) { id } }`,
        {},
        token,
      );
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'VALIDATION_FAILED' });
    }
    const { data } = await create({ url }, token);
    const { testWebhookEndpoint: delivery } = await hooks.service.client.queryData<Record<string, unknown>>(
      `mutation { testWebhookEndpoint(id: "${data.id}") { type eventKind } }`,
      {},
      token,
    );
    expect(delivery).toEqual({ type: 'webhook.test', eventKind: null });
  });
});

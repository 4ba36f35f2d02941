import { afterEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { Scope } from '../../src/auth/scope.js';
import type { Developer, Json } from '../support/actors.js';
import { linesOf } from '../support/audit.js';
import { duringTests } from '../support/before-tests.js';
import { until } from '../support/mail-server.js';
import { notificationsOf } from '../support/notifications.js';
import { expectError, expectSuccess } from '../support/outcomes.js';
import { startService } from '../support/service.js';
import { lastUndoUrl, post, profileOf, recipientsOf, tokenOf } from './stolen-key.js';

const service = duringTests(startService);
// Each test takes the same names, which only one verified developer can have (D325).
afterEach(() => service.sql("update developers set name = 'Somebody ' || id, company_name = null"));

const anEndpoint = (token: string) =>
  service.must<Json>('createWebhookEndpoint', { url: 'https://ada.example/hook' }, token);
const narrow = (developer: Developer) => service.anIssuedKey(developer, [Scope.ANALYTICS_READ]);

describe('a leaked key with a small right', () => {
  it('does not reach an endpoint through node, of which it has the id (D322)', async () => {
    const ada = await service.aDeveloper();
    const { nodeId } = await service.client
      .queryData<{ nodeId: string }>(
        'mutation { createWebhookEndpoint(input: { url: "https://ada.example/h" }) { nodeId: id } }',
        {},
        ada.token,
      )
      .then((data) => (data as never as { createWebhookEndpoint: { nodeId: string } }).createWebhookEndpoint);
    const endpoints = await service.client.queryData<{ myWebhookEndpoints: { nodeId: string }[] }>(
      '{ myWebhookEndpoints { nodeId } }',
      {},
      ada.token,
    );
    const ids = [nodeId, endpoints.myWebhookEndpoints[0]!.nodeId];
    for (const id of ids) {
      const { data } = await service.client.graphql(
        'query ($id: ID!) { node(id: $id) { ... on WebhookEndpoint { url } } }',
        { id },
        (await narrow(ada)).key,
      );
      expect(data?.node).toBeNull();
    }
  });
});

describe('a profile that a leaked key changes', () => {
  it('takes the change at once, and tells the former address how to undo it (D323)', async () => {
    const ada = await service.aDeveloper({ bio: 'x'.repeat(1500) });
    const { key, maskedKey } = await narrow(ada);
    const changes = { email: 'eve@evil.example', companyName: 'Eve', bio: 'I was here.' };
    expectSuccess(await service.client.call('rest', 'updateMe', changes, key));
    const mails = (await notificationsOf(service, ada.id)).filter(
      ({ kind }) => kind === 'developer.email-changed',
    );
    expect(mails.map(({ recipient, undoUrl }) => [recipient ?? 'former', typeof undoUrl])).toEqual([
      ['former', 'string'],
      ['eve@evil.example', 'undefined'],
    ]);
    const [page, done] = [
      await fetch(await lastUndoUrl(service, ada)),
      await post(await lastUndoUrl(service, ada)),
    ];
    expect([page.status, done.status]).toEqual([200, 200]);
    expect(await done.text()).toContain(String(maskedKey));
    expect(await profileOf(service, ada)).toMatchObject({
      email: ada.email,
      companyName: null,
      bio: 'x'.repeat(1500),
    });
    expectError(await service.client.call('rest', 'me', {}, key), 'API_KEY_REVOKED');
  });

  it('is not restored by a program that only opens the link (D323)', async () => {
    const ada = await service.aDeveloper();
    await service.must('updateMe', { name: 'Eve' }, (await narrow(ada)).key);
    const url = await lastUndoUrl(service, ada);
    for (const method of ['GET', 'HEAD', 'OPTIONS']) await fetch(url, { method });
    const page = await (await fetch(url)).text();
    expect(page.match(/<button/g)).toHaveLength(1);
    expect(page).not.toContain('<script');
    expect(await profileOf(service, ada)).toMatchObject({ name: 'Eve' });
  });

  it('changed with the account token is told without a link (D323)', async () => {
    const ada = await service.aDeveloper();
    await service.must('updateMe', { email: `new-${ada.email}`, name: 'Ada B' }, ada.token);
    await service.must('updateMe', { name: 'Ada C' }, ada.token);
    const mails = (await notificationsOf(service, ada.id)).filter(({ kind }) =>
      /updated|email/.test(String(kind)),
    );
    expect(mails.map(({ kind, undoUrl }) => [kind, undoUrl])).toEqual([
      ['developer.email-changed', undefined],
      ['developer.email-changed', undefined],
    ]);
  });

  it('does not write the token of the link into the audit log (D323)', async () => {
    const ada = await service.aDeveloper();
    const { key } = await narrow(ada);
    const lines = await linesOf(service, () => service.must('updateMe', { name: 'Eve' }, key));
    expect(lines.map(({ kind }) => kind)).toEqual(['developer.updated']);
    expect(JSON.stringify(lines)).not.toContain(await tokenOf(service, ada));
  });
});

describe('security mails', () => {
  it('go to the address before the first change by a key as well, for 30 days (D323)', async () => {
    const ada = await service.aDeveloper();
    const { key } = await service.anIssuedKey(ada);
    await service.must('updateMe', { email: 'one@evil.example' }, key);
    await service.must('updateMe', { email: 'two@evil.example' }, key);
    const child = await service.must<Json>('createApiKey', { name: 'c', scopes: ['APP_READ'] }, key);
    const { id } = await service.must<Json>('createWebhookEndpoint', { url: 'https://eve.example/' }, key);
    await service.must('updateWebhookEndpoint', { id, url: 'https://eve.example/2' }, key);
    await service.must('rotateWebhookSecret', { id }, key);
    await service.must('deleteWebhookEndpoint', { id }, key);
    await service.must('rotateApiKey', { id: child.id }, key);
    await service.must('reportLeakedKey', { key });
    const told = ['key.created', 'key.rotated', 'key.leaked', 'webhook.created', 'webhook.updated'];
    for (const kind of [...told, 'webhook.secret-rotated', 'webhook.deleted'])
      expect([kind, await recipientsOf(service, ada, kind)]).toEqual([
        kind,
        expect.arrayContaining(['developer', ada.email]),
      ]);
    // The second change tells the attacker's first address, the second one, and the owner, who can undo it.
    const secondChange = (await notificationsOf(service, ada.id)).filter(
      ({ kind, formerEmail }) => kind === 'developer.email-changed' && formerEmail === 'one@evil.example',
    );
    expect(secondChange.map(({ recipient, undoUrl }) => [recipient, typeof undoUrl])).toEqual([
      [undefined, 'string'],
      ['two@evil.example', 'undefined'],
      [ada.email, 'string'],
    ]);
  });

  it('do not go to an address from before the last 30 days, nor to one that the account has changed (D323)', async () => {
    const [ada, grace] = [await service.aDeveloper(), await service.aDeveloper()];
    await service.must('updateMe', { email: `x-${ada.email}` }, ada.key);
    await service.sql(
      "update profile_changes set created_at = created_at - interval '30 days 1 minute' where developer_id = $1",
      [ada.id],
    );
    await service.must('updateMe', { email: `x-${grace.email}` }, grace.token);
    for (const developer of [ada, grace]) {
      await service.anIssuedKey(developer);
      const recipients = await recipientsOf(service, developer, 'key.created');
      expect(recipients.at(-1)).toBe('developer');
      expect(recipients).not.toContain(developer.email);
    }
  });
});

describe('a key that was reported', () => {
  it('creates no webhook with a request that was already running (D322, D324)', async () => {
    const ada = await service.aDeveloper();
    const { id, key } = await service.anIssuedKey(ada);
    const client = new Client(service.databaseUrl);
    await client.connect();
    await client.query('begin');
    await client.query('select from api_keys where id = $1 for update', [id]);
    const creating = service.call('createWebhookEndpoint', { url: 'https://eve.example/' }, key);
    const waiting =
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await until(async () => (await service.sql(waiting)).length > 0, 'nothing waits');
    await client.query('update api_keys set revoked_at = now() where id = $1', [id]);
    await client.query('commit');
    await client.end();
    expectError(await creating, 'API_KEY_REVOKED');
  });

  it('with WEBHOOK_MANAGE alone reads no deliveries through the response of a change (D322)', async () => {
    const ada = await service.aDeveloper();
    const { id } = await anEndpoint(ada.token);
    const key = await service.aKey(ada, [Scope.WEBHOOK_MANAGE]);
    const { errors } = await service.client.graphql(
      'mutation ($id: ID!) { updateWebhookEndpoint(id: $id, input: { description: "x" }) { deliveries { totalCount } } }',
      { id },
      key,
    );
    expect(errors?.[0]?.extensions.code).toBe('INSUFFICIENT_SCOPE');
  });
});

import { describe, expect, it } from '@jest/globals';
import { beforeTests } from '../../support/before-tests.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';
import { anEndpoint } from './webhooks.js';

const service = beforeTests(sharedService);

describe('updateWebhookEndpoint', () => {
  it('changes only the fields that are sent; null clears, and an empty list means all events (D20, D37)', async () => {
    const { endpoint, update } = await anEndpoint(service);
    const same = { ...endpoint, updatedAt: expect.any(String) };
    expect((await update({ events: ['key.revoked'] })).data).toEqual({ ...same, events: ['key.revoked'] });
    expect((await update({ url: 'https://new.example/' })).data).toMatchObject({
      url: 'https://new.example/',
      description: 'Mine',
      events: ['key.revoked'],
    });
    expect((await update({ description: null, events: null })).data).toMatchObject({
      url: 'https://new.example/',
      description: null,
      events: [],
    });
  });

  it('refuses what creation refuses (D37)', async () => {
    const { update } = await anEndpoint(service);
    expectError(await update({ url: 'https://10.0.0.1/', events: ['x'] }), 'VALIDATION_FAILED', [
      'url: not_public',
      'events.0: invalid_value',
    ]);
    expectError(await update({ url: null }), 'VALIDATION_FAILED', ['url: required']);
    expectSuccess(await update({}));
  });

  it('resets the failures of the former address (D37)', async () => {
    const { endpoint, update } = await anEndpoint(service);
    await service.sql('update webhook_endpoints set failing_since = now() where id = $1', [endpoint.id]);
    expect((await update({ description: 'Still the same' })).data.failingSince).not.toBeNull();
    expect((await update({ url: 'https://new.example/' })).data.failingSince).toBeNull();
  });

  it.each([
    ['nothing at all', {}],
    [
      'every value as it is',
      { url: 'https://hooks.example/', events: ['app.approved'], description: 'Mine' },
    ],
    [
      'a value that is normalised to what it is',
      { description: ' Mine ', events: ['app.approved', 'app.approved'] },
    ],
  ])('records, mails and changes nothing when it is sent %s (D128)', async (_, input) => {
    const { ada, endpoint, update } = await anEndpoint(service);
    expect(expectSuccess(await update(input))).toEqual(endpoint);
    const lines = await service.sql<{ kind: string }>(
      "select kind from audit_events where developer_id = $1 and kind like 'webhook.%'",
      [ada.id],
    );
    expect(lines.map(({ kind }) => kind)).toEqual(['webhook.created']);
    const notified = (await notificationsOf(service, ada.id)).map(({ kind }) => kind);
    expect(notified).toEqual(['webhook.created']);
  });

  it('records and mails a new path at the same host, without the path (D95, D128)', async () => {
    const { ada, update } = await anEndpoint(service);
    expectSuccess(await update({ url: 'https://hooks.example/secret-path' }));
    const [, changed] = await notificationsOf(service, ada.id);
    expect(changed).toMatchObject({ kind: 'webhook.updated', host: 'hooks.example', changed: ['url'] });
    expect(JSON.stringify(changed)).not.toContain('secret-path');
  });
});

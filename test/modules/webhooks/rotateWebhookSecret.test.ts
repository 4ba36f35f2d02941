import { describe, expect, it } from '@jest/globals';
import { beforeTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { verified } from './receiver.js';
import { type IssuedJson, sharedWebhooks } from './webhooks.js';

const hooks = beforeTests(sharedWebhooks);

describe('rotateWebhookSecret', () => {
  it('signs with the new secret, and for 24 hours with the former one too (D37)', async () => {
    const address = hooks.receiver.address();
    const ada = await hooks.service.anUnverifiedDeveloper();
    const { id, secret: oldest } = await hooks.endpoint(ada, { url: address.url });
    const rotate = () => hooks.service.client.must<IssuedJson>('rotateWebhookSecret', { id }, ada.token);
    const test = async () => {
      const before = address.inbox().length;
      await hooks.service.client.must('testWebhookEndpoint', { id }, ada.token);
      return until(() => address.inbox()[before]);
    };
    const { secret: former } = await rotate();
    const { secret, formerSecretUntil } = (await rotate()) as IssuedJson & { formerSecretUntil: string };
    expect(new Set([oldest, former, secret]).size).toBe(3);
    const hours = (Date.parse(formerSecretUntil) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);

    const message = await test();
    expect(message.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    expect(verified(secret, message).type).toBe('webhook.test');
    expect(verified(former, message).type).toBe('webhook.test');
    expect(() => verified(oldest, message)).toThrow('No matching signature');

    await hooks.service.sql(
      "update webhook_endpoints set former_secret_until = now() - interval '1 second' where id = $1",
      [id],
    );
    const later = await test();
    expect(verified(secret, later).type).toBe('webhook.test');
    expect(() => verified(former, later)).toThrow('No matching signature');
    await until(async () => {
      const forgotten = 'select from webhook_endpoints where id = $1 and former_secret is null';
      return (await hooks.service.sql(forgotten, [id])).length === 1;
    });
  });
});

import { describe, expect, it } from '@jest/globals';
import { beforeTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { expectError } from '../../support/outcomes.js';
import { status } from './receiver.js';
import { adminDeliveries, anAdminEndpoint, sharedWebhooks } from './webhooks.js';

const hooks = beforeTests(sharedWebhooks);

describe('replayAdminWebhookDelivery', () => {
  it('sends the same message again, and names the operation that enables a disabled endpoint (D169)', async () => {
    const { service } = hooks;
    const address = hooks.receiver.address(status(500));
    const { id } = await anAdminEndpoint(service, { url: address.url });
    const ada = await service.aDeveloper();
    const { appId } = await hooks.anEvent(ada);
    const failed = await until(async () =>
      (await adminDeliveries(service, id)).find(
        ({ requestBody, status: state }) => requestBody.includes(appId) && state === 'FAILED',
      ),
    );
    const replay = () => service.callAsAdmin('replayAdminWebhookDelivery', { id: failed.id });
    await service.sql(
      "update webhook_endpoints set disabled_at = now(), disabled_reason = 'Gone.' where id = $1",
      [id],
    );
    const refused = await replay();
    expectError(refused, 'INVALID_TRANSITION');
    expect(refused.message).toContain('enableAdminWebhook');
    await service.administer('enableAdminWebhook', { id });
    address.behave(status(204));
    expect((await replay()).code).toBeNull();
    await until(async () =>
      (await adminDeliveries(service, id)).some(
        (each) => each.id === failed.id && each.status === 'DELIVERED',
      ),
    );
    const same = address.inbox().filter(({ headers }) => headers['webhook-id'] === failed.eventId);
    expect(new Set(same.map(({ body }) => body)).size).toBe(1);
    expect(same.length).toBeGreaterThanOrEqual(2);
  });
});

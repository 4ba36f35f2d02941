import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectRefusal, expectSuccess } from '../../support/refusals.js';
import { type Service, startService } from '../../support/service.js';
import { anEndpoint } from './webhooks.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe('updateWebhookEndpoint', () => {
  it('changes only what is sent; null clears, and no events are all events (D20, D37)', async () => {
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
    expectRefusal(await update({ url: 'https://10.0.0.1/', events: ['x'] }), 'VALIDATION_FAILED', [
      'url: not_public',
      'events.0: invalid_value',
    ]);
    expectRefusal(await update({ url: null }), 'VALIDATION_FAILED', ['url: required']);
    expectSuccess(await update({}));
  });

  it('forgets the failures of the former address (D37)', async () => {
    const { endpoint, update } = await anEndpoint(service);
    await service.sql('update webhook_endpoints set failing_since = now() where id = $1', [endpoint.id]);
    expect((await update({ description: 'Still the same' })).data.failingSince).not.toBeNull();
    expect((await update({ url: 'https://new.example/' })).data.failingSince).toBeNull();
  });
});

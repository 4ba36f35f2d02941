import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Input } from '../../support/doors.js';
import { expectRefusal, expectSuccess } from '../../support/refusals.js';
import { type Service, startService } from '../../support/service.js';
import type { EndpointJson, IssuedJson } from './webhooks.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

async function anEndpoint(input: Input = {}) {
  const ada = await service.anUnverifiedDeveloper();
  const { secret: _, ...endpoint } = await service.doors.must<IssuedJson>(
    'createWebhookEndpoint',
    { url: 'https://hooks.example/', events: ['app.approved'], description: 'Mine', ...input },
    ada.token,
  );
  const update = (changes: Input) =>
    service.doors.call<EndpointJson>(
      'graphql',
      'updateWebhookEndpoint',
      { id: endpoint.id, ...changes },
      ada.token,
    );
  return { ada, endpoint, update };
}

describe('updateWebhookEndpoint', () => {
  it('changes only what is sent; null clears, and no events are all events (D20, D37)', async () => {
    const { endpoint, update } = await anEndpoint();
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
    const { update } = await anEndpoint();
    expectRefusal(await update({ url: 'https://10.0.0.1/', events: ['x'] }), 'VALIDATION_FAILED', [
      'url: not_public',
      'events.0: invalid_value',
    ]);
    expectRefusal(await update({ url: null }), 'VALIDATION_FAILED', ['url: required']);
    expectSuccess(await update({}));
  });

  it('forgets the failures of the former address (D37)', async () => {
    const { endpoint, update } = await anEndpoint();
    await service.sql('update webhook_endpoints set failing_since = now() where id = $1', [endpoint.id]);
    expect((await update({ description: 'Still the same' })).data.failingSince).not.toBeNull();
    expect((await update({ url: 'https://new.example/' })).data.failingSince).toBeNull();
  });
});

describe('myWebhookEndpoints', () => {
  it("lists the caller's own, newest first, without secrets (D37)", async () => {
    const { ada, endpoint } = await anEndpoint();
    await anEndpoint();
    const { secret, ...second } = await service.doors.must<IssuedJson>(
      'createWebhookEndpoint',
      { url: 'https://second.example/' },
      ada.token,
    );
    const listed = await service.doors.must('myWebhookEndpoints', {}, ada.token);
    expect(listed).toEqual([second, endpoint]);
    expect(JSON.stringify(listed)).not.toContain(secret);
  });
});

describe('deleteWebhookEndpoint', () => {
  it('removes the endpoint with its deliveries, for good (D37)', async () => {
    const { ada, endpoint } = await anEndpoint();
    await service.doors.must('testWebhookEndpoint', { id: endpoint.id }, ada.token);
    const act = () => service.doors.call('graphql', 'deleteWebhookEndpoint', { id: endpoint.id }, ada.token);
    expect((await act()).data).toEqual({ id: endpoint.id, deleted: true });
    expectRefusal(await act(), 'NOT_FOUND');
    expect(await service.doors.must('myWebhookEndpoints', {}, ada.token)).toEqual([]);
    const left = await service.sql('select from webhook_deliveries where endpoint_id = $1', [endpoint.id]);
    expect(left).toHaveLength(0);
  });

  it('is in the audit log like every other change (D38)', async () => {
    const { ada, endpoint, update } = await anEndpoint();
    await update({ description: 'Other' });
    await service.doors.must('rotateWebhookSecret', { id: endpoint.id }, ada.token);
    await service.doors.must('deleteWebhookEndpoint', { id: endpoint.id }, ada.token);
    const lines = await service.sql<{ kind: string }>(
      "select kind from audit_events where data->>'endpointId' = $1 order by position",
      [endpoint.id],
    );
    expect(lines.map(({ kind }) => kind)).toEqual([
      'webhook.created',
      'webhook.updated',
      'webhook.secret-rotated',
      'webhook.deleted',
    ]);
  });
});

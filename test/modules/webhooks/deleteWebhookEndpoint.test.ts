import { describe, expect, it } from '@jest/globals';
import { beforeTests } from '../../support/before-tests.js';
import { expectError } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';
import { anEndpoint } from './webhooks.js';

const service = beforeTests(sharedService);

describe('deleteWebhookEndpoint', () => {
  it('removes the endpoint with its deliveries, for good (D37)', async () => {
    const { ada, endpoint } = await anEndpoint(service);
    await service.client.must('testWebhookEndpoint', { id: endpoint.id }, ada.token);
    const act = () => service.client.call('graphql', 'deleteWebhookEndpoint', { id: endpoint.id }, ada.token);
    expect((await act()).data).toEqual({ id: endpoint.id, deleted: true });
    expectError(await act(), 'NOT_FOUND');
    expect(await service.client.must('myWebhookEndpoints', {}, ada.token)).toEqual([]);
    const left = await service.sql('select from webhook_deliveries where endpoint_id = $1', [endpoint.id]);
    expect(left).toHaveLength(0);
  });
});

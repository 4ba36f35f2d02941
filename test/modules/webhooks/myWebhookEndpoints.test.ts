import { describe, expect, it } from '@jest/globals';
import { beforeTests } from '../../support/before-tests.js';
import { sharedService } from '../../support/service.js';
import { anEndpoint, type IssuedJson } from './webhooks.js';

const service = beforeTests(sharedService);

describe('myWebhookEndpoints', () => {
  it("lists the caller's own, newest first, without secrets (D37)", async () => {
    const { ada, endpoint } = await anEndpoint(service);
    await anEndpoint(service);
    const { secret, ...second } = await service.client.must<IssuedJson>(
      'createWebhookEndpoint',
      { url: 'https://second.example/' },
      ada.token,
    );
    const listed = await service.client.must('myWebhookEndpoints', {}, ada.token);
    expect(listed).toEqual([second, endpoint]);
    expect(JSON.stringify(listed)).not.toContain(secret);
  });
});

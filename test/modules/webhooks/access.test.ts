import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Scope } from '../../../src/modules/api-keys/api-key.entity.js';
import { type Developer, unique } from '../../support/actors.js';
import { nobody } from '../../support/answers.js';
import { expectRefusal, expectSuccess } from '../../support/refusals.js';
import { type Service, startService } from '../../support/service.js';
import type { DeliveryJson, IssuedJson } from './webhooks.js';

let service: Service;
let ada: Developer;
let bob: Developer;
let endpoint: IssuedJson;
let delivery: DeliveryJson;
beforeAll(async () => {
  service = await startService();
  [ada, bob] = [await service.aDeveloper(), await service.aDeveloper()];
  endpoint = await service.doors.must('createWebhookEndpoint', { url: 'https://a.example/' }, ada.token);
  delivery = await service.doors.must('testWebhookEndpoint', { id: endpoint.id }, ada.token);
});
afterAll(() => service.close());

/** Every operation, with how it names what it works on; deletion last. */
const operations = [
  ['createWebhookEndpoint', null],
  ['myWebhookEndpoints', null],
  ['events', null],
  ['updateWebhookEndpoint', 'id'],
  ['rotateWebhookSecret', 'id'],
  ['enableWebhookEndpoint', 'id'],
  ['testWebhookEndpoint', 'id'],
  ['webhookDeliveries', 'endpointId'],
  ['replayWebhookDelivery', 'id'],
  ['deleteWebhookEndpoint', 'id'],
] as const;

describe.each(operations)('%s', (name, argument) => {
  const ask = (bearer: string | null, id = name === 'replayWebhookDelivery' ? delivery.id : endpoint.id) =>
    service.doors.call(
      'graphql',
      name,
      {
        ...(argument && { [argument]: id }),
        ...(name === 'createWebhookEndpoint' && { url: 'https://b.example/' }),
      },
      bearer,
    );

  it('is for developers: nobody, strangers, dead keys and the suspended are refused (D8, D51)', async () => {
    expectRefusal(await ask(null), 'UNAUTHENTICATED');
    expectRefusal(await ask(await service.token(unique('stranger'))), 'DEVELOPER_NOT_REGISTERED');
    expectRefusal(await ask(await service.anExpiredKey(ada)), 'API_KEY_EXPIRED');
    expectRefusal(await ask(await service.aRevokedKey(ada)), 'API_KEY_REVOKED');
    const suspended = await service.aDeveloper();
    const act = { id: suspended.id, reason: 'Spam.' };
    await service.doors.must('suspendDeveloper', act, await service.admin());
    expectRefusal(await ask(suspended.token), 'DEVELOPER_SUSPENDED');
    expectRefusal(await ask(suspended.key), 'DEVELOPER_SUSPENDED');
  });

  if (argument) {
    it("answers the same for somebody else's, for what is missing and for what is no id (D7)", async () => {
      const [foreign, missing, nonsense] = [
        await ask(bob.token),
        await ask(ada.token, nobody),
        await ask(ada.token, 'x'),
      ];
      for (const outcome of [foreign, missing, nonsense]) expectRefusal(outcome, 'NOT_FOUND');
      expect(foreign.message).toBe(missing.message);
    });
  }

  it('takes any key, whatever its scopes (D51)', async () => {
    expectSuccess(await ask(await service.aKey(ada, [Scope.ANALYTICS_READ])));
  });
});

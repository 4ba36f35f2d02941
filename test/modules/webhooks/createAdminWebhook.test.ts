import { describe, expect, it } from '@jest/globals';
import { aRejection } from '../../support/actors.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { anId, aTime } from '../../support/matchers.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { becomesOverdue, startOverdueWorker } from '../../support/workers.js';
import { status, verified } from './receiver.js';
import { anAdminEndpoint, type IssuedJson, sharedWebhooks } from './webhooks.js';

const hooks = beforeTests(sharedWebhooks);
const worker = duringTests(() => startOverdueWorker(hooks.service.databaseUrl));

const create = async (input: object) =>
  hooks.service.callAsAdmin<IssuedJson>('createAdminWebhook', { ...input });

describe('createAdminWebhook', () => {
  it('creates an endpoint of the administration, with a secret that is shown once (D169)', async () => {
    const { service } = hooks;
    const made = await anAdminEndpoint(service, { url: 'https://desk.example/', description: 'The desk' });
    expect(made).toMatchObject({
      id: anId,
      events: [],
      description: 'The desk',
      status: 'ENABLED',
      secret: expect.stringMatching(/^whsec_/),
    });
    const [{ developer_id, signing_secret }] = (await service.sql(
      'select developer_id, signing_secret from webhook_endpoints where id = $1',
      [made.id],
    )) as [{ developer_id: null; signing_secret: string }];
    expect(developer_id).toBeNull();
    expect(signing_secret).toMatch(/^enc\.v1\./);
  });

  it('accepts only types of the administration, and only URLs that a developer could use (D169)', async () => {
    const input = { url: 'https://10.0.0.1/', events: ['app.submitted', 'app.approved', 'key.created'] };
    expectError(await create(input), 'VALIDATION_FAILED', [
      'url: not_public',
      'events.1: invalid_value',
      'events.2: invalid_value',
    ]);
    const events = ['review.overdue', 'review.message_received', 'version.submitted', 'webhook.disabled'];
    const data = expectSuccess(await create({ url: 'https://desk.example/', events }));
    expect(data.events).toEqual(events);
  });

  it('creates at most ten for all administrators together (D169)', async () => {
    await hooks.service.sql('delete from webhook_endpoints where developer_id is null');
    const outcomes = await Promise.all(
      Array.from({ length: 15 }, () => create({ url: 'https://desk.example/' })),
    );
    const refused = outcomes.filter(({ code }) => code !== null);
    expect(refused).toHaveLength(5);
    for (const outcome of refused) expectError(outcome, 'VALIDATION_FAILED', [': too_many']);
  });

  it('leaves the endpoints of developers alone, and is out of their reach (D169)', async () => {
    const { client } = hooks.service;
    const { id } = await anAdminEndpoint(hooks.service);
    const ada = await hooks.service.aDeveloper();
    const own = await hooks.endpoint(ada, { url: 'https://ada.example/' });
    const both = await hooks.service.asAdministrator(ada);
    const list = await client.must<{ id: string }[]>('myWebhookEndpoints', {}, both);
    expect(list.map((each) => each.id)).toEqual([own.id]);
    for (const operation of [
      'updateWebhookEndpoint',
      'deleteWebhookEndpoint',
      'testWebhookEndpoint',
    ] as const)
      expectError(await client.call('graphql', operation, { id }, both), 'NOT_FOUND');
    for (const operation of ['updateAdminWebhook', 'deleteAdminWebhook', 'testAdminWebhook'] as const)
      expectError(await client.call('graphql', operation, { id: own.id }, both), 'NOT_FOUND');
  });
});

describe('an endpoint of the administration', () => {
  it('is told of submissions, resubmissions, messages and overdue reviews of every developer, and of nothing else (D169)', async () => {
    const { service } = hooks;
    const { client } = service;
    const address = hooks.receiver.address();
    const { secret } = await anAdminEndpoint(service, { url: address.url });
    const ada = await service.aDeveloper({ name: 'Ada Lovelace', companyName: 'Analytical Engines' });
    const admin = await service.admin();
    const gone = await hooks.endpoint(ada, { url: hooks.receiver.address(status(410)).url });
    const app = await service.anApp(ada, 'REJECTED');
    await until(async () => (await hooks.endpointNow(ada, gone.id))?.status === 'DISABLED');
    const { id } = app;
    await client.must('submitApp', { id }, ada.token);
    await client.must('messageReviewers', { id, text: 'I changed it.' }, ada.token);
    await becomesOverdue(service, id);
    await worker.look();
    await client.must('approveApp', { id, revision: 1 }, admin);
    const { id: versionId } = await client.must<{ id: string }>(
      'createAppVersion',
      { appId: id, description: 'It counts.' },
      ada.token,
    );
    await client.must('submitAppVersion', { id: versionId }, ada.token);
    await client.must('rejectAppVersion', { id: versionId, ...aRejection(1) }, admin);
    await client.must('submitAppVersion', { id: versionId }, ada.token);

    const about = () =>
      address
        .inbox()
        .flatMap((message) => (message.body.includes(ada.id) ? [verified(secret, message)] : []));
    await until(() => about().length >= 6);
    const told = about().toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
    const developer = {
      id: ada.id,
      name: 'Ada Lovelace',
      companyName: 'Analytical Engines',
      websiteUrl: null,
    };
    const shared = { developer, app: { id, slug: app.slug, name: app.name } };
    expect(told.map(({ type, data }) => ({ type, data }))).toEqual([
      { type: 'app.submitted', data: { ...shared, resubmission: false } },
      { type: 'app.submitted', data: { ...shared, resubmission: true } },
      { type: 'review.message_received', data: { ...shared, text: 'I changed it.' } },
      { type: 'review.overdue', data: { ...shared, versionId: null, dueAt: aTime } },
      { type: 'version.submitted', data: { ...shared, versionId, resubmission: false } },
      { type: 'version.submitted', data: { ...shared, versionId, resubmission: true } },
    ]);
    for (const { body } of address.inbox()) expect(body).not.toMatch(/@example\.com|account-/);
  });

  it('receives only the types that it subscribed to (D169)', async () => {
    const { service } = hooks;
    const address = hooks.receiver.address();
    const events = ['review.message_received'];
    await anAdminEndpoint(service, { url: address.url, events });
    const ada = await service.aDeveloper();
    const { id } = await service.anApp(ada, 'PENDING');
    await service.client.must('messageReviewers', { id, text: 'Hello.' }, ada.token);
    await until(() => address.inbox().length > 0);
    expect(address.inbox().map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual(events);
  });
});

import type { MailedKind } from '../../../src/modules/events/event-mail.types.js';
import type { Developer } from '../../support/actors.js';
import type { Service } from '../../support/service.js';
import { startReceiver } from '../webhooks/receiver.js';
import { type Story, toAda } from './story.js';

/** A webhook receiver that the service of the stories may send to. */
export const receiver = startReceiver();

/** Makes a webhook's endpoint respond 410. */
const aWebhookIsGone = toAda(async (service, developer) => {
  const { url } = (await receiver).address((response) => response.writeHead(410).end());
  await service.client.must('createWebhookEndpoint', { url }, developer.token);
  await service.aKey(developer);
});

/** Creates a webhook endpoint, and does something to it. */
const aWebhookIs = (
  act?: 'updateWebhookEndpoint' | 'deleteWebhookEndpoint' | 'rotateWebhookSecret',
  input: object = {},
) =>
  toAda(async (service, developer) => {
    const { id } = await anEndpoint(service, developer);
    if (act) await service.client.must(act, { id, ...input }, developer.token);
  });
const anEndpoint = (service: Service, developer: Developer) =>
  service.client.must<{ id: string }>(
    'createWebhookEndpoint',
    { url: 'https://hooks.example/a-secret-path', events: ['app.approved', 'app.rejected'] },
    developer.token,
  );

export const webhookStories = {
  'webhook.created': {
    happens: aWebhookIs(),
    subject: 'A webhook to hooks.example was created',
    says: [
      'app.approved, app.rejected',
      'If you did not do this: delete the endpoint',
      'deleteWebhookEndpoint',
    ],
  },
  'webhook.updated': {
    happens: aWebhookIs('updateWebhookEndpoint', { url: 'https://other.example/', description: 'Mine' }),
    subject: 'Your webhook to other.example was changed',
    says: ['URL, Note', 'hooks.example', 'other.example', 'Mine', '(nothing)', 'If you did not do this'],
  },
  'webhook.deleted': {
    happens: aWebhookIs('deleteWebhookEndpoint'),
    subject: 'Your webhook to hooks.example was deleted',
    says: ['no longer send events to hooks.example', 'If you did not do this: revoke your API keys'],
  },
  'webhook.secret-rotated': {
    happens: aWebhookIs('rotateWebhookSecret'),
    subject: 'Your webhook to hooks.example has a new secret',
    says: ['signed with a new secret', 'Until', 'If you did not do this: call rotateWebhookSecret'],
  },
  'webhook.enabled': {
    happens: toAda(async (service, developer) => {
      const { id } = await anEndpoint(service, developer);
      await service.sql(
        "update webhook_endpoints set disabled_at = now(), disabled_reason = 'Gone.' where id = $1",
        [id],
      );
      await service.client.must('enableWebhookEndpoint', { id }, developer.token);
    }),
    subject: 'Your webhook to hooks.example was enabled again',
    says: ['send events to hooks.example again', 'If you did not do this: delete the endpoint'],
  },
  'webhook.disabled': {
    happens: aWebhookIsGone,
    subject: receiver.then(({ host }) => `Your webhook to ${host} was disabled`),
    says: ['410', 'enableWebhookEndpoint (GraphQL) with the endpoint'],
  },
} satisfies Partial<Record<MailedKind, Story>>;

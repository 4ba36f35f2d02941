import { endpointFieldLabel } from './field-label.rules.js';
import { changedFields, formatTime, webhooksPage } from './fragment.templates.js';
import type { MailTemplates } from './mail.types.js';

/** Advice for changes that someone with a stolen key could make. */
const ifNotYou = (endpointId: string) =>
  `If you did not do this: delete the endpoint (deleteWebhookEndpoint in GraphQL, with its id, ${endpointId}) and revoke your API keys.`;

/** The mails about webhook endpoints. They contain only the host of a URL, because many webhook URLs contain a secret. */
export const webhookTemplates = {
  'webhook.created': ({ endpointId, host }, data) => ({
    subject: `A webhook to ${host} was created`,
    heading: 'A webhook endpoint was created',
    body: [
      `From now on we send events of your account to ${host}. Types of events: ${eventList(data.auditEvent.after?.events)}.`,
      ifNotYou(endpointId),
    ],
    action: webhooksPage(data, endpointId),
  }),
  'webhook.updated': ({ endpointId, host, changed }, data) => ({
    subject: `Your webhook to ${host} was changed`,
    heading: 'A webhook endpoint was changed',
    body: [
      `These fields of your endpoint have new values: ${changed.map(endpointFieldLabel).join(', ')}.`,
      {
        changes: changedFields(data.auditEvent, endpointFieldLabel).filter(
          ({ before, after }) => before !== after,
        ),
      },
      ifNotYou(endpointId),
    ],
    action: webhooksPage(data, endpointId),
  }),
  'webhook.deleted': ({ endpointId, host }, data) => ({
    subject: `Your webhook to ${host} was deleted`,
    heading: 'A webhook endpoint was deleted',
    body: [
      `We no longer send events to ${host}. The delivery log of the endpoint is deleted too. The events are still in the events feed.`,
      'If you did not do this: revoke your API keys, and create the endpoint again.',
    ],
    action: webhooksPage(data, endpointId),
  }),
  'webhook.secret-rotated': ({ endpointId, host, formerUntil }, data) => ({
    subject: `Your webhook to ${host} has a new secret`,
    heading: 'A webhook endpoint has a new secret',
    body: [
      `Messages to ${host} are now signed with a new secret. Until ${formatTime(new Date(formerUntil))} they are signed with the former secret too. Switch your receiver to the new secret before then.`,
      `If you did not do this: call rotateWebhookSecret (GraphQL) with the endpoint's id, ${endpointId}, and revoke your API keys.`,
    ],
    action: webhooksPage(data, endpointId),
  }),
  'webhook.enabled': ({ endpointId, host }, data) => ({
    subject: `Your webhook to ${host} was enabled again`,
    heading: 'A webhook endpoint was enabled again',
    body: [`We send events to ${host} again.`, ifNotYou(endpointId)],
    action: webhooksPage(data, endpointId),
  }),
  'webhook.disabled': ({ endpointId, host, reason }, data) => ({
    subject: `Your webhook to ${host} was disabled`,
    heading: 'A webhook endpoint was disabled',
    body: [
      `We no longer send events to your endpoint at ${host}.`,
      { label: 'Reason', quote: reason },
      `Fix the receiver, then call testWebhookEndpoint and enableWebhookEndpoint (GraphQL) with the endpoint's id, ${endpointId}.`,
      'You can replay the missed events from the delivery log, or read them in the events feed.',
    ],
    action: webhooksPage(data, endpointId),
  }),
} satisfies Partial<MailTemplates>;

const eventList = (events: unknown): string =>
  Array.isArray(events) && events.length > 0 ? events.join(', ') : 'all';
